#include "ui/compare/compare_chain_layout.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockscope::ui {

namespace {

constexpr qreal kMinDiameter = 3;
constexpr qreal kSpacing = 1.9;       // between two in a row, in diameters
constexpr qreal kMinRowSpacing = 2.4; // between two rows
constexpr qreal kMaxRowSpacing = 3.6;
constexpr qreal kGap = 2; // between an arrow and what it leads to

// Grows with the room there is, within limits.
qreal maxDiameter(const QSizeF& size)
{
    return std::clamp(std::min(size.width(), size.height()) / 9, 22.0, 44.0);
}

// From the middle of a mark to where an arrow may begin or end.
qreal markRadius(const ChainParticipant& participant, qreal diameter)
{
    const qreal edge = participant.holds  ? holderHalfSide(diameter)
                       : participant.next ? ringRadius(diameter) + 1 // and half its pen
                                          : diameter / 2;
    return edge + std::min(kGap, diameter / 4);
}

// From one mark's edge to the edge of the other.
CompareArrow between(const CompareDot& from, const CompareDot& to, const ChainMoment& moment, qreal diameter)
{
    const QLineF line(from.centre, to.centre);
    const qreal begin = markRadius(moment.participants[from.participant], diameter);
    const qreal end = markRadius(moment.participants[to.participant], diameter);
    if (line.length() <= begin + end) {
        return {from.centre, to.centre, from.participant};
    }
    const QPointF unit = (to.centre - from.centre) / line.length();
    return {from.centre + unit * begin, to.centre - unit * end, from.participant};
}

// Where the line from outside meets the box.
QPointF edgeOf(const QRectF& box, const QPointF& outside)
{
    const QPointF away = outside - box.center();
    const qreal sideways = std::abs(away.x()) / (box.width() / 2 + kGap);
    const qreal upright = std::abs(away.y()) / (box.height() / 2 + kGap);
    const qreal most = std::max({sideways, upright, 1e-6});
    return box.center() + away / most;
}

CompareChainLayout star(const ChainMoment& moment, const QSizeF& size)
{
    CompareChainLayout layout;
    const QPointF centre(size.width() / 2, size.height() / 2);
    const QSizeF hub(std::clamp(size.width() * 0.15, 70.0, 150.0),
                     std::clamp(size.height() * 0.2, 44.0, 84.0));
    layout.hub =
        QRectF(centre.x() - hub.width() / 2, centre.y() - hub.height() / 2, hub.width(), hub.height());
    std::vector<std::size_t> around;
    for (std::size_t i = 0; i < moment.participants.size(); ++i) {
        if (!moment.participants[i].holds) {
            around.push_back(i);
        }
    }
    const auto count = static_cast<qreal>(std::max<std::size_t>(around.size(), 1));
    const qreal wide = size.width() / 2 - maxDiameter(size);
    const qreal high = size.height() / 2 - maxDiameter(size) / 2 - kGap;
    // Ramanujan's first approximation of the ellipse's length: how much room each has on it.
    const qreal length =
        std::numbers::pi * (3 * (wide + high) - std::sqrt((3 * wide + high) * (wide + 3 * high)));
    layout.diameter = std::clamp(length / count / kSpacing * 1.1, kMinDiameter, maxDiameter(size));
    // Equal steps of the angle would crowd the flat ends: equal steps along the line instead.
    constexpr int kSteps = 2048;
    qreal gone = 0;
    std::size_t next = 0;
    const auto at = [&](int step) {
        const qreal angle = 2 * std::numbers::pi * step / kSteps - std::numbers::pi / 2;
        return centre + QPointF(wide * std::cos(angle), high * std::sin(angle));
    };
    for (int step = 0; step < kSteps && next < around.size(); ++step) {
        while (next < around.size() && gone >= length * static_cast<qreal>(next) / count) {
            layout.dots.push_back({at(step), around[next++]});
        }
        gone += QLineF(at(step), at(step + 1)).length();
    }
    for (; next < around.size(); ++next) {
        layout.dots.push_back({at(kSteps - 1), around[next]});
    }
    for (const CompareDot& dot : layout.dots) {
        if (moment.participants[dot.participant].watches) {
            const QPointF to = edgeOf(layout.hub, dot.centre);
            const QLineF line(dot.centre, to);
            const QPointF step = (to - dot.centre) / std::max(line.length(), 1.0) *
                                 markRadius(moment.participants[dot.participant], layout.diameter);
            layout.arrows.push_back({dot.centre + step, to, dot.participant});
        }
    }
    return layout;
}

struct RowLayout
{
    qreal diameter;
    int perRow;
    int rows;
};

RowLayout layoutRows(std::size_t participants, const QSizeF& size)
{
    RowLayout rows{maxDiameter(size), 1, 1};
    for (;; rows.diameter *= 0.92) {
        rows.perRow = std::max(2, static_cast<int>(size.width() / (rows.diameter * kSpacing)));
        rows.rows = static_cast<int>((participants + static_cast<std::size_t>(rows.perRow) - 1) /
                                     static_cast<std::size_t>(rows.perRow));
        if (rows.rows * rows.diameter * kMinRowSpacing <= size.height() || rows.diameter <= kMinDiameter) {
            return rows;
        }
    }
}

CompareChainLayout chain(const ChainMoment& moment, const QSizeF& size)
{
    CompareChainLayout layout;
    const RowLayout rows = layoutRows(moment.participants.size(), size);
    layout.diameter = rows.diameter;
    // One short row takes the room there is, within reason, and stands in its middle.
    const auto participants = static_cast<int>(moment.participants.size());
    const bool one = participants <= rows.perRow;
    const qreal step =
        one ? std::min(size.width() / std::max(participants, 1), rows.diameter * kMaxRowSpacing)
            : size.width() / rows.perRow;
    const qreal left = one ? (size.width() - step * participants) / 2 : 0;
    const qreal down = std::min(size.height() / std::max(rows.rows, 1), rows.diameter * kMaxRowSpacing);
    const qreal top = (size.height() - down * (rows.rows - 1)) / 2;
    for (std::size_t i = 0; i < moment.participants.size(); ++i) {
        const int row = static_cast<int>(i) / rows.perRow;
        const int column = static_cast<int>(i) % rows.perRow;
        const int place = row % 2 == 0 ? column : rows.perRow - 1 - column;
        layout.dots.push_back({QPointF(left + (place + 0.5) * step, top + row * down), i});
    }
    // Its square is larger than a circle: room for the arrow that leads to it.
    if (rows.diameter < kMinNamedDiameter && !moment.participants.empty() &&
        moment.participants.front().holds) {
        layout.dots.front().centre.rx() -= std::min(rows.diameter, layout.dots.front().centre.x());
    }
    for (std::size_t i = 0; i < moment.participants.size(); ++i) {
        if (const int predecessor = moment.participants[i].predecessor; predecessor >= 0) {
            layout.arrows.push_back(between(
                layout.dots[i], layout.dots[static_cast<std::size_t>(predecessor)], moment, rows.diameter));
        }
    }
    return layout;
}

} // namespace

CompareChainLayout layoutCompareChain(const ChainMoment& moment, const QSizeF& size)
{
    if (size.width() < 1 || size.height() < 1) {
        return {};
    }
    return moment.star ? star(moment, size) : chain(moment, size);
}

} // namespace lockscope::ui
