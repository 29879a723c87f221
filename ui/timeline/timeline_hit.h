// Hit testing in the picture as drawn, including bars that were widened to be visible. Pure; any thread.
#pragma once

#include "ui/timeline/timeline_picture.h"

#include <QPoint>

namespace lockscope::ui {

struct TimelineHit
{
    enum class What {
        nothing,
        laneName,
        lane /* empty place in a lane */,
        bar,
        overlay,
        arrow,
        mark,
        flag,
        holder,     // a bar above the lanes
        holderRow,  // the rest of a row of such bars
        ruler,      // an empty place of the band or the axis
        folded,     // the row of the folded lanes
        contention, // the track of waiting clients
        overview
    };
    What what = What::nothing;
    ClientId lane = ClientId::none();
    std::size_t index = 0; // in bars, overlays, arrows, marks, flags, holders or holderRows of the picture
    bool operator==(const TimelineHit&) const = default;
};

TimelineHit hitTimeline(const TimelinePicture& picture, QPoint at);

} // namespace lockscope::ui
