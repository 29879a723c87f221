#include "core/replay/timeline/span_pyramid.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

namespace {

constexpr TraceTime kTick{1};

// The end of a span for a query: a span of zero length would be invisible.
TraceTime shownEnd(const StoredSpan& span)
{
    return span.end == kForever ? kForever : std::max(span.end, span.begin + kTick);
}

} // namespace

void SpanPyramid::Summary::add(const Summary& other)
{
    if (other.empty)
        return;
    lock = empty || lock == other.lock ? other.lock : LockId::none();
    depth = std::max(depth, other.depth);
    kind = std::max(kind, other.kind);
    empty = false;
}

void SpanPyramid::open(const StoredSpan& span)
{
    std::size_t group = m_spans.size();
    m_spans.push_back(span);
    const Summary summary = summaryOf(span);
    for (std::size_t level = 0; group >= kFanOut || level < m_levels.size(); ++level) {
        group /= kFanOut;
        if (level == m_levels.size()) {
            // A new level: all spans so far are its first group.
            std::size_t looked = 0;
            m_levels.emplace_back(1, summaryOfRange(0, m_spans.size() - 1, looked));
        }
        if (group == m_levels[level].size())
            m_levels[level].emplace_back();
        m_levels[level][group].add(summary);
    }
}

void SpanPyramid::close(TraceTime at, EventIndex by)
{
    m_spans.back().end = at;
    m_spans.back().endEvent = by;
}

void SpanPyramid::raiseDepth(std::uint16_t depth)
{
    StoredSpan& span = m_spans.back();
    span.depth = std::max(span.depth, depth);
    for (std::vector<Summary>& level : m_levels)
        level.back().depth = std::max(level.back().depth, depth);
}

const StoredSpan* SpanPyramid::at(TraceTime time) const
{
    const auto after = std::ranges::upper_bound(m_spans, time, {}, &StoredSpan::begin);
    if (after == m_spans.begin())
        return nullptr;
    const StoredSpan& span = *std::prev(after);
    return time < span.end ? &span : nullptr;
}

SpanPyramid::Summary SpanPyramid::summaryOfRange(std::size_t first, std::size_t last,
                                                 std::size_t& looked) const
{
    Summary sum;
    const auto add = [&](std::size_t level, std::size_t index) {
        sum.add(level == 0 ? summaryOf(m_spans[index]) : m_levels[level - 1][index]);
        ++looked;
    };
    for (std::size_t level = 0; first < last; ++level) {
        while (first < last && (first % kFanOut != 0 || level == m_levels.size()))
            add(level, first++);
        while (first < last && last % kFanOut != 0)
            add(level, --last);
        first /= kFanOut;
        last /= kFanOut;
    }
    return sum;
}

// One query: walks from step to step, and skips steps that are empty or filled by one long span.
class SpanPyramid::Condenser
{
public:
    Condenser(const SpanPyramid& row, Duration resolution, std::vector<Span>& out)
        : m_row(row)
        , m_spans(row.m_spans)
        , m_step(std::max(resolution, kTick))
        , m_out(out)
    {}

    std::size_t run(TraceTime begin, TraceTime end)
    {
        const TraceTime from = stepOf(std::max(begin, m_spans.front().begin));
        const TraceTime to = stepOf(end - kTick) + std::min(m_step, kForever - stepOf(end - kTick));
        std::size_t first = firstEndingAfter(from);
        TraceTime step = from;
        while (first < m_spans.size() && m_spans[first].begin < to) {
            step = std::max(step, stepOf(m_spans[first].begin));
            if (step >= to)
                break;
            const std::size_t next = firstFrom(first, after(step));
            if (touchesShort(first, next))
                addStep(first, next, step);
            else
                passLong(first, next, step);
            // If the last span continues, nothing else happens until the step in which it ends.
            first = shownEnd(m_spans[next - 1]) > after(step) ? next - 1 : next;
            step = after(step);
            if (m_long == first && first < m_spans.size())
                step = std::max(step, stepOf(shownEnd(m_spans[first]) - kTick));
        }
        endBlock();
        if (m_long != kNoSpan)
            endLong(m_spans[m_long].end);
        return m_looked;
    }

private:
    static constexpr std::size_t kNoSpan = ~std::size_t{0};

    TraceTime stepOf(TraceTime time) const
    {
        const Duration rest = time % m_step;
        return time - (rest < Duration::zero() ? rest + m_step : rest);
    }
    TraceTime after(TraceTime step) const { return step > kForever - m_step ? kForever : step + m_step; }
    bool isShort(const StoredSpan& span) const
    {
        return span.end != kForever && shownEnd(span) - span.begin - m_step < m_step;
    }
    bool touchesShort(std::size_t first, std::size_t last) const
    {
        // Of three spans, the middle one lies within the step.
        return last - first > 2 || isShort(m_spans[first]) || isShort(m_spans[last - 1]);
    }

    std::size_t firstEndingAfter(TraceTime time)
    {
        const auto found = std::partition_point(m_spans.begin(), m_spans.end(), [&](const StoredSpan& span) {
            ++m_looked;
            return shownEnd(span) <= time;
        });
        return static_cast<std::size_t>(found - m_spans.begin());
    }

    // The first span at or after index `from` that begins at `time` or later; searches nearby spans first.
    std::size_t firstFrom(std::size_t from, TraceTime time)
    {
        const auto before = [&](const StoredSpan& span) {
            ++m_looked;
            return span.begin < time;
        };
        std::size_t low = from;
        std::size_t reach = 1;
        while (low + reach < m_spans.size() && before(m_spans[low + reach])) {
            low += reach;
            reach *= 2;
        }
        const std::size_t high = std::min(low + reach, m_spans.size());
        const auto found = std::partition_point(m_spans.begin() + std::ptrdiff_t(low),
                                                m_spans.begin() + std::ptrdiff_t(high), before);
        return static_cast<std::size_t>(found - m_spans.begin());
    }

    // Makes the step a block, or extends the previous block by it.
    void addStep(std::size_t first, std::size_t next, TraceTime step)
    {
        const Summary sum = m_row.summaryOfRange(first, next, m_looked);
        if (m_long != kNoSpan)
            endLong(step);
        if (m_blockFirst == kNoSpan || m_blockEnd != step || m_block.kind != sum.kind) {
            endBlock();
            m_blockFirst = first;
            m_blockBegin = step;
        }
        m_block.add(sum);
        m_blockNext = next;
        m_blockEnd = after(step);
        const StoredSpan& last = m_spans[next - 1];
        if (!isShort(last) && shownEnd(last) > m_blockEnd) {
            endBlock();
            beginLong(next - 1, after(step));
        }
    }

    // Passes a step with one or two long spans, which are shown exactly.
    void passLong(std::size_t first, std::size_t next, TraceTime step)
    {
        endBlock();
        for (std::size_t index = first; index < next; ++index) {
            if (m_long == kNoSpan)
                beginLong(index, m_spans[index].begin);
            if (shownEnd(m_spans[index]) <= after(step) || index + 1 < next)
                endLong(m_spans[index].end);
        }
    }

    void beginLong(std::size_t index, TraceTime begin)
    {
        m_long = index;
        m_longBegin = begin;
    }

    void endLong(TraceTime end)
    {
        const StoredSpan& span = m_spans[std::exchange(m_long, kNoSpan)];
        if (m_longBegin < end)
            m_out.push_back(
                {m_longBegin, end, span.kind, span.depth, 1, span.lock, span.beginEvent, span.endEvent});
    }

    void endBlock()
    {
        if (m_blockFirst == kNoSpan)
            return;
        // The spans of a block are adjacent, so their number is the difference of the indexes.
        const auto merged = static_cast<std::uint32_t>(m_blockNext - m_blockFirst);
        m_out.push_back({m_blockBegin, m_blockEnd, m_block.kind, m_block.depth, merged, m_block.lock,
                         m_spans[m_blockFirst].beginEvent, m_spans[m_blockNext - 1].endEvent});
        m_blockFirst = kNoSpan;
        m_block = {};
    }

    const SpanPyramid& m_row;
    const std::vector<StoredSpan>& m_spans;
    const Duration m_step;
    std::vector<Span>& m_out;
    std::size_t m_looked = 0;

    std::size_t m_long = kNoSpan; // the current long span
    TraceTime m_longBegin{};
    std::size_t m_blockFirst = kNoSpan; // the current block: its spans and its time
    std::size_t m_blockNext = 0;
    TraceTime m_blockBegin{};
    TraceTime m_blockEnd{};
    Summary m_block;
};

std::size_t SpanPyramid::condense(TraceTime begin, TraceTime end, Duration resolution,
                                  std::vector<Span>& out) const
{
    if (m_spans.empty() || begin >= end || end <= std::min(TraceTime::zero(), m_spans.front().begin))
        return 0;
    return Condenser(*this, resolution, out).run(begin, end);
}

std::size_t SpanPyramid::memoryBytes() const
{
    std::size_t bytes = m_spans.capacity() * sizeof(StoredSpan) + m_levels.capacity() * sizeof(m_levels[0]);
    for (const std::vector<Summary>& level : m_levels)
        bytes += level.capacity() * sizeof(Summary);
    return bytes;
}

} // namespace lockscope::replay
