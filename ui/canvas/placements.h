// Places many items of one size: around a center, in rows that turn at their ends, or as squares. Pure.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <vector>

namespace lockscope::ui {

QRectF around(QPointF middle, QSizeF size);

// Points at equal distances along an ellipse: equal angles would crowd its flat ends. With a power above 2
// the curve extends toward the corners, where there is room for boxes. No point is closer to the
// vertical axis than `withoutMiddle`.
class EllipseWalk
{
public:
    EllipseWalk(double rx, double ry, double power = 2, double withoutMiddle = 0);
    double length() const { return m_walked.back(); }
    QPointF along(double way) const; // relative to the center; begins at the top

private:
    QPointF at(int sample) const;
    double m_rx, m_ry, m_exponent;
    std::vector<double> m_walked{0};
};

// The rectangle of a place when rows turn at their ends: even rows run right, odd rows left.
QRectF snakeRect(std::size_t place, std::size_t columns, QSizeF box, double gap, double rowGap,
                 QPointF origin);

// Squares in rows, in whole pixels, as large as possible with all of them visible.
struct CellGrid
{
    CellGrid(const QRectF& area, std::size_t count, double unit);
    QRectF at(std::size_t cell) const;

    QPoint origin;
    int pitch = 0, side = 0;
    std::size_t perRow = 1;
};

} // namespace lockscope::ui
