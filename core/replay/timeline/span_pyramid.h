// One row of spans that follow each other, with a summary of every 16, 256, 4096, ... of them above: a query
// for a picture costs what the picture can show and not what happened. Append-only; private to the timeline.
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
    // Begins a span where the one before has ended or later; the one before must be closed.
    void open(const StoredSpan& span);
    void close(TraceTime at, EventIndex by);
    // Of the open span.
    void raiseDepth(std::uint16_t depth);

    bool isOpen() const { return !m_spans.empty() && m_spans.back().end == kForever; }
    const StoredSpan& last() const { return m_spans.back(); }
    std::size_t size() const { return m_spans.size(); }
    // The span that covers this moment; null when there is none.
    const StoredSpan* at(TraceTime time) const;

    // The row in steps that begin at multiples of `resolution`; [begin, end) is widened to whole steps. A
    // span of two steps or more keeps its exact ends. Every step that a shorter one touches becomes one block
    // of the worst kind in it, neighbouring blocks of a kind are joined, and the longer spans beside a block
    // are cut at its edge. A span without length counts as one nanosecond. Appends to `out`; returns how many
    // spans and summaries it looked at.
    std::size_t condense(TraceTime begin, TraceTime end, Duration resolution, std::vector<Span>& out) const;

    std::size_t memoryBytes() const;

private:
    static constexpr std::size_t kFanOut = 16;

    struct Summary
    {
        std::uint16_t depth = 0;
        LockId lock = LockId::none();   // none = several
        SpanKind kind = SpanKind::none; // the worst
        bool empty = true;
        void add(const Summary& other);
    };
    class Condenser;

    static Summary summaryOf(const StoredSpan& span) { return {span.depth, span.lock, span.kind, false}; }
    Summary summaryOfRange(std::size_t first, std::size_t last, std::size_t& looked) const;

    std::vector<StoredSpan> m_spans;
    std::vector<std::vector<Summary>> m_levels; // m_levels[k][i]: of the spans from i * 16^(k+1)
};

} // namespace lockscope::replay
