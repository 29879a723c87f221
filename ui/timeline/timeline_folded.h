// The one row of a timeline's picture that stands for all folded lanes: what they do, the worst first. Costs what is
// visible for each of them, at a coarser step than a lane of its own. Pure.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

void addFoldedLanes(const TimelineInput& input, TimelinePicture& picture, int row);

} // namespace lockscope::ui
