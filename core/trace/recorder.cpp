#include "core/trace/recorder.h"

#include <time.h>

namespace lockscope::trace {

namespace {

// A watch fires within milliseconds of its cause, so remembering the last deletions is enough.
constexpr std::size_t kDeletionsKept = 16384;
constexpr std::size_t kCreationsKept = 65536;

MonotonicTime steadyNow(const void*) { return monotonicNow(); }

std::string nodeKey(LockId lock, std::string_view node)
{
    std::string key;
    key.reserve(node.size() + 8);
    key.append(std::to_string(lock.value)).push_back('/');
    key.append(node);
    return key;
}

} // namespace

Recorder::Recorder(TraceStore& store)
    : Recorder(store, steadyNow(nullptr), &steadyNow, nullptr)
{
    Header header = store.header();
    timespec wall{};
    clock_gettime(CLOCK_REALTIME, &wall);
    header.wallNanoseconds = static_cast<std::int64_t>(wall.tv_sec) * 1'000'000'000 + wall.tv_nsec;
    header.monotonicNanoseconds = m_zero.time_since_epoch().count(); // steady_clock is CLOCK_MONOTONIC here
    store.setHeader(std::move(header));
}

Recorder::Recorder(TraceStore& store, MonotonicTime zero, Now clock, const void* context)
    : m_store(store)
    , m_zero(zero)
    , m_now(clock)
    , m_context(context)
    , m_deletions(kDeletionsKept)
    , m_creations(kCreationsKept)
{}

EventIndex Recorder::record(ClientId client, LockId lock, Payload what, EventIndex cause)
{
    const EventIndex index = m_store.append(Event{now(), cause, client, lock, what});
    if (m_listener)
        m_listener(index);
    return index;
}

EventIndex Recorder::lastChange(LockId lock) const
{
    const auto change = m_changes.find(lock);
    return change == m_changes.end() ? EventIndex::none() : change->second;
}

void Recorder::recordDeletion(LockId lock, std::string_view node, EventIndex by)
{
    m_deletions.put(lock, node, by);
}

EventIndex Recorder::deletedBy(LockId lock, std::string_view node) const
{
    const EventIndex* by = m_deletions.find(lock, node);
    return by ? *by : EventIndex::none();
}

void Recorder::recordCreation(ClientId client, LockId lock, std::string_view node)
{
    m_creations.put(lock, node, EventIndex::none());
    m_lastNodes[{client, lock}] = node;
}

std::string Recorder::lastNodeOf(ClientId client, LockId lock) const
{
    const auto found = m_lastNodes.find({client, lock});
    return found == m_lastNodes.end() ? std::string() : found->second;
}

bool Recorder::isOwnNode(LockId lock, std::string_view node) const
{
    return m_creations.find(lock, node) != nullptr;
}

void RecentNodes::put(LockId lock, std::string_view node, EventIndex event)
{
    std::string key = nodeKey(lock, node);
    if (!m_events.insert_or_assign(key, event).second)
        return; // it is already in the ring
    std::string& slot = m_order[m_next++ % m_order.size()];
    if (!slot.empty())
        m_events.erase(slot);
    slot = std::move(key);
}

const EventIndex* RecentNodes::find(LockId lock, std::string_view node) const
{
    const auto found = m_events.find(nodeKey(lock, node));
    return found == m_events.end() ? nullptr : &found->second;
}

} // namespace lockscope::trace
