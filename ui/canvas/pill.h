// A short text in a box with round ends, as every view shows a state. GUI thread.
#pragma once

#include "ui/models/style/theme.h"

#include <QPainter>

namespace lockscope::ui {

QFont pillFont(const Fonts& fonts);
int pillHeight(const QFont& font);
// The frame is drawn with the painter's pen. The text is elided to leave `side` free on both sides.
void drawPill(QPainter& painter, const QRectF& box, const QString& text, const QFont& font,
              const QColor& ground, const QColor& ink, TextCache& texts, double side = 7);

} // namespace lockscope::ui
