// Where a place in the timeline snaps to: the nearest edge of something drawn, as an exact time. Pure, any thread.
#pragma once

#include "ui/timeline/timeline_picture.h"

#include <QPoint>

#include <optional>

namespace lockscope::ui {

constexpr int kSnapReach = 6; // pixels

// In a lane: edges of what it shows; elsewhere of all lanes in view. Fault marks and bookmarks count everywhere.
std::optional<TraceTime> nearestEdge(const TimelinePicture& picture, const std::vector<Bookmark>& notes, QPoint at,
                                     int reach = kSnapReach);

} // namespace lockscope::ui
