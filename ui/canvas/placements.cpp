#include "ui/canvas/placements.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockscope::ui {

namespace {

constexpr int kSamples = 720;
constexpr double kCellPitch = 20;
constexpr int kMinPitch = 5;      // smaller squares cannot be distinguished
constexpr int kScrolledPitch = 8; // used when even those do not all fit

} // namespace

QRectF around(QPointF middle, QSizeF size)
{
    return {middle - QPointF(size.width() / 2, size.height() / 2), size};
}

EllipseWalk::EllipseWalk(double rx, double ry, double power, double withoutMiddle)
    : m_rx(rx)
    , m_ry(ry)
    , m_exponent(2 / power)
{
    for (int i = 1; i <= kSamples; ++i) {
        const QPointF from = at(i - 1), step = at(i) - from;
        const bool inMiddle = std::min(std::abs(from.x()), std::abs(from.x() + step.x())) < withoutMiddle;
        m_walked.push_back(m_walked.back() + (inMiddle ? 0 : std::hypot(step.x(), step.y())));
    }
}

QPointF EllipseWalk::along(double way) const
{
    const auto sample = std::lower_bound(m_walked.begin(), m_walked.end(), way) - m_walked.begin();
    return at(static_cast<int>(sample));
}

QPointF EllipseWalk::at(int sample) const
{
    const double angle = 2 * std::numbers::pi * sample / kSamples - std::numbers::pi / 2;
    const double x = std::cos(angle), y = std::sin(angle);
    return {std::copysign(std::pow(std::abs(x), m_exponent), x) * m_rx,
            std::copysign(std::pow(std::abs(y), m_exponent), y) * m_ry};
}

QRectF snakeRect(std::size_t place, std::size_t columns, QSizeF box, double gap, double rowGap,
                 QPointF origin)
{
    const auto row = place / columns;
    auto column = place % columns;
    if (row % 2 == 1)
        column = columns - 1 - column;
    return {origin.x() + static_cast<double>(column) * (box.width() + gap),
            origin.y() + static_cast<double>(row) * (box.height() + rowGap), box.width(), box.height()};
}

CellGrid::CellGrid(const QRectF& area, std::size_t count, double unit)
    : origin(static_cast<int>(std::ceil(area.left())), static_cast<int>(std::ceil(area.top())))
{
    const auto width = static_cast<int>(area.right()) - origin.x();
    const auto height = static_cast<int>(area.bottom()) - origin.y();
    const auto gapOf = [](int step) {
        return step >= 16 ? 5 : step >= 12 ? 4 : step >= 9 ? 3 : step >= 7 ? 2 : 1;
    };
    const auto fits = [&](int step) {
        const int columns = (width + gapOf(step)) / step, rows = (height + gapOf(step)) / step;
        return static_cast<std::size_t>(std::max(0, columns)) * static_cast<std::size_t>(std::max(0, rows)) >=
               count;
    };
    pitch = std::max(kScrolledPitch, static_cast<int>(kCellPitch * unit));
    while (pitch > kMinPitch && !fits(pitch))
        --pitch;
    if (!fits(pitch))
        pitch = kScrolledPitch;
    side = pitch - gapOf(pitch);
    perRow = static_cast<std::size_t>(std::max(1, (width + pitch - side) / pitch));
}

QRectF CellGrid::at(std::size_t cell) const
{
    const auto column = static_cast<int>(cell % perRow), row = static_cast<int>(cell / perRow);
    return QRect(origin + QPoint(column, row) * pitch, QSize(side, side));
}

} // namespace lockscope::ui
