#include "core/history/trace_events.h"

#include <algorithm>

namespace lockscope::history {

namespace {

constexpr std::size_t kMaxLocks = 65'000; // a LockId has 16 bits

} // namespace

void TraceEvents::append(LockId lock, trace::Payload what)
{
    m_store.append({m_now, EventIndex::none(), ClientId::none(), lock, std::move(what)});
}

void TraceEvents::begin(std::int64_t timeMs)
{
    m_begun = true;
    m_zeroMs = timeMs;
    trace::Header header;
    header.scenario = "history";
    header.title = "From ZooKeeper's transaction log";
    header.wallNanoseconds = timeMs * 1'000'000;
    m_store.setHeader(std::move(header));
    append(LockId::none(), trace::RunState{trace::RunPhase::running, {}});
}

// The leader's clock may go back; the trace's time stands still then.
void TraceEvents::moveTo(std::int64_t timeMs)
{
    if (!m_begun)
        begin(timeMs);
    m_now = std::max(m_now, TraceTime(std::chrono::milliseconds(timeMs - m_zeroMs)));
}

TraceEvents::Lock* TraceEvents::lockOf(const LockEvent& event)
{
    if (const auto known = m_locks.find(event.lock); known != m_locks.end())
        return &known->second;
    if (m_locks.size() >= kMaxLocks) {
        m_whole = false;
        return nullptr;
    }
    const LockId id{static_cast<LockId::Value>(m_locks.size())};
    const LockNode& node = event.node;
    append(id, trace::LockAdded{node.parent, trace::kWatchedRecipe, {}});
    if (!node.beforeLog)
        append(id, trace::Observed{0}); // what comes now was not there before
    return &m_locks.emplace(event.lock, Lock{id}).first->second;
}

// All that one transaction changes was seen together.
void TraceEvents::endTransaction()
{
    for (const std::uint32_t queue : m_changed)
        append(m_locks.at(queue).id, trace::Observed{m_locks.at(queue).nodes});
    m_changed.clear();
    m_gone = SessionId::none();
}

void TraceEvents::add(const LockEvent& event)
{
    if (event.kind == LockEvent::Kind::entitled)
        return; // who is first follows from the queue
    if (event.zxid != m_zxid)
        endTransaction();
    m_zxid = event.zxid;
    moveTo(event.timeMs);
    Lock* lock = lockOf(event);
    if (!lock)
        return;
    if (std::find(m_changed.begin(), m_changed.end(), event.lock) == m_changed.end())
        m_changed.push_back(event.lock);
    const LockNode& node = event.node;
    if (event.kind == LockEvent::Kind::queued) {
        ++lock->nodes;
        return append(lock->id, trace::NodeSeen{node.name, node.session, node.created, true});
    }
    const bool withSession = event.reason == EndReason::sessionClosed || event.reason == EndReason::sessionExpired;
    if (withSession && m_gone != event.by) {
        m_gone = event.by;
        append(LockId::none(), trace::SessionGone{event.by});
    }
    --lock->nodes;
    append(lock->id, trace::NodeVanished{node.name});
}

void TraceEvents::finish(std::int64_t timeMs)
{
    endTransaction();
    moveTo(timeMs);
    append(LockId::none(), trace::RunState{trace::RunPhase::finished, {}});
}

} // namespace lockscope::history
