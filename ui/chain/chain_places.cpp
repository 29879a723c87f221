#include "ui/chain/chain_places.h"

#include "ui/canvas/placements.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lockscope::ui::chain {

namespace {

constexpr double kMargin = 18;
constexpr double kBoxHeight = 94; // a title, two lines of text and two of small text
constexpr double kBelowBoxes = 8;
constexpr double kBoxLine = 18;
constexpr double kBoxesFrom = 222;   // lower views have no boxes
constexpr double kHighFrom = 336;    // lower views save space between the nodes and the boxes
constexpr double kNarrowBoxes = 560; // narrower views have one box only
constexpr double kLine = 22;         // lists the clients outside the queue
constexpr double kHighLine = 40;     // has room for a stale client's box

struct BoxSize
{
    Scale scale;
    double narrow, wide, height; // of a box
    double gap, wideGap;         // between the boxes of a row: the room of an arrow
    double rowGap;
};
constexpr BoxSize kFull{Scale::large, 132, 180, 150, 44, 46, 34};
constexpr BoxSize kTall{Scale::compact, 108, 150, 86, 28, 34, 26};
constexpr BoxSize kCompact{Scale::compact, 104, 132, 60, 28, 34, 26};
constexpr BoxSize kCircle{Scale::circles, 30, 30, 30, 14, 20, 20};
constexpr double kCircleRow = 44; // rows of circles spread up to this gap
constexpr double kNumberLine = 16;
constexpr double kCell = 12;
constexpr double kMoreLine = 21, kMoreGap = 3;

std::optional<Places> tryBoxes(const BoxSize& size, std::size_t slotCount, std::size_t count,
                               const ChainAreas& rooms, double unit)
{
    const double width = rooms.queueArea.width() - 2 * kMargin * unit;
    double height = rooms.queueArea.height() - rooms.wakeLane;
    const double gap = size.gap * unit;
    const auto fits =
        static_cast<std::size_t>(std::max(0.0, std::floor((width + gap) / (size.narrow * unit + gap))));
    if (fits == 0)
        return std::nullopt;
    const std::size_t columns = std::min(slotCount, fits);
    const std::size_t rows = (slotCount + columns - 1) / columns;
    const double boxHeight = size.height * unit;
    const double least =
        static_cast<double>(rows) * boxHeight + static_cast<double>(rows - 1) * size.rowGap * unit;
    if (least > height)
        return std::nullopt;
    if (size.scale == Scale::circles)
        height = std::max(least, height - kNumberLine * unit); // of the numbers below the last row

    const auto gaps = static_cast<double>(columns - 1);
    double cardWidth = std::min(size.wide * unit, (width - gaps * gap) / static_cast<double>(columns));
    double usedGap = gap;
    if (columns > 1)
        usedGap =
            std::clamp((width - static_cast<double>(columns) * cardWidth) / gaps, gap, size.wideGap * unit);
    double rowGap = size.rowGap * unit;
    if (rows > 1) {
        const double most = (size.scale == Scale::circles ? kCircleRow : size.rowGap + 14) * unit;
        rowGap = std::min(most, rowGap + (height - least) / static_cast<double>(rows));
    }

    Places places;
    places.scale = size.scale;
    places.leading = count;
    const double used = static_cast<double>(rows) * boxHeight + static_cast<double>(rows - 1) * rowGap;
    // Without spare room, the boxes reach slightly into the lane above: the frame's pen needs room at the
    // lower edge.
    const double down = rooms.wakeLane + std::clamp((height - used) * 0.4 - 2 * unit, -2 * unit, 40 * unit);
    const QPointF origin(rooms.queueArea.left() + kMargin * unit, down);
    places.rects.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        places.rects.push_back(snakeRect(i, columns, {cardWidth, boxHeight}, usedGap, rowGap, origin));
    places.height = rooms.queueArea.height();
    return places;
}

// One row of small boxes, then a cell for each of the others.
Places cells(std::size_t slotCount, std::size_t count, const ChainAreas& rooms, double unit)
{
    const double left = rooms.queueArea.left() + kMargin * unit;
    const double width = std::max(kCell * unit, rooms.queueArea.width() - 2 * kMargin * unit);
    const double gap = kCompact.gap * unit;
    const double narrow = std::min(kCompact.wide * unit, width); // wide enough for most names
    const auto columns =
        std::clamp<std::size_t>(static_cast<std::size_t>((width + gap) / (narrow + gap)), 1, slotCount);
    const double cardWidth = std::min(kCompact.wide * unit, (width - static_cast<double>(columns - 1) * gap) /
                                                                static_cast<double>(columns));
    Places places;
    places.scale = Scale::cells;
    places.leading = std::min(columns, count);
    places.rects.reserve(count);
    for (std::size_t i = 0; i < places.leading; ++i)
        places.rects.push_back({left + static_cast<double>(i) * (cardWidth + gap), rooms.wakeLane, cardWidth,
                                kCompact.height * unit});
    double y = rooms.wakeLane + kCompact.height * unit;
    places.more = {left, y + kMoreGap * unit, width, kMoreLine * unit};
    y += (kMoreLine + kMoreGap) * unit;
    const CellGrid grid({left, y, width, rooms.queueArea.bottom() - y}, slotCount - columns, unit);
    for (std::size_t i = places.leading; i < count; ++i)
        places.rects.push_back(grid.at(i - places.leading));
    const double end = count > places.leading ? places.rects.back().bottom() : y;
    places.height = std::max(rooms.queueArea.height(), end);
    return places;
}

} // namespace

bool isTall(const QRectF& compact, double unit) { return compact.height() > (kCompact.height + 1) * unit; }

ChainAreas areasFor(QSizeF viewport, double unit, bool boxes, int moreLines)
{
    const double margin = kMargin * unit;
    const double width = std::max(1.0, viewport.width() - 2 * margin);
    ChainAreas rooms;
    double bottom = viewport.height() - kBelowBoxes * unit;
    if (boxes && viewport.height() >= kBoxesFrom * unit) {
        const double height = (kBoxHeight + moreLines * kBoxLine) * unit;
        bottom -= height;
        if (viewport.width() >= kNarrowBoxes * unit) {
            const double half = (width - 16 * unit) / 2;
            rooms.explainBox = {margin, bottom, half, height};
            rooms.serverBox = {margin + half + 16 * unit, bottom, half, height};
        } else {
            rooms.explainBox = {margin, bottom, width, height};
        }
        bottom -= 4 * unit;
    }
    const bool low = !boxes || viewport.height() < kHighFrom * unit;
    const double line = (low ? kLine : kHighLine) * unit;
    bottom -= line;
    rooms.outside = {margin, bottom, width, line};
    rooms.stale = low ? rooms.outside : rooms.outside.adjusted(0, 4 * unit, 0, -4 * unit);
    rooms.wakeLane = (viewport.height() >= 370 * unit ? 60 : 38) * unit;
    rooms.queueArea = {0, 0, std::max(1.0, viewport.width()), std::max(1.0, bottom - 4 * unit)};
    return rooms;
}

Places placesFor(std::size_t slotCount, std::size_t count, const ChainAreas& rooms, double unit)
{
    if (count == 0)
        return {};
    slotCount = std::max(slotCount, count);
    for (const BoxSize& size : {kFull, kTall, kCompact, kCircle}) {
        if (auto places = tryBoxes(size, slotCount, count, rooms, unit))
            return *places;
    }
    return cells(slotCount, count, rooms, unit);
}

} // namespace lockscope::ui::chain
