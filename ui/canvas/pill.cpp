#include "ui/canvas/pill.h"

#include <QFontMetrics>

namespace lockscope::ui {

QFont pillFont(const Fonts& fonts) { return strongFont(fonts.small); }

int pillHeight(const QFont& font) { return QFontMetrics(font).height() + 5; }

void drawPill(QPainter& painter, const QRectF& box, const QString& text, const QFont& font,
              const QColor& ground, const QColor& ink, TextCache& texts, double side)
{
    painter.setBrush(ground);
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    painter.setFont(font);
    painter.setPen(ink);
    texts.draw(painter, box.adjusted(side, 0, -side, 0), Qt::AlignCenter, text);
}

} // namespace lockscope::ui
