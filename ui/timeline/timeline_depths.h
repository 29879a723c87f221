// The deeper levels of the holds of a lane, with their numbers where they have room.
#pragma once

#include "ui/timeline/timeline_picture.h"

namespace lockscope::ui {

void addDepths(const TimelineInput& input, TimelinePicture& picture, ClientId lane, int row);

} // namespace lockscope::ui
