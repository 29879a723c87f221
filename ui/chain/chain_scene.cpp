#include "ui/chain/chain_scene.h"

#include <QPainterPath>

#include <algorithm>

namespace lockscope::ui::chain {

namespace {

// Null: no part matches.
template <class Part, class Predicate>
const Part* firstOf(const std::vector<Part>& parts, Predicate is)
{
    const auto found = std::find_if(parts.begin(), parts.end(), is);
    return found == parts.end() ? nullptr : &*found;
}

} // namespace

const ChainNode* ChainScene::nodeOf(replay::Text node) const
{
    return firstOf(nodes, [node](const ChainNode& box) { return box.node == node; });
}

const ChainNode* ChainScene::nodeOf(ClientId client) const
{
    return firstOf(nodes, [client](const ChainNode& box) { return box.place >= 0 && box.owner == client; });
}

const ChainNode* ChainScene::selected() const
{
    return firstOf(nodes, [](const ChainNode& box) { return box.selected; });
}

const ChainNode* ChainScene::nodeAt(QPointF point, double scrolled) const
{
    if (!queueArea.contains(point))
        return nullptr;
    point += QPointF(0, scrolled);
    return firstOf(nodes, [point](const ChainNode& box) { return box.rect.contains(point); });
}

ClientId ChainScene::cycleAt(QPointF point) const
{
    const CycleChip* chip =
        firstOf(cycle.chips, [point](const CycleChip& each) { return each.rect.contains(point); });
    return chip ? chip->client : ClientId::none();
}

const Arrow* ChainScene::markedArrowAt(QPointF point, double scrolled) const
{
    constexpr double kReach = 7;
    if (!queueArea.contains(point))
        return nullptr;
    point += QPointF(0, scrolled);
    return firstOf(arrows, [point](const Arrow& arrow) {
        if (arrow.mark == WatchMark::none)
            return false;
        QPainterPath path(arrow.begin);
        path.cubicTo(arrow.bend1, arrow.bend2, arrow.end);
        QPainterPathStroker around;
        around.setWidth(2 * kReach);
        return around.createStroke(path).contains(point);
    });
}

const StaleClient* ChainScene::staleAt(QPointF point) const
{
    return firstOf(stale, [point](const StaleClient& box) { return box.rect.contains(point); });
}

int ChainScene::hiddenHeight() const
{
    return std::max(0, static_cast<int>(contentHeight - queueArea.height() + 0.5));
}

} // namespace lockscope::ui::chain
