// Arrows and crosses of all views. The painter's pen and brush are changed. GUI thread.
#pragma once

#include <QPainter>
#include <QPen>

namespace lockscope::ui {

// The shape of a head: its length, and half its width as a share of the length.
struct ArrowHead
{
    double length = 9;
    double slope = 0.5;
};

// A filled head at `tip`, pointing away from `from`; `outline` is the pen of its edge.
void drawArrowHead(QPainter& painter, QPointF tip, QPointF from, const QBrush& fill, ArrowHead head,
                   const QPen& outline = Qt::NoPen);
// A shaft that ends where its head begins; draws nothing if it is shorter than a pixel. Length 0: no head.
void drawArrow(QPainter& painter, QPointF from, QPointF to, const QPen& pen, ArrowHead head);
// The distance from a point to the nearest point of a shaft, for hit tests.
double distanceToShaft(QPointF at, QPointF from, QPointF to);
// Ends a line that leads nowhere.
void drawCross(QPainter& painter, QPointF centre, double half, const QPen& pen);

} // namespace lockscope::ui
