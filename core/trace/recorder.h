// The recipes and the simulator record their events through this class. It adds the time, appends the event,
// and remembers which event deleted a node, so that a fired watch can name its cause. Engine thread only.
#pragma once

#include "core/trace/store.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace lockscope::trace {

// Remembers one event for each of the last `most` nodes; forgets the oldest nodes.
class RecentNodes
{
public:
    explicit RecentNodes(std::size_t most)
        : m_order(most)
    {}
    void put(LockId lock, std::string_view node, EventIndex event);
    const EventIndex* find(LockId lock, std::string_view node) const; // null if unknown or forgotten

private:
    std::unordered_map<std::string, EventIndex> m_events;
    std::vector<std::string> m_order; // a ring
    std::size_t m_next = 0;
};

class Recorder
{
public:
    // The trace begins at `zero` on the clock that `now` reads. The store must outlive the recorder.
    using Now = MonotonicTime (*)(const void* context);
    explicit Recorder(TraceStore& store); // the monotonic clock, from now on; sets time zero in the header
    Recorder(TraceStore& store, MonotonicTime zero, Now now, const void* context); // a virtual clock

    TraceTime now() const { return m_now(m_context) - m_zero; }
    EventIndex record(ClientId client, LockId lock, Payload what, EventIndex cause = EventIndex::none());
    // Records an event of the run, the server or the observer, without a client or a lock.
    EventIndex record(Payload what) { return record(ClientId::none(), LockId::none(), what); }

    // Called for every event after it was appended; must not record an event itself.
    void listen(std::function<void(EventIndex)> listener) { m_listener = std::move(listener); }

    // Remembers the event (a delete request, a session's end) that removes `node`; deletedBy() returns it
    // when a watch on the node fires.
    void recordDeletion(LockId lock, std::string_view node, EventIndex by);
    EventIndex deletedBy(LockId lock, std::string_view node) const;

    // A request that changes the children of the lock was sent: the likely cause of the next watch event on
    // them.
    void recordChange(LockId lock, EventIndex by) { m_changes[lock] = by; }
    EventIndex lastChange(LockId lock) const;

    // Remembers the last 65,536 nodes that clients of this run made, to distinguish them from foreign nodes.
    void recordCreation(ClientId client, LockId lock, std::string_view node);
    // The last node that the client made under the lock; empty if it has made none.
    std::string lastNodeOf(ClientId client, LockId lock) const;
    bool isOwnNode(LockId lock, std::string_view node) const;
    // The names of sessions in the events; without this call, their real ids.
    void setSessionNames(std::shared_ptr<const SessionNames> names) { m_names = std::move(names); }
    SessionId named(SessionId real) const { return m_names ? m_names->of(real) : real; }
    // The real session ids of this run's clients: a node can be recognized by its session before the reply to
    // its create arrives.
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
