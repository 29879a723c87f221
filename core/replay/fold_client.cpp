// What a client does and believes.
#include "core/replay/fold.h"

#include "core/replay/node_queue.h"

#include <algorithm>

namespace lockscope::replay {

using node_queue::kNowhere;

void Fold::operator()(const trace::Thinks&)
{
    if (m_client && m_client->depth == 0)
        setPhase(*m_client, ClientPhase::thinking);
}

void Fold::operator()(const trace::AcquireCalled&)
{
    if (!m_client)
        return;
    m_client->step = Step::reenter;
    if (m_client->phase == ClientPhase::holding)
        return; // a Reentered follows
    if (m_lock)
        m_client->lock = m_lock->id;
    m_book->acquireCalled = m_index;
    m_client->waitingSince = m_event.at;
    m_client->position = 0;
    setPhase(*m_client, ClientPhase::joining);
}

void Fold::operator()(const trace::Decided& e)
{
    if (!m_client || !m_lock)
        return;
    m_client->step = Step::decide;
    m_client->position = e.position;
    readList(*m_lock, e);
}

// The list is the server's word: the own node is in it, and between the own node and the one ahead there is
// nothing. Nodes of ours that we hold for live and healthy stay: that they are missing is a contradiction,
// and the grant that follows is judged by it.
void Fold::readList(LockRow& lock, const trace::Decided& e)
{
    if (e.position > 0)
        addNode(lock, e.ahead);
    std::size_t own = addNode(lock, e.node);
    if (own == kNowhere) {
        revive(lock, e.node);
        own = addNode(lock, e.node);
    }
    if (own == kNowhere)
        return;
    NodeRow& node = lock.queue[own];
    // Found again after a create whose reply was lost, or named by somebody else's list before.
    if (!node.owner.valid() || (node.owner == m_client->id && m_client->node != e.node))
        claim(node);
    while (own > 0) {
        const NodeRow& ahead = lock.queue[own - 1];
        if ((e.position > 0 && ahead.name == e.ahead) || !mayBeGone(ahead))
            break;
        removeNode(lock, --own);
    }
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

// Whether a node may be gone on the server although no event has said so yet: its delete is on its way, it is
// nobody's we know (the observer lags), or its owner has no healthy session.
bool Fold::mayBeGone(const NodeRow& node) const
{
    if (node.deleteSent || node.owner.value >= m_state.clients.size())
        return true;
    const ClientRow& owner = m_state.clients[node.owner.value];
    return owner.frozen || owner.session != trace::SessionPhase::connected ||
           m_state.book.clients[node.owner.value].doomed || node.session != owner.sessionId;
}

void Fold::operator()(const trace::Acquired& e)
{
    if (!m_client)
        return;
    ClientRow& row = *m_client;
    ++m_state.statistics.acquired;
    ++row.acquired;
    if (m_book->acquireCalled.valid())
        m_state.statistics.wait.add(since(row.waitingSince));
    if (m_book->watchGoneBy.valid())
        m_judge.wakeUpNoticed();
    unwatch(row.id);
    std::size_t place = kNowhere;
    if (m_lock) {
        place = node_queue::find(m_lock->queue, e.node);
        m_judge.granted(*m_lock, *m_lockBook, row.id, place, e.node, e.token);
        ++m_lock->acquisitions;
        row.lock = m_lock->id;
        if (std::find(m_lockBook->believers.begin(), m_lockBook->believers.end(), row.id) ==
            m_lockBook->believers.end())
            m_lockBook->believers.push_back(row.id);
        OpenRelease& release = m_lockBook->release;
        // Only who called acquire while the node was there has waited for it.
        if (release.open && m_book->acquireCalled.valid() &&
            (!release.goneBy.valid() || m_book->acquireCalled < release.goneBy)) {
            ++m_state.statistics.handoffs;
            m_state.statistics.handoff.add(since(release.at));
        }
        release = {};
        if (place != kNowhere) {
            NodeRow& node = m_lock->queue[place];
            node.phase = NodePhase::holds;
            node.depth = 1;
            node.heldSince = m_event.at;
            if (e.token.valid())
                node.token = e.token;
        }
    }
    row.node = e.node;
    row.token = e.token;
    row.depth = 1;
    row.position = 0;
    row.heldSince = m_event.at;
    row.step = Step::hold;
    setPhase(row, ClientPhase::holding);
    m_book->granted = m_index;
    m_book->acquireCalled = EventIndex::none();
    m_book->refused = m_book->staleHold = m_book->lostHold = false;
    const bool sessionGone = m_book->goneSession.valid() && m_book->goneSession == row.sessionId;
    if (sessionGone || (m_lock && place == kNowhere && goneNode(m_lock->id, e.node)))
        startStale(row, sessionGone);
}

void Fold::operator()(const trace::Reentered& e)
{
    if (!m_client)
        return;
    ++m_state.statistics.reentered;
    m_client->depth = e.depth;
    m_client->step = Step::hold;
    if (NodeRow* node = nodeOf(*m_client))
        node->depth = e.depth;
}

void Fold::operator()(const trace::AcquireFailed& e)
{
    if (!m_client)
        return;
    ++m_client->failed;
    ++(e.reason == trace::FailReason::timedOut ? m_state.statistics.timedOut : m_state.statistics.failed);
    m_book->acquireCalled = EventIndex::none();
    if (m_client->phase == ClientPhase::holding)
        return; // a re-entry that failed: it still holds
    if (NodeRow* node = nodeOf(*m_client); node && !node->deleteSent)
        node->phase = NodePhase::orphan;
    leaveLock(*m_client);
    if (m_client->phase != ClientPhase::finished && m_client->phase != ClientPhase::removed)
        setPhase(*m_client,
                 m_client->session == trace::SessionPhase::lost ? ClientPhase::lost : ClientPhase::idle);
}

void Fold::operator()(const trace::StartedOver&)
{
    if (!m_client)
        return;
    // Its node was deleted by itself before, or is missing from its list.
    if (NodeRow* node = nodeOf(*m_client); node && !node->deleteSent)
        removeNode(m_state.locks[m_client->lock.value], m_client->node);
    unwatch(m_client->id);
    m_client->node = {};
    m_client->step = Step::create;
    setPhase(*m_client, ClientPhase::joining);
}

void Fold::operator()(const trace::ReleaseCalled& e)
{
    if (!m_client)
        return;
    m_client->step = Step::release;
    if (e.depth > 1)
        return;
    if (m_client->phase == ClientPhase::holding && m_lockBook && !m_client->serverSaysGone)
        m_lockBook->release = OpenRelease{true, e.node, m_event.at, EventIndex::none()};
    endBelief(*m_client);
    if (NodeRow* node = nodeOf(*m_client))
        node->phase = NodePhase::releasing;
    setPhase(*m_client, ClientPhase::releasing);
}

void Fold::operator()(const trace::Released& e)
{
    if (!m_client)
        return;
    if (e.depth > 0) {
        m_client->depth = e.depth;
        m_client->step = Step::hold;
        if (NodeRow* node = nodeOf(*m_client))
            node->depth = e.depth;
        return;
    }
    ++m_state.statistics.releases;
    if (m_lock)
        removeNode(*m_lock, e.node, requestBehind()); // its delete is confirmed
    leaveLock(*m_client);
    if (m_client->phase == ClientPhase::releasing || m_client->phase == ClientPhase::holding)
        setPhase(*m_client, ClientPhase::idle);
}

void Fold::operator()(const trace::HoldLost& e)
{
    if (!m_client)
        return;
    m_book->lostHold = true;
    if (e.reason == trace::LostReason::nodeDeleted && m_lock)
        removeNode(*m_lock, e.node, m_event.cause);
    if (NodeRow* node = nodeOf(*m_client); node && !node->deleteSent)
        node->phase = NodePhase::orphan;
    leaveLock(*m_client);
    if (m_client->phase == ClientPhase::finished || m_client->phase == ClientPhase::removed)
        return;
    const bool lost = m_client->session == trace::SessionPhase::lost;
    setPhase(*m_client, lost ? ClientPhase::lost : ClientPhase::idle);
}

void Fold::operator()(const trace::ResourceUse& e)
{
    if (!m_client || !m_lock)
        return;
    switch (e.action) {
    case trace::ResourceAction::entered:
        m_lockBook->inside = m_client->id;
        break;
    case trace::ResourceAction::left:
        if (m_lockBook->inside == m_client->id)
            m_lockBook->inside = ClientId::none();
        break;
    case trace::ResourceAction::conflict:
        m_judge.conflict(*m_lockBook, m_client->id, e.token);
        break;
    case trace::ResourceAction::refused:
        // The fence has seen a newer token: whatever this client believes, it is out.
        m_book->refused = true;
        if (m_lockBook->inside == m_client->id)
            m_lockBook->inside = ClientId::none();
        if (m_client->phase == ClientPhase::holding && !m_client->serverSaysGone)
            startStale(*m_client, false);
        if (m_book->staleHold)
            m_judge.staleChanged(m_client->id);
        break;
    }
}

void Fold::operator()(const trace::ResourceValue& e)
{
    if (!m_lock)
        return;
    m_lock->valueName = e.name;
    m_lock->value = e.value;
    m_lock->valueFaults += e.fault.empty() ? 0 : 1;
}

} // namespace lockscope::replay
