// Arrows and crosses of all views. The painter's pen and brush are changed. GUI thread.
#pragma once

#include <QPainter>
#include <QPen>

namespace lockscope::ui {

// The corners of a head: its length, and half its width as a share of the length.
struct ArrowHead
{
    double length = 9;
    double slope = 0.5;
};

// A filled head at `tip`, pointing away from `from`; `outline` draws its edge, too.
void drawArrowHead(QPainter& painter, QPointF tip, QPointF from, const QBrush& fill, ArrowHead head,
                   const QPen& outline = Qt::NoPen);
// A shaft that ends where its head begins; nothing when shorter than a pixel. A head of length 0 is none.
void drawArrow(QPainter& painter, QPointF from, QPointF to, const QPen& pen, ArrowHead head);
// From a point to the nearest one of a shaft: for hit tests.
double distanceToShaft(QPointF at, QPointF from, QPointF to);
// Ends a line that leads nowhere.
void drawCross(QPainter& painter, QPointF centre, double half, const QPen& pen);

} // namespace lockscope::ui
