// Lets the cards of a short queue slide to their new places when those in front leave. Arithmetic over scenes
// and a time that the caller gives. GUI thread.
#pragma once

#include "ui/chain/chain_scene.h"

#include <QPointF>

#include <unordered_map>

namespace lockscope::ui::chain {

class ChainSlide
{
public:
    static constexpr qint64 kLengthMs = 160;
    static constexpr std::size_t kMaxCards = 24;
    // Handoffs that come faster than this are shown without sliding: the picture would never rest.
    static constexpr qint64 kRestMs = 320;

    // Compares the scene drawn before with the next one and starts sliding when cards moved.
    void begin(const ChainScene& before, const ChainScene& next, qint64 nowMs);
    void stop() { m_offsets.clear(); }
    bool running(qint64 nowMs) const { return !m_offsets.empty() && nowMs - m_startedMs < kLengthMs; }
    // Moves the cards of a scene to where they are at this moment; false when nothing moves.
    bool apply(ChainScene& scene, qint64 nowMs) const;

private:
    std::unordered_map<std::uint32_t, QPointF> m_offsets; // by the event that created the node
    qint64 m_startedMs = -kRestMs;
};

} // namespace lockscope::ui::chain
