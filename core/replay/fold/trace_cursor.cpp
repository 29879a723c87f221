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

void TraceCursor::step()
{
    const Increment added = apply(m_state, *m_store, m_position);
    if (++m_position > m_passed) {
        m_series.add(added);
        m_passed = m_position;
    }
    if (m_position % kKeyframeEvents != 0)
        return;
    const std::size_t last = m_keyframes.empty() ? 0 : m_keyframes.rbegin()->first;
    if (m_position <= last)
        return;
    const std::size_t bytes = replay::memoryBytes(m_state);
    if (bytes > (m_position - last) * kKeyframeBytesPerEvent)
        return;
    m_keyframes.emplace(m_position, m_state);
    m_keyframeBytes += bytes;
}

void TraceCursor::seek(std::size_t count)
{
    count = std::min(count, m_store->count());
    auto after = m_keyframes.upper_bound(count);
    const bool hasKeyframe = after != m_keyframes.begin();
    const std::size_t from = hasKeyframe ? std::prev(after)->first : 0;
    if (count < m_position || from > m_position) {
        if (hasKeyframe)
            m_state = std::prev(after)->second;
        else
            m_state = RunState{};
        m_position = from;
    }
    while (m_position < count)
        step();
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
