// What the recipes and the simulator record through: stamps the time, appends, and remembers which event
// deleted a node, so that a watch can name its cause. Engine thread only.
#pragma once

#include "core/trace/store.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace lockscope::trace {

// What is known of the last so many nodes: the oldest ones are forgotten.
class RecentNodes
{
public:
    explicit RecentNodes(std::size_t most) : m_order(most) {}
    void put(LockId lock, std::string_view node, EventIndex event);
    const EventIndex* find(LockId lock, std::string_view node) const; // null when it is not known (any more)

private:
    std::unordered_map<std::string, EventIndex> m_events;
    std::vector<std::string> m_order; // a ring
    std::size_t m_next = 0;
};

class Recorder
{
public:
    // Time zero of the trace is `zero` on the clock that `now` reads. The store must outlive the recorder.
    using Now = MonotonicTime (*)(const void* context);
    explicit Recorder(TraceStore& store); // the monotonic clock; the header gets its time zero here
    Recorder(TraceStore& store, MonotonicTime zero, Now now, const void* context); // a virtual clock

    TraceTime now() const { return m_now(m_context) - m_zero; }
    EventIndex record(ClientId client, LockId lock, Payload what, EventIndex cause = EventIndex::none());
    // Of the run, the server or the observer: no client, no lock.
    EventIndex record(Payload what) { return record(ClientId::none(), LockId::none(), what); }

    // Called for every event, after it was appended; must not record.
    void listen(std::function<void(EventIndex)> listener) { m_listener = std::move(listener); }

    // The event (a delete request, a session's end) that removes `node`; asked for when its watch fires.
    void recordDeletion(LockId lock, std::string_view node, EventIndex by);
    EventIndex deletedBy(LockId lock, std::string_view node) const;

    // A request that changes the children of the lock was sent: what a watch on them is likely to tell about.
    void recordChange(LockId lock, EventIndex by) { m_changes[lock] = by; }
    EventIndex lastChange(LockId lock) const;

    // Nodes that clients of this run made, the last 65,536: tells them from a foreign client's.
    void recordCreation(ClientId client, LockId lock, std::string_view node);
    // The last node that the client made under the lock; empty when it made none.
    std::string lastNodeOf(ClientId client, LockId lock) const;
    bool isOwnNode(LockId lock, std::string_view node) const;
    // What sessions are called in the events; none given: by their ids.
    void setSessionNames(std::shared_ptr<const SessionNames> names) { m_names = std::move(names); }
    SessionId named(SessionId real) const { return m_names ? m_names->of(real) : real; }
    // Sessions of clients of this run, by their real ids: a node may be known by its session before the reply
    // to its create comes.
    void addOwnSession(SessionId session) { m_sessions.insert(session); }
    bool isOwnSession(SessionId session) const { return m_sessions.contains(session); }

    TraceStore& store() { return m_store; }

private:
    TraceStore& m_store;
    MonotonicTime m_zero;
    Now m_now;
    const void* m_context;
    RecentNodes m_deletions;
    RecentNodes m_creations;
    std::shared_ptr<const SessionNames> m_names;
    std::set<SessionId> m_sessions;
    std::map<LockId, EventIndex> m_changes;
    std::map<std::pair<ClientId, LockId>, std::string> m_lastNodes;
    std::function<void(EventIndex)> m_listener;
};

} // namespace lockscope::trace
