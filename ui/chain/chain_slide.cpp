#include "ui/chain/chain_slide.h"

#include <algorithm>

namespace lockscope::ui::chain {

void ChainSlide::begin(const ChainScene& before, const ChainScene& next, qint64 nowMs)
{
    const bool same = before.scale == next.scale && before.queueArea == next.queueArea;
    const bool few = next.cards.size() <= kMaxCards && before.cards.size() <= kMaxCards + 1;
    if (!same || !few) {
        m_offsets.clear();
        return;
    }
    std::unordered_map<std::uint32_t, QPointF> moved;
    QPointF last; // how far the card before it slides: one that joins comes in behind it, not over it
    for (const ChainNode& card : next.cards) {
        if (!card.key.valid())
            continue;
        const auto old = std::find_if(before.cards.begin(), before.cards.end(),
                                      [&](const ChainNode& each) { return each.key == card.key; });
        if (old != before.cards.end())
            last = old->rect.topLeft() - card.rect.topLeft();
        if (!last.isNull())
            moved.emplace(card.key.value, last);
    }
    if (moved.empty())
        return; // what slides goes on sliding
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
    const double left = (1 - part) * (1 - part); // fast at first, soft at the end
    for (ChainNode& card : scene.cards) {
        const auto found = m_offsets.find(card.key.value);
        if (card.key.valid() && found != m_offsets.end())
            card.rect.translate(found->second * left);
    }
    return true;
}

} // namespace lockscope::ui::chain
