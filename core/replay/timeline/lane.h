// One client's lane: the rows of spans that follow from what the client does. If it does several things at
// once, each row shows the worst. Append-only; private to the timeline.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/replay/timeline/span_pyramid.h"

#include <array>
#include <vector>

namespace lockscope::replay {

class Lane
{
public:
    // Deeper levels of reentrancy are drawn as this level.
    static constexpr std::uint16_t kMaxDepth = 16;

    // Brings the rows up to date with the client after this event.
    void update(const ClientRow& client, TraceTime at, EventIndex by);

    // What it does now.
    bool holds() const { return m_holds; }
    bool waits() const { return m_waits; }
    bool isStale() const
    {
        const SpanPyramid& overlays = row(LaneRow::overlays);
        return overlays.isOpen() && overlays.last().kind == SpanKind::stale;
    }

    const SpanPyramid& row(LaneRow row) const { return m_rows[static_cast<std::size_t>(row)]; }
    const std::vector<SpanPyramid>& depths() const { return m_depths; } // [0] = depth 2

    std::size_t memoryBytes() const;

private:
    bool m_holds = false;
    bool m_waits = false;
    std::array<SpanPyramid, kLaneRows> m_rows;
    std::vector<SpanPyramid> m_depths;
};

} // namespace lockscope::replay
