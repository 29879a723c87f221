// Draws the rows above the lanes that say who holds. GUI thread.
#pragma once

#include "ui/models/theme.h"
#include "ui/timeline/timeline_picture.h"

#include <QPainter>

namespace lockscope::ui {

// Before the grid and after it: the ground that says that these rows stay, and what is on it.
void drawHolderGround(QPainter& painter, const Palette& palette, const TimelineLayout& layout);
void drawHolders(QPainter& painter, const Theme& theme, const TimelinePicture& picture, EventIndex selected);
// Once more the names that this line crosses, before it.
void drawHoldersBefore(QPainter& painter, const Theme& theme, const TimelinePicture& picture,
                       const QRect& line);

} // namespace lockscope::ui
