#include "ui/shell/docking/dock_proportions.h"

#include "ui/shell/docking/dock_area.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockscope::ui {

namespace {

constexpr double kRightColumn = 0.275;
constexpr double kClients = 0.228; // of the left part
constexpr double kLog = 0.65;      // of the left part
constexpr double kTop = 0.46, kMiddle = 0.345, kBottom = 0.195;
constexpr double kQueue = 0.25, kAlgorithm = 0.335;

constexpr int kGap = DockArea::kGap;
constexpr int kMinAreaSize = 200;
constexpr int kRounding = 2; // in pixels, which rounding may lose

// Each card counts with the gap after it, so that the shares add up.
QSizeF usableSize(const DockArea& area) { return {area.width() - kGap * 1.0, area.height() - kGap * 1.0}; }

bool isDocked(const DockCard* card) { return !card->isHidden() && !card->isFloating(); }

// QMainWindow moves the cards behind a tab outside the area.
bool isInFront(const DockArea& area, const DockCard* card)
{
    return isDocked(card) && area.rect().intersects(card->geometry());
}

// The rectangle of a place in the default arrangement, as fractions of the area.
QRectF placeRect(DockPlace place)
{
    constexpr double left = 1 - kRightColumn;
    switch (place) {
    case DockPlace::topLeft:
        return {0, 0, left * kClients, kTop};
    case DockPlace::top:
        return {left * kClients, 0, left * (1 - kClients), kTop};
    case DockPlace::middle:
        return {0, kTop, left, kMiddle};
    case DockPlace::bottomLeft:
        return {0, kTop + kMiddle, left * kLog, kBottom};
    case DockPlace::bottom:
        return {left * kLog, kTop + kMiddle, left * (1 - kLog), kBottom};
    case DockPlace::upperRight:
        return {left, 0, kRightColumn, kQueue};
    case DockPlace::right:
        return {left, kQueue, kRightColumn, kAlgorithm};
    case DockPlace::lowerRight:
        return {left, kQueue + kAlgorithm, kRightColumn, 1 - kQueue - kAlgorithm};
    }
    return {};
}

bool same(double a, double b) { return std::abs(a - b) < 1e-6; }

struct Row // cards side by side, of equal height
{
    double top, share;
    int height, readable;
};

// Rows that are too low to be readable take height from the rows that have more than they need.
void redistributeHeights(const std::vector<Row*>& column)
{
    int missing = 0, spare = 0;
    for (const Row* row : column) {
        const int more = row->height - row->readable - kRounding;
        (more < 0 ? missing : spare) += std::abs(more);
    }
    const double given = spare > 0 ? std::min(1.0, double(missing) / spare) : 0;
    const double taken = missing > 0 ? std::min(1.0, double(spare) / missing) : 0;
    for (Row* row : column) {
        const int more = row->height - row->readable - kRounding;
        row->height -= static_cast<int>(more < 0 ? std::floor(more * taken) : std::ceil(more * given));
    }
}

// The row at this place; null: there is none yet.
Row* rowOf(std::vector<Row>& rows, const QRectF& place)
{
    const auto found = std::ranges::find_if(
        rows, [&](const Row& one) { return same(one.top, place.top()) && same(one.share, place.height()); });
    return found == rows.end() ? nullptr : &*found;
}

std::vector<Row> rowsOf(const QList<DockCard*>& cards, const QMap<QString, QRectF>& places, double height)
{
    std::vector<Row> rows;
    for (const DockCard* card : cards) {
        const QRectF place = places[card->name()];
        Row* row = rowOf(rows, place);
        if (!row) {
            const int tall = qRound(place.height() * height) - kGap;
            row = &rows.emplace_back(Row{place.top(), place.height(), tall, 0});
        }
        row->readable = std::max(row->readable, card->readableHeight());
    }
    return rows;
}

} // namespace

DockProportions DockProportions::defaults(const DockArea& area)
{
    DockProportions shares;
    for (const DockCard* card : area.cards()) {
        shares.m_places[card->name()] = placeRect(card->place());
    }
    return shares;
}

DockProportions DockProportions::measure(const DockArea& area)
{
    const QSizeF whole = usableSize(area);
    DockProportions shares;
    for (DockCard* card : area.cards()) {
        if (!isDocked(card)) {
            continue;
        }
        const QDockWidget* front = card;
        for (const QDockWidget* other : area.tabifiedDockWidgets(card)) {
            if (!isInFront(area, card) && area.rect().intersects(other->geometry())) {
                front = other;
            }
        }
        const QRect at = front->geometry();
        shares.m_places[card->name()] = {(at.x() - kGap) / whole.width(), (at.y() - kGap) / whole.height(),
                                         (at.width() + kGap) / whole.width(),
                                         (at.height() + kGap) / whole.height()};
    }
    return shares;
}

DockProportions DockProportions::fromVariant(const QVariantMap& map)
{
    DockProportions shares;
    for (auto each = map.begin(); each != map.end(); ++each) {
        shares.m_places[each.key()] = each.value().toRectF();
    }
    return shares;
}

QVariantMap DockProportions::toVariant() const
{
    QVariantMap map;
    for (auto each = m_places.begin(); each != m_places.end(); ++each) {
        map[each.key()] = each.value();
    }
    return map;
}

bool DockProportions::matches(const DockArea& area) const
{
    const auto known = [this](const DockCard* card) { return m_places.contains(card->name()); };
    return std::ranges::all_of(area.cards(),
                               [&](const DockCard* card) { return isDocked(card) == known(card); });
}

void DockProportions::applyTo(DockArea& area) const
{
    if (area.width() < kMinAreaSize || area.height() < kMinAreaSize) {
        return; // not laid out yet
    }
    QList<DockCard*> cards;
    for (DockCard* card : area.cards()) {
        if (m_places.contains(card->name()) && isInFront(area, card)) {
            cards << card;
        }
    }
    std::vector<Row> rows = rowsOf(cards, m_places, usableSize(area).height());
    QMap<double, std::vector<Row*>> columns; // by their left edges
    for (const DockCard* card : cards) {
        columns[m_places[card->name()].left()].push_back(rowOf(rows, m_places[card->name()]));
    }
    for (const auto& column : columns) {
        if (column.size() > 1) {
            redistributeHeights(column);
        }
    }
    QList<int> widths, heights;
    for (const DockCard* card : cards) {
        const QRectF place = m_places[card->name()];
        widths << std::max(1, qRound(place.width() * usableSize(area).width()) - kGap);
        heights << std::max(1, rowOf(rows, place)->height);
    }
    area.resizeDocks({cards.begin(), cards.end()}, widths, Qt::Horizontal);
    area.resizeDocks({cards.begin(), cards.end()}, heights, Qt::Vertical);
}

} // namespace lockscope::ui
