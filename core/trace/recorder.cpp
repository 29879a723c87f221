#include "core/trace/recorder.h"

#include <time.h>

namespace lockscope::trace {

namespace {

// Deletions remembered: a watch fires within milliseconds of its cause, so the last ones are enough.
constexpr std::size_t kDeletionsKept = 16384;

MonotonicTime steadyNow(const void*) { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }

std::string deletionKey(LockId lock, std::string_view node)
{
    std::string key;
    key.reserve(node.size() + 8);
    key.append(std::to_string(lock.value)).push_back('/');
    key.append(node);
    return key;
}

} // namespace

Recorder::Recorder(TraceStore& store) : Recorder(store, steadyNow(nullptr), &steadyNow, nullptr)
{
    Header header = store.header();
    timespec wall{};
    clock_gettime(CLOCK_REALTIME, &wall);
    header.wallNanoseconds = static_cast<std::int64_t>(wall.tv_sec) * 1'000'000'000 + wall.tv_nsec;
    header.monotonicNanoseconds = m_zero.time_since_epoch().count(); // steady_clock is CLOCK_MONOTONIC here
    store.setHeader(std::move(header));
}

Recorder::Recorder(TraceStore& store, MonotonicTime zero, Now now, const void* context)
    : m_store(store), m_zero(zero), m_now(now), m_context(context), m_deletionOrder(kDeletionsKept)
{
}

EventIndex Recorder::record(ClientId client, LockId lock, Payload what, EventIndex cause)
{
    return m_store.append(Event{now(), cause, client, lock, what});
}

void Recorder::noteDeletion(LockId lock, std::string_view node, EventIndex by)
{
    std::string key = deletionKey(lock, node);
    std::string& slot = m_deletionOrder[m_deletionNext++ % kDeletionsKept];
    if (!slot.empty())
        m_deletions.erase(slot);
    slot = key;
    m_deletions.insert_or_assign(std::move(key), by);
}

EventIndex Recorder::deletedBy(LockId lock, std::string_view node) const
{
    const auto found = m_deletions.find(deletionKey(lock, node));
    return found == m_deletions.end() ? EventIndex::none() : found->second;
}

} // namespace lockscope::trace
