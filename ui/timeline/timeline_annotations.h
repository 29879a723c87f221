// The part of a TimelinePicture that belongs to no single lane: handoff arrows, marks of what was done to the
// run, and the time axis. Pure but for measuring text.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

// Fills arrows, marks and ticks; layout and scale must be set.
void annotateTimelinePicture(const TimelineInput& input, TimelinePicture& picture);

} // namespace lockscope::ui
