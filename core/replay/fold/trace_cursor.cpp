#include "core/replay/fold/trace_cursor.h"

#include <algorithm>

namespace lockscope::replay {

namespace {
// A keyframe may have this many bytes for each event since the previous one; a larger state becomes a
// keyframe only after more events.
constexpr std::size_t kKeyframeBytesPerEvent = 64;
} // namespace

TraceCursor::TraceCursor(std::shared_ptr<const trace::TraceStore> store)
    : m_store(std::move(store))
{}

void TraceCursor::foldOne()
{
    apply(m_end, *m_store, m_folded, m_facts);
    m_series.add(m_facts);
    m_timeline.apply(*m_store, m_folded, m_end, m_facts);
    if (++m_folded % kKeyframeEvents != 0)
        return;
    const std::size_t last = m_keyframes.empty() ? 0 : m_keyframes.rbegin()->first;
    const std::size_t bytes = replay::memoryBytes(m_end);
    if (bytes > (m_folded - last) * kKeyframeBytesPerEvent)
        return;
    m_keyframes.emplace(m_folded, m_end);
    m_keyframeBytes += bytes;
}

void TraceCursor::fold(std::size_t count)
{
    count = std::min(count, m_store->count());
    if (count <= m_folded)
        return;
    if (m_position == m_folded) { // the end moves on without the cursor
        m_past = m_end;
        m_pastPosition = m_position;
    }
    while (m_folded < count)
        foldOne();
}

void TraceCursor::seek(std::size_t count)
{
    count = std::min(count, m_store->count());
    while (m_folded < count)
        foldOne();
    m_position = count;
    if (count == m_folded)
        return;
    const auto after = m_keyframes.upper_bound(count);
    const bool hasKeyframe = after != m_keyframes.begin();
    const std::size_t from = hasKeyframe ? std::prev(after)->first : 0;
    if (count < m_pastPosition || from > m_pastPosition) {
        m_past = hasKeyframe ? std::prev(after)->second : RunState{};
        m_pastPosition = from;
    }
    for (Facts unused; m_pastPosition < count; ++m_pastPosition)
        apply(m_past, *m_store, m_pastPosition, unused);
}

std::size_t TraceCursor::memoryBytes() const
{
    return replay::memoryBytes(m_end) + (m_pastPosition > 0 ? replay::memoryBytes(m_past) : 0) +
           m_keyframeBytes + m_series.memoryBytes();
}

std::size_t TraceCursor::countAt(TraceTime time) const
{
    std::size_t low = 0;
    std::size_t high = m_store->count();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (m_store->at(middle).at <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace lockscope::replay
