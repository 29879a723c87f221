// The part of a TimelinePicture that belongs to no single lane: handoff arrows, marks of what was done to the
// run, and the time axis. Pure but for measuring text.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// Fills arrows, marks and ticks; layout and scale must be set.
void addAnnotations(const TimelineInput& input, TimelinePicture& picture);

// Where the words of a mark are written while `pill`, the cursor's label, stands in the same band: where they
// belong, else on the other side of the line, else cut short of it; empty where none of these has room.
QRect markLabel(const TimelinePicture& picture, std::size_t mark, const QRect& pill);

} // namespace lockscope::ui
