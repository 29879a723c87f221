#include "ui/chain/chain_star_places.h"

#include "ui/canvas/placements.h"

#include <algorithm>
#include <optional>

namespace lockscope::ui::chain {

namespace {

constexpr double kStarCircle = 30, kFineCircle = 8, kMinCircle = 4, kStarMargin = 26, kTop = 30;
constexpr QSizeF kMiddle(138, 60), kSmallBox(124, 60);
constexpr double kStripMargin = 18, kLegend = 24;
constexpr double kInner = 0.76, kPart = 0.62;  // inner ellipse by outer; circle by pitch
constexpr double kBetween = 5;                 // least room between two boxes
constexpr double kClear = 24, kLowWidth = 640; // above and below the box, for arrows; in a low view beside it
constexpr double kLabel = 13, kLabelGap = 2;   // beside a circle
constexpr double kFlat = 4;                    // the power of a low ellipse: its ends are nearly vertical

QRectF areaOf(const ChainQuery& query, const ChainAreas& rooms)
{
    const double unit = query.unit;
    return rooms.queueArea.adjusted(kStarMargin * unit, kTop * unit, -kStarMargin * unit, -4 * unit);
}

std::optional<StarPlaces> smallBoxes(const ChainQuery& query, const ChainAreas& rooms, std::size_t count)
{
    const QRectF area = areaOf(query, rooms);
    const QSizeF size = kSmallBox * query.unit;
    const EllipseWalk round((std::min(area.width(), area.height() * 3.2) - size.width()) / 2,
                            (area.height() - size.height()) / 2, 2.6);
    StarPlaces places;
    places.scale = Scale::compact;
    places.middle = around(area.center(), kMiddle * query.unit);
    const double gap = kBetween * query.unit;
    for (std::size_t i = 0; i < count; ++i) {
        const double way = round.length() * static_cast<double>(i) / static_cast<double>(count);
        const QRectF rect = around(area.center() + round.along(way), size);
        const QRectF wide = rect.adjusted(-gap, -gap, gap, gap);
        const bool taken = wide.adjusted(-gap, -gap, gap, gap).intersects(places.middle) ||
                           std::any_of(places.rects.begin(), places.rects.end(),
                                       [&](const QRectF& other) { return wide.intersects(other); });
        if (taken || !area.adjusted(-1, -1, 1, 1).contains(rect))
            return std::nullopt;
        places.rects.push_back(rect);
    }
    places.height = rooms.queueArea.height();
    return places;
}

// Circles that do not fit on one ellipse alternate between two; a low view has room for one ellipse only.
// `labelled`: only if each has room for a label.
std::optional<StarPlaces> circles(const ChainQuery& query, const ChainAreas& rooms, std::size_t count,
                                  bool labelled)
{
    const double unit = query.unit;
    const double outer = labelled ? kLabel * unit : 0;
    const QRectF area = areaOf(query, rooms).adjusted(0, outer, 0, -outer);
    const double clear = (area.height() - kMiddle.height() * unit) / 2 - kStarCircle * unit;
    const bool low = clear < kClear * unit;
    const auto walk = [&](double width) {
        const double beside = ((kMiddle.width() + kStarCircle) / 2 + kClear) * unit;
        return EllipseWalk((width - kStarCircle * unit) / 2, (area.height() - kStarCircle * unit) / 2,
                           low ? kFlat : 2, low ? beside : 0);
    };
    const auto pitchOf = [count](const EllipseWalk& one) {
        return one.length() / static_cast<double>(std::max<std::size_t>(1, count));
    };
    // As round as possible, but wider if that makes the circles larger, or in a low view, to clear the box.
    EllipseWalk round =
        walk(std::min(std::max(area.height() * 1.9, low ? kLowWidth * unit : 0), area.width()));
    if (pitchOf(round) * kPart < kStarCircle * unit)
        round = walk(area.width());
    const double pitch = pitchOf(round);
    const bool two = !low && pitch * kPart < kFineCircle * 1.5 * unit;
    const double size = std::min(kStarCircle * unit, pitch * kPart * (two ? 2 * kInner : 1));
    if (size < (labelled ? kStarCircle : kMinCircle) * unit)
        return std::nullopt;
    StarPlaces places;
    places.scale = Scale::circles;
    places.middle = around(area.center(), kMiddle * unit);
    for (std::size_t i = 0; i < count; ++i) {
        const double turn = low ? 0.5 : 0; // so that the first circle, too, is beside the box
        const QPointF out = round.along(pitch * (static_cast<double>(i) + turn));
        places.rects.push_back(
            around(area.center() + out * (two && i % 2 == 1 ? kInner : 1.0), {size, size}));
        const QRectF& circle = places.rects.back();
        const bool above = circle.center().y() < area.center().y() - 1;
        const double wide = std::min(pitch, size + 2 * kStarMargin * unit);
        if (labelled)
            places.labels.emplace_back(circle.center().x() - wide / 2,
                                       above ? circle.top() - (kLabel + kLabelGap) * unit
                                             : circle.bottom() + kLabelGap * unit,
                                       wide, kLabel * unit);
    }
    places.height = rooms.queueArea.height();
    return places;
}

StarPlaces strip(const ChainQuery& query, const ChainAreas& rooms, std::size_t count)
{
    const double unit = query.unit;
    const QRectF area = rooms.queueArea.adjusted(kStripMargin * unit, kTop * unit, -kStripMargin * unit, 0);
    StarPlaces places;
    places.scale = Scale::cells;
    places.middle =
        QRectF(QPointF(area.center().x() - kMiddle.width() * unit / 2, area.top()), kMiddle * unit);
    places.legend = {area.left(), places.middle.bottom() + 26 * unit, area.width(), kLegend * unit};
    const double top = places.legend.bottom() + 4 * unit;
    CellGrid grid({area.left(), top, area.width(), rooms.queueArea.bottom() - top}, count, unit);
    // Full rows are centered under the box.
    const int used = static_cast<int>(std::min(grid.perRow, count)) * grid.pitch - (grid.pitch - grid.side);
    grid.origin.setX(static_cast<int>(area.center().x()) - used / 2);
    for (std::size_t i = 0; i < count; ++i)
        places.rects.push_back(grid.at(i));
    places.height = std::max(rooms.queueArea.height(), places.rects.back().bottom());
    return places;
}

} // namespace

StarPlaces starPlaces(const ChainQuery& query, const ChainAreas& rooms, std::size_t count, bool boxes)
{
    if (boxes)
        if (auto places = smallBoxes(query, rooms, count))
            return *places;
    for (const bool labelled : {!boxes, false})
        if (auto places = circles(query, rooms, count, labelled))
            return *places;
    return strip(query, rooms, count);
}

} // namespace lockscope::ui::chain
