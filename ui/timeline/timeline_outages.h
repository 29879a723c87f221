// Stretches in which the server answered nobody, as a ground behind the lanes. GUI thread.
#pragma once

#include "ui/models/theme.h"
#include "ui/timeline/timeline_picture.h"

#include <QPainter>

namespace lockscope::ui {

// Fills the outages; layout, scale and marks must be set.
void addOutages(const TimelineInput& input, TimelinePicture& picture);
// Between the grid and the lanes.
void drawOutages(QPainter& painter, const Theme& theme, const TimelinePicture& picture);

} // namespace lockscope::ui
