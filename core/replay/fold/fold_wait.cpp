// A client asks for a lock, reads the list or gives up.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/state/overtaking.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

using node_queue::kNotFound;

void Fold::operator()(const trace::Thinks&)
{
    if (m_client && m_client->depth == 0 && m_client->otherUses.empty())
        setPhase(*m_client, ClientPhase::thinking);
}

void Fold::operator()(const trace::AcquireCalled& e)
{
    if (!m_client)
        return;
    if (!std::exchange(m_book->asked, true))
        ++m_state.statistics.acquiringClients;
    LockUse* same = nullptr; // of this owner on this lock
    forEach(*m_client, [&](LockUse& one) {
        const bool here = one.active() && (!m_lock || (one.lock == m_lock->id && one.owner == e.owner));
        if (here && one.phase != ClientPhase::releasing && (!same || one.waits()))
            same = &one;
    });
    if (same && !same->waits() && !(m_lock && isLease(*m_lock, {}))) {
        // A Reentered follows, or a create if the call is for the other side of a read/write lock.
        selectUse(*same);
        m_client->step = Step::reenter;
        m_client->calledAgain = m_index;
        return;
    }
    if (same && same->waits())
        selectUse(*same);
    else if (m_client->active())
        addUse();
    beginWait(m_index, e.owner);
}

void Fold::beginWait(EventIndex called, OwnerId owner)
{
    LockUse& one = *m_client;
    endWait(one);
    if (m_lock)
        one.lock = m_lock->id;
    one.owner = owner;
    one.step = Step::reenter;
    one.acquireCalled = one.asked = one.began = called;
    one.waitingSince = m_store.at(called).at;
    one.position = 0;
    one.requests = 0;
    setPhase(one, ClientPhase::joining);
    if (m_lock)
        overtaking::called(*m_lockBook, called);
}

void Fold::startCalledAgain()
{
    const EventIndex called = m_client->calledAgain;
    const OwnerId owner = m_client->owner;
    m_client->calledAgain = EventIndex::none();
    m_client->step = Step::hold;
    addUse();
    beginWait(called, owner);
}

void Fold::operator()(const trace::Decided& e)
{
    if (!m_client || !m_lock)
        return;
    if (m_lock->watched)
        return grantWatched(e);
    selectUse(e.node, UseKind::waiting);
    m_client->step = Step::decide;
    m_client->position = e.position;
    m_client->decided = m_index;
    m_client->ahead = e.position > 0 ? e.ahead : Text();
    readList(*m_lock, e);
    if (fallAsleepOnList(e))
        m_checker.waitBegan(m_client->id, *m_client);
}

// The list shows the server's state: it contains the client's own node and no node between that and the one
// ahead; for a reader, only no writer if none is ahead. Nodes of this run that are still considered live stay
// in the queue: that they are missing from the list is a contradiction, by which the following grant is
// judged.
void Fold::readList(LockRow& lock, const trace::Decided& e)
{
    const std::size_t own = addListed(lock, e.node);
    if (own == kNotFound)
        return;
    NodeRow& node = lock.queue[own];
    // Found again after a create whose reply was lost, or contained in another client's list before.
    const bool ours = node.owner == m_client->id ||
                      (node.phase == NodePhase::orphan && node.session == m_client->sessionId);
    if (!node.owner.valid() || (ours && m_client->node != e.node))
        claim(node);
    const bool reads = node.reads;
    const std::size_t ahead = e.position > 0 ? addListed(lock, e.ahead) : kNotFound;
    if (isLease(lock, e.node) || (reads && e.position > 0))
        return; // the others stay: what may hold together with it, or waits for any of them
    std::size_t place = node_queue::find(lock, e.node);
    if (!reads)
        place = node_queue::orderEqual(lock.queue, place, ahead);
    while (place-- > 0) {
        const NodeRow& row = lock.queue[place];
        if (reads && row.reads)
            continue;
        if ((e.position > 0 && row.name == e.ahead) || !mayBeDeleted(row))
            break;
        removeNode(lock, place);
    }
}

// Adds a node of the list that was read, also if it was taken for deleted. Returns its index.
std::size_t Fold::addListed(LockRow& lock, Text name)
{
    const std::size_t place = addNode(lock, name);
    if (place != kNotFound)
        return place;
    revive(lock, name);
    return addNode(lock, name);
}

void Fold::claim(NodeRow& node)
{
    node.owner = m_client->id;
    node.session = m_client->sessionId;
    node.phase = NodePhase::joining;
    node.waitingSince = m_client->waitingSince;
    node.ownerFrozen = m_client->frozen;
    m_client->node = node.name;
    m_client->lock = m_lock->id;
}

// Whether a node may be gone on the server although no event has shown it yet: its delete was sent, it has no
// known owner (the observer lags), or its owner has no healthy session.
bool Fold::mayBeDeleted(const NodeRow& node) const
{
    if (node.deleteSent || node.owner.value >= m_state.clients.size())
        return true;
    const ClientRow& owner = m_state.clients[node.owner.value];
    return owner.frozen || owner.session != trace::SessionPhase::connected ||
           m_state.book.clients[node.owner.value].sessionEndExpected || node.session != owner.sessionId;
}

void Fold::operator()(const trace::AcquireFailed& e)
{
    if (!m_client)
        return;
    selectUse({}, UseKind::waiting, e.owner);
    ClientRow& row = *m_client;
    ++row.failed;
    row.tally.lastFailure = m_index;
    ++(e.reason == trace::FailReason::timedOut ? m_state.statistics.timedOut : m_state.statistics.failed);
    if (row.phase == ClientPhase::holding) {
        row.calledAgain = EventIndex::none(); // a re-entry failed: the client still holds
        return;
    }
    giveUpOthers();
    if (NodeRow* node = nodeOf(row); node && !node->deleteSent)
        node->phase = NodePhase::orphan;
    leaveLock(row, row);
    if (row.phase != ClientPhase::finished && row.phase != ClientPhase::removed)
        setPhase(row, row.session == trace::SessionPhase::lost ? ClientPhase::lost : ClientPhase::idle);
}

// Gives up the other nodes of the same acquire, if it was for several leases.
void Fold::giveUpOthers()
{
    ClientRow& row = *m_client;
    for (std::size_t i = row.otherUses.size(); i-- > 0;) {
        const LockUse& other = row.otherUses[i];
        if (!other.waits() || other.lock != row.lock || other.asked != row.asked)
            continue;
        if (NodeRow* node = nodeOf(other); node && !node->deleteSent)
            node->phase = NodePhase::orphan;
        row.acquireCalled = row.acquireCalled.valid() ? row.acquireCalled : other.acquireCalled;
        row.otherUses[i].acquireCalled = EventIndex::none();
        drop(row, i);
    }
}

void Fold::operator()(const trace::StartedOver&)
{
    if (!m_client)
        return;
    selectUse({}, UseKind::waiting);
    ClientRow& row = *m_client;
    giveUpOthers();
    // If its delete was not sent, the node is missing from the client's list.
    if (NodeRow* node = nodeOf(row); node && !node->deleteSent)
        removeNode(m_state.locks[row.lock.value], row.node);
    unwatch(row, row);
    row.node = {};
    row.step = Step::create;
    setPhase(row, ClientPhase::joining);
}

} // namespace lockscope::replay
