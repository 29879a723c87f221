#include "ui/welcome/adjacent_card.h"

#include <Qt>

#include <cstdlib>

namespace lockscope::ui {

namespace {

std::optional<std::size_t> nearest(const std::vector<QRect>& places, const QRect& here, bool above)
{
    std::optional<std::size_t> next;
    int shortest = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QRect& there = places[i];
        const int rows = above ? here.top() - there.top() : there.top() - here.top();
        const int distance = rows * 4 + std::abs(there.center().x() - here.center().x());
        if (rows > 0 && (!next || distance < shortest)) {
            next = i;
            shortest = distance;
        }
    }
    return next;
}

} // namespace

std::optional<std::size_t> adjacentCard(const std::vector<QRect>& places, std::size_t from, int key)
{
    if (key == Qt::Key_Left) {
        return from > 0 ? std::optional(from - 1) : std::nullopt;
    }
    if (key == Qt::Key_Right) {
        return from + 1 < places.size() ? std::optional(from + 1) : std::nullopt;
    }
    return nearest(places, places[from], key == Qt::Key_Up);
}

} // namespace lockscope::ui
