// Clients set watches, fall asleep on them and are woken.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/state/overtaking.h"

#include <algorithm>
#include <variant>

namespace lockscope::replay {

using node_queue::kNotFound;
using trace::Outcome;
using trace::WatchKind;

void Fold::watch(Text name)
{
    if (!m_lock || !m_client || name.empty())
        return;
    ClientRow& row = *m_client;
    if (row.watches == name)
        unlink(row); // the same watch was requested again
    else
        unwatch(row, row);
    row.watches = name;
    row.watchBy = m_index;
    row.wokenBy = EventIndex::none();
    if (NodeRow* own = nodeOf(row))
        own->watches = name;
    const std::size_t place = addNode(*m_lock, name); // the server answered with it: it exists
    if (place == kNotFound) {
        const DeletedNode* gone = deletedNode(m_lock->id, name);
        row.watchGoneBy = gone ? gone->by : m_index;
        return;
    }
    NodeRow& node = m_lock->queue[place];
    row.linked = true;
    row.watchLock = m_lock->id;
    row.nextWatcher = node.firstWatcher;
    if (LockUse* next = find(node.firstWatcher))
        next->previousWatcher = refOf(row, row);
    node.firstWatcher = refOf(row, row);
}

void Fold::unlink(LockUse& one)
{
    one.watchGoneBy = EventIndex::none();
    one.watchesList = false;
    if (!one.linked)
        return;
    if (LockUse* previous = find(one.previousWatcher)) {
        previous->nextWatcher = one.nextWatcher;
    } else {
        LockRow& lock = m_state.locks[one.watchLock.value];
        const std::size_t place = node_queue::find(lock, one.watches);
        if (place != kNotFound)
            lock.queue[place].firstWatcher = one.nextWatcher;
    }
    if (LockUse* next = find(one.nextWatcher))
        next->previousWatcher = one.previousWatcher;
    one.linked = false;
    one.nextWatcher = one.previousWatcher = {};
}

void Fold::unwatch(const ClientRow& row, LockUse& one)
{
    unlink(one);
    removeBelievedWatch(row, one.lock, one.watches);
    one.watches = {};
    one.watchBy = EventIndex::none();
    if (NodeRow* own = nodeOf(one))
        own->watches = {};
}

// The client reads the list again unprompted, and so learns what its watch would have reported.
void Fold::noticeDeletedWatch()
{
    if (m_client->watchGoneBy.valid())
        m_checker.wakeUpNoticed();
    m_client->watchGoneBy = EventIndex::none();
}

// A watch on the client's own node is not a wait. A watch on its node of the other side of a read/write lock
// is a wait if its list had that node in front: a reader that wants to write waits for itself.
bool Fold::waitsFor(Text node) const
{
    if (node == m_client->node)
        return false;
    return !m_lock || m_client->ahead == node || !m_client->lockUse(m_lock->id, node);
}

void Fold::dataRead(const trace::Reply& e)
{
    const trace::Request* request = causingRequest();
    const Text name = e.node.empty() && request ? request->node : e.node;
    if (m_client && request && request->watch && e.op == Operation::exists &&
        (e.outcome == Outcome::ok || e.outcome == Outcome::noNode))
        m_checker.existsWatched(m_client->id, name, e.outcome == Outcome::ok, m_event.cause);
    if (!m_client || (request && !request->watch))
        return;
    if (e.outcome == Outcome::noNode) {
        if (m_lock)
            removeNode(*m_lock, name, m_event.cause);
        if (m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining)
            m_client->step = Step::list;
        return;
    }
    const bool asleep = m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining;
    if (e.outcome != Outcome::ok || !waitsFor(name) || !asleep)
        return;
    watch(name);
    fallAsleep();
    m_checker.waitBegan(m_client->id, *m_client);
}

void Fold::fallAsleep()
{
    m_client->step = Step::sleep;
    setPhase(*m_client, ClientPhase::waiting);
    if (m_lockBook)
        overtaking::asleep(*m_lockBook, m_client->acquireCalled, m_index);
    if (NodeRow* own = nodeOf(*m_client); own && own->phase == NodePhase::joining)
        own->phase = NodePhase::waits;
}

// If the list was read with a watch and does not grant the lock, any change of the list wakes the client.
bool Fold::fallAsleepOnList(const trace::Decided& e)
{
    if (!m_client->listWatchBy.valid() || e.position == 0 || !m_client->waits())
        return false;
    unwatch(*m_client, *m_client);
    m_client->watchesList = true;
    m_client->watchBy = m_index;
    fallAsleep();
    if (isLease(*m_lock, e.node)) // all leases of the acquire wait
        for (NodeRow& node : m_lock->queue)
            if (node.owner == m_client->id && node.phase == NodePhase::joining)
                node.phase = NodePhase::waits;
    return true;
}

void Fold::operator()(const trace::WatchFired& e)
{
    const bool went = e.kind == WatchKind::deleted;
    const bool list = e.kind == WatchKind::childrenChanged;
    if (m_lock && went)
        removeNode(*m_lock, e.node, m_event.cause);
    if (!m_client || !m_lock)
        return;
    if (!list)
        removeBelievedWatch(*m_client, m_lock->id, e.node);
    LockUse* waiter = nullptr;
    forEach(*m_client, [&](LockUse& one) {
        const bool meant = list ? one.waits() && (!waiter || one.watchesList) : one.watches == e.node;
        if (meant && (one.lock == m_lock->id || !one.lock.valid()))
            waiter = &one;
    });
    if (!waiter)
        return;
    selectUse(*waiter);
    const bool own = !e.node.empty() && e.node == m_client->node;
    if (own || (m_client->phase != ClientPhase::waiting && m_client->phase != ClientPhase::joining))
        return;
    const std::uint32_t woken = countWoken(e.node, e.kind);
    const DeletedNode* gone = went ? deletedNodeOfWatch(m_lock->id, e.node) : nullptr;
    WakeUp& wake = m_lock->lastWakeUp;
    wake = WakeUp{m_index, m_event.at, e.node, ClientId::none(), m_client->id, woken};
    if (gone) {
        wake.from = gone->owner;
    } else if (const std::size_t place = node_queue::find(*m_lock, e.node); place != kNotFound) {
        wake.from = m_lock->queue[place].owner;
    }
    if (went || list) {
        wakeByDeletion(e, woken);
    } else {
        m_client->step = Step::watch; // the client reads the node again
        // Its only watch fired for the change. If the node was already deleted, the deletion was not watched.
        if (DeletedNode* late = deletedNode(m_lock->id, e.node); late && late->watched && late->woken == 0) {
            late->watched = false;
            countDeleted(-1, late->by);
        }
    }
    unwatch(*m_client, *m_client);
    m_client->wokenBy = m_index;
}

void Fold::wakeByDeletion(const trace::WatchFired& e, std::uint32_t woken)
{
    const bool went = e.kind == WatchKind::deleted;
    ++m_state.statistics.wakeUps;
    ++m_facts.wakeUps;
    ++m_client->tally.wakeUps;
    m_client->tally.lastWakeUp = m_index;
    // A writer that leaves lets in the readers behind it: they all watch its node and are not a herd.
    DeletedNode* gone = went ? deletedNodeOfWatch(m_lock->id, e.node) : nullptr;
    const bool reads = gone && node_queue::isReader(m_client->node);
    if (reads)
        ++gone->readersWoken;
    const std::uint32_t alone = gone ? woken - std::min(woken, gone->readersWoken) : woken;
    const EventIndex cause = gone ? gone->by : m_event.cause;
    m_facts.wentAt = timeOf(cause);
    m_checker.woken(e.node, woken, reads ? 1 : alone, m_client->id, cause);
    if (m_client->watchGoneBy.valid())
        m_checker.wakeUpNoticed();
    m_client->step = Step::list;
}

// Counts at the time of the deletion, because the woken clients may learn of it later.
void Fold::countDeleted(int by, EventIndex cause)
{
    m_state.statistics.watchedGone += static_cast<std::uint64_t>(by);
    m_facts.watchedGone += by;
    m_facts.wentAt = timeOf(cause);
}

TraceTime Fold::timeOf(EventIndex event) const
{
    return event.valid() && event < m_index ? m_store.at(event).at : m_event.at;
}

// How many clients the same change has woken so far, this one included.
std::uint32_t Fold::countWoken(Text node, trace::WatchKind kind)
{
    if (kind == trace::WatchKind::deleted) {
        DeletedNode* gone = deletedNodeOfWatch(m_lock->id, node);
        if (!gone)
            gone = &rememberDeleted(m_lock->id, node, ClientId::none(), false);
        if (!gone->watched) {
            gone->watched = true;
            countDeleted(1, gone->by);
        }
        if (gone->firstWoken != m_client->id)
            ++gone->woken;
        if (!gone->firstWoken.valid())
            gone->firstWoken = m_client->id;
        return gone->woken;
    }
    if (kind != trace::WatchKind::childrenChanged)
        return 1;
    // The event's cause is the last change that had been requested when the watch fired. A watch that was
    // requested after the first watch had fired was not yet set when that change came: it fired for another
    // change.
    const bool later = m_client->listWatchBy.valid() && m_client->listWatchBy > m_lockBook->herdFirst;
    if (!m_event.cause.valid() || m_lockBook->herdCause != m_event.cause || later) {
        m_lockBook->herdCause = m_event.cause;
        m_lockBook->herdFirst = m_index;
        m_lockBook->herdWoken = 0;
        countDeleted(1, m_event.cause);
    }
    return ++m_lockBook->herdWoken;
}

} // namespace lockscope::replay
