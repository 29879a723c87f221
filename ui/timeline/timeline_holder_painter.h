// Draws the holder rows above the lanes. GUI thread.
#pragma once

#include "ui/models/style/theme.h"
#include "ui/timeline/timeline_picture.h"

#include <QPainter>

namespace lockscope::ui {

// The background, drawn before the grid, marks these rows as fixed; the bars are drawn after the grid.
void drawHolderGround(QPainter& painter, const Palette& palette, const TimelineLayout& layout);
void drawHolders(QPainter& painter, const Theme& theme, const TimelinePicture& picture, EventIndex selected);
// Draws again, in front of this line, the names that it crosses.
void drawHoldersBefore(QPainter& painter, const Theme& theme, const TimelinePicture& picture,
                       const QRect& line);

} // namespace lockscope::ui
