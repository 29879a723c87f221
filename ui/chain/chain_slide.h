// Slides the nodes of a short queue to their new places when nodes in front leave. The caller passes the
// scenes and the time. GUI thread.
#pragma once

#include "ui/chain/chain_scene.h"

#include <QPointF>

#include <unordered_map>

namespace lockscope::ui::chain {

class ChainSlide
{
public:
    static constexpr qint64 kLengthMs = 160;
    static constexpr std::size_t kMaxBoxes = 24;
    // Faster handoffs are shown without sliding: the picture would never rest.
    static constexpr qint64 kRestMs = 320;

    // Compares the scene drawn last with the next one and starts sliding when nodes moved by one place. If a
    // frame skipped several handoffs, the nodes appear at their places at once.
    void begin(const ChainScene& before, const ChainScene& next, qint64 nowMs);
    void stop() { m_offsets.clear(); }
    bool running(qint64 nowMs) const { return !m_offsets.empty() && nowMs - m_startedMs < kLengthMs; }
    // Moves the nodes of a scene to their places at this time. Returns false when nothing moves.
    bool apply(ChainScene& scene, qint64 nowMs) const;

private:
    std::unordered_map<std::uint32_t, QPointF> m_offsets; // by the event that created the node
    qint64 m_startedMs = -kRestMs;
};

} // namespace lockscope::ui::chain
