#include "ui/chain/chain_slide.h"

#include <algorithm>

namespace lockscope::ui::chain {

void ChainSlide::begin(const ChainScene& before, const ChainScene& next, qint64 nowMs)
{
    const bool same = before.scale == next.scale && before.queueArea == next.queueArea;
    const bool few = next.nodes.size() <= kMaxBoxes && before.nodes.size() <= kMaxBoxes + 1;
    if (!same || !few) {
        m_offsets.clear();
        return;
    }
    std::unordered_map<std::uint32_t, QPointF> moved;
    QPointF last; // the offset of the previous node: a new node slides in behind it, not over it
    for (const ChainNode& box : next.nodes) {
        if (!box.key.valid())
            continue;
        const auto old = std::find_if(before.nodes.begin(), before.nodes.end(),
                                      [&](const ChainNode& each) { return each.key == box.key; });
        if (old != before.nodes.end()) {
            // By several places, the holder would come from outside the view, or across other cards.
            if (old - before.nodes.begin() > &box - next.nodes.data() + 1) {
                m_offsets.clear();
                return;
            }
            last = old->rect.topLeft() - box.rect.topLeft();
        }
        if (!last.isNull())
            moved.emplace(box.key.value, last);
    }
    if (moved.empty())
        return; // the current slide continues
    const bool rested = nowMs - m_startedMs >= kRestMs;
    m_startedMs = nowMs;
    if (rested)
        m_offsets = std::move(moved);
    else
        m_offsets.clear();
}

bool ChainSlide::apply(ChainScene& scene, qint64 nowMs) const
{
    if (!running(nowMs))
        return false;
    const double part = static_cast<double>(nowMs - m_startedMs) / static_cast<double>(kLengthMs);
    const double left = (1 - part) * (1 - part); // decelerates
    for (ChainNode& box : scene.nodes) {
        const auto found = m_offsets.find(box.key.value);
        if (box.key.valid() && found != m_offsets.end())
            box.rect.translate(found->second * left);
    }
    return true;
}

} // namespace lockscope::ui::chain
