// A client gets a lock, reenters it, releases it or loses it.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/state/overtaking.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

using node_queue::kNotFound;

void Fold::operator()(const trace::Acquired& e)
{
    if (!m_client)
        return;
    selectUse(e.node, UseKind::waiting, e.owner);
    ClientRow& row = *m_client;
    if (m_lock && row.holds() && row.node != e.node && isLease(*m_lock, e.node))
        addUse();
    if (!std::exchange(m_book->asked, true))
        ++m_state.statistics.acquiringClients;
    giveUp(row, row); // a hold whose end is missing from the trace
    changed(row);
    m_facts.granted = true;
    m_facts.grantedNode = e.node;
    m_facts.askedBy = row.acquireCalled;
    m_state.statistics.count(++row.acquired);
    ++m_facts.acquired;
    row.tally.lastGrant = m_index;
    if (row.acquireCalled.valid()) {
        m_state.statistics.wait.add(runningSince(row.waitingSince));
        addSince(row.tally.waited, row.waitingSince);
        ++row.tally.waits;
    }
    if (row.watchGoneBy.valid())
        m_checker.wakeUpNoticed();
    unwatch(row, row);
    std::size_t place = kNotFound;
    if (m_lock) {
        removeBelievedWatch(row, m_lock->id,
                            e.node); // a waiter's watch on its own node; a holder sets a new one
        place = node_queue::find(*m_lock, e.node);
        m_checker.granted(*m_lock, *m_lockBook, row.id, row, place, e, isLease(*m_lock, e.node));
        take(place, e);
    }
    row.owner = e.owner;
    row.node = e.node;
    row.token = e.token;
    row.depth = 1;
    row.depthBy = m_index;
    row.position = 0;
    row.ahead = {};
    row.heldSince = m_event.at;
    countRequests(row);
    row.step = Step::hold;
    setPhase(row, ClientPhase::holding);
    row.granted = row.began = m_index;
    row.acquireCalled = row.calledAgain = EventIndex::none();
    m_book->refused = m_book->staleHold = m_book->lostHold = false;
    const bool sessionGone = m_book->endedSession.valid() && m_book->endedSession == row.sessionId;
    if (sessionGone || (m_lock && place == kNotFound && deletedNode(m_lock->id, e.node)))
        startStale(row, row, sessionGone);
}

// Gives the lock to the base of the client's row.
void Fold::take(std::size_t place, const trace::Acquired& e)
{
    ClientRow& row = *m_client;
    ++m_lock->acquisitions;
    row.lock = m_lock->id;
    const LockUseRef self = refOf(row, row);
    std::vector<LockUseRef>& believedHolders = m_lockBook->believedHolders;
    if (std::find(believedHolders.begin(), believedHolders.end(), self) == believedHolders.end())
        believedHolders.push_back(self);
    if (row.acquireCalled.valid())
        overtaking::granted(*m_lockBook, row.acquireCalled, m_state.statistics);
    if (place == kNotFound)
        return;
    NodeRow& node = m_lock->queue[place];
    node.phase = NodePhase::holds;
    node.depth = 1;
    node.heldSince = m_event.at;
    if (e.token.valid())
        node.token = e.token;
}

void Fold::operator()(const trace::Reentered& e)
{
    if (!m_client)
        return;
    selectUse({}, UseKind::holding, e.owner);
    ++m_state.statistics.reentered;
    m_client->calledAgain = EventIndex::none();
    m_client->depth = e.depth;
    m_client->depthBy = m_index;
    m_client->step = Step::hold;
    if (NodeRow* node = nodeOf(*m_client))
        node->depth = e.depth;
}

void Fold::operator()(const trace::ReleaseCalled& e)
{
    if (!m_client)
        return;
    selectUse(e.node, UseKind::holding, e.owner);
    m_client->step = Step::release;
    if (e.depth > 1)
        return;
    holdEnds(*m_client, *m_client);
    endBelief(*m_client, *m_client);
    if (NodeRow* node = nodeOf(*m_client))
        node->phase = NodePhase::releasing;
    setPhase(*m_client, ClientPhase::releasing);
}

void Fold::operator()(const trace::Released& e)
{
    if (!m_client)
        return;
    selectUse(e.node, UseKind::holding, e.owner);
    if (e.depth > 0) {
        m_client->depth = e.depth;
        m_client->depthBy = m_index;
        m_client->step = Step::hold;
        if (NodeRow* node = nodeOf(*m_client))
            node->depth = e.depth;
        return;
    }
    ++m_state.statistics.releases;
    if (m_lock)
        removeNode(*m_lock, e.node, answeredRequest()); // its delete is confirmed
    leaveLock(*m_client, *m_client);
    if (m_client->phase == ClientPhase::releasing || m_client->phase == ClientPhase::holding)
        setPhase(*m_client, ClientPhase::idle);
}

void Fold::operator()(const trace::HoldLost& e)
{
    if (!m_client)
        return;
    selectUse(e.node, UseKind::holding, e.owner);
    m_book->lostHold = true;
    if (e.reason == trace::LostReason::nodeDeleted && m_lock)
        removeNode(*m_lock, e.node, m_event.cause);
    if (NodeRow* node = nodeOf(*m_client); node && !node->deleteSent)
        node->phase = NodePhase::orphan;
    leaveLock(*m_client, *m_client);
    if (m_client->phase == ClientPhase::finished || m_client->phase == ClientPhase::removed)
        return;
    const bool lost = m_client->session == trace::SessionPhase::lost;
    setPhase(*m_client, lost ? ClientPhase::lost : ClientPhase::idle);
}

} // namespace lockscope::replay
