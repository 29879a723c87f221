#include "ui/chain/chain_scene.h"

#include <QPainterPath>

#include <algorithm>

namespace lockscope::ui::chain {

const ChainNode* ChainScene::nodeOf(replay::Text node) const
{
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [node](const ChainNode& box) { return box.node == node; });
    return found == nodes.end() ? nullptr : &*found;
}

const ChainNode* ChainScene::nodeAt(QPointF point, double scrolled) const
{
    if (!queueArea.contains(point))
        return nullptr;
    point += QPointF(0, scrolled);
    const auto found = std::find_if(nodes.begin(), nodes.end(),
                                    [point](const ChainNode& box) { return box.rect.contains(point); });
    return found == nodes.end() ? nullptr : &*found;
}

ClientId ChainScene::cycleAt(QPointF point) const
{
    for (const CycleChip& chip : cycle.chips)
        if (chip.rect.contains(point))
            return chip.client;
    return ClientId::none();
}

const Arrow* ChainScene::markedArrowAt(QPointF point, double scrolled) const
{
    constexpr double kReach = 7;
    if (!queueArea.contains(point))
        return nullptr;
    point += QPointF(0, scrolled);
    const auto near = [point](const Arrow& arrow) {
        if (arrow.mark == WatchMark::none)
            return false;
        QPainterPath path(arrow.begin);
        path.cubicTo(arrow.bend1, arrow.bend2, arrow.end);
        QPainterPathStroker around;
        around.setWidth(2 * kReach);
        return around.createStroke(path).contains(point);
    };
    const auto found = std::find_if(arrows.begin(), arrows.end(), near);
    return found == arrows.end() ? nullptr : &*found;
}

const StaleClient* ChainScene::staleAt(QPointF point) const
{
    const auto found = std::find_if(stale.begin(), stale.end(),
                                    [point](const StaleClient& box) { return box.rect.contains(point); });
    return found == stale.end() ? nullptr : &*found;
}

} // namespace lockscope::ui::chain
