// One row of consecutive spans, with summaries of every 16, 256, 4096, ... of them: the cost of a query
// depends on what its picture can show and not on the number of spans. Append-only; private to the timeline.
#pragma once

#include "core/replay/timeline/timeline.h"

#include <array>
#include <vector>

namespace lockscope::replay {

struct StoredSpan
{
    TraceTime begin{};
    TraceTime end = kForever;
    EventIndex beginEvent = EventIndex::none();
    EventIndex endEvent = EventIndex::none();
    LockId lock = LockId::none();
    std::uint16_t depth = 0;
    SpanKind kind = SpanKind::none;
};

class SpanPyramid
{
public:
    // Begins a span. The previous span must be closed and end no later than this one begins.
    void open(const StoredSpan& span);
    void close(TraceTime at, EventIndex by);
    // Raises the depth of the open span.
    void raiseDepth(std::uint16_t depth);

    bool isOpen() const { return !m_spans.empty() && m_spans.back().end == kForever; }
    const StoredSpan& last() const { return m_spans.back(); }
    std::size_t size() const { return m_spans.size(); }
    // The span at this time; null if there is none.
    const StoredSpan* at(TraceTime time) const;

    // Condenses the row to steps that begin at multiples of `resolution`; [begin, end) is widened to whole
    // steps. A span of two steps or more keeps its exact ends. Every step that a shorter span touches becomes
    // one block of the worst kind in it; adjacent blocks of the same kind are joined, and longer spans beside
    // a block are cut at its edge. A span of zero length counts as one nanosecond. Appends to `out`; returns
    // the number of spans and summaries that it examined.
    std::size_t condense(TraceTime begin, TraceTime end, Duration resolution, std::vector<Span>& out) const;

    std::size_t memoryBytes() const;

private:
    static constexpr std::size_t kFanOut = 16;

    struct Summary
    {
        std::uint16_t depth = 0;
        LockId lock = LockId::none();   // none = several locks
        SpanKind kind = SpanKind::none; // the worst
        bool empty = true;
        void add(const Summary& other);
    };
    class Condenser;

    static Summary summaryOf(const StoredSpan& span) { return {span.depth, span.lock, span.kind, false}; }
    Summary summaryOfRange(std::size_t first, std::size_t last, std::size_t& looked) const;

    std::vector<StoredSpan> m_spans;
    std::vector<std::vector<Summary>> m_levels; // m_levels[k][i]: the 16^(k+1) spans from i * 16^(k+1)
};

} // namespace lockscope::replay
