#include "ui/canvas/arrows.h"

#include <QLineF>

#include <algorithm>

namespace lockscope::ui {

void drawArrowHead(QPainter& painter, QPointF tip, QPointF from, const QBrush& fill, ArrowHead head,
                   const QPen& outline)
{
    const double length = QLineF(from, tip).length();
    if (length < 0.01)
        return;
    const QPointF unit = (tip - from) / length;
    const QPointF base = tip - unit * head.length;
    const QPointF side = QPointF(-unit.y(), unit.x()) * head.length * head.slope;
    painter.setPen(outline);
    painter.setBrush(fill);
    const QPointF corners[] = {tip, base + side, base - side};
    painter.drawConvexPolygon(corners, 3);
}

void drawArrow(QPainter& painter, QPointF from, QPointF to, const QPen& pen, ArrowHead head)
{
    const double length = QLineF(from, to).length();
    if (length < 1)
        return;
    painter.setPen(pen);
    painter.drawLine(from, to - (to - from) / length * head.length);
    if (head.length > 0)
        drawArrowHead(painter, to, from, pen.color(), head);
}

double distanceToShaft(QPointF at, QPointF from, QPointF to)
{
    const QPointF along = to - from;
    const double squared = QPointF::dotProduct(along, along);
    const double share =
        squared > 0 ? std::clamp(QPointF::dotProduct(at - from, along) / squared, 0.0, 1.0) : 0;
    return QLineF(at, from + along * share).length();
}

void drawCross(QPainter& painter, QPointF centre, double half, const QPen& pen)
{
    painter.setPen(pen);
    painter.drawLine(centre + QPointF(-half, -half), centre + QPointF(half, half));
    painter.drawLine(centre + QPointF(-half, half), centre + QPointF(half, -half));
}

} // namespace lockscope::ui
