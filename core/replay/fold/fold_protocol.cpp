// The protocol: the requests of clients and the replies of the server.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace lockscope::replay {

using node_queue::kNotFound;
using trace::Outcome;

namespace {
// In the order of Op.
constexpr std::array kCounts{&OpCounts::create,  &OpCounts::remove,  &OpCounts::getChildren,
                             &OpCounts::getData, &OpCounts::setData, &OpCounts::exists,
                             &OpCounts::sync};
} // namespace

void Fold::operator()(const trace::Request& e)
{
    ++(m_state.statistics.ops.*kCounts[static_cast<std::size_t>(e.op)]);
    if (e.op == Operation::remove && m_lock) {
        const std::size_t place = node_queue::find(*m_lock, e.node);
        if (place != kNotFound)
            m_lock->queue[place].deleteSent = true;
    }
    if (!m_client)
        return;
    ++m_client->tally.requests;
    m_client->tally.lastRequest = m_index;
    selectUse(e.op == Operation::remove ? e.node : Text(),
              e.op == Operation::remove ? UseKind::holding : UseKind::waiting);
    switch (e.op) {
    case Operation::create:
        if (m_client->holds() && m_client->calledAgain.valid())
            startCalledAgain();
        m_client->createPending = true;
        m_client->step = Step::create;
        break;
    case Operation::getChildren:
        if (!m_client->createPending)
            m_client->step = Step::list;
        m_client->listWatchBy = e.watch ? m_index : EventIndex::none();
        if (m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining)
            noticeDeletedWatch();
        break;
    case Operation::getData:
    case Operation::exists:
        if (e.watch)
            addBelievedWatch(e.node);
        if (e.watch && waitsFor(e.node) && m_client->phase != ClientPhase::holding)
            m_client->step = Step::watch;
        break;
    case Operation::remove:
        if (e.node == m_client->node)
            m_client->step = Step::remove;
        break;
    case Operation::setData:
    case Operation::sync:
        break;
    }
    countRequest(e.node);
}

void Fold::countRequest(Text node)
{
    LockUse* whose = nullptr;
    forEach(*m_client, [&](LockUse& one) {
        const bool here = m_lock && one.active() && one.lock == m_lock->id;
        // If the selected use is not active, the request is for the use whose node it names.
        if (here && (&one == m_client || (!m_client->active() && one.node == node)))
            whose = &one;
    });
    if (!whose)
        return;
    ++whose->requests;
    if (whose->holds())
        countRequests(*whose);
}

void Fold::countRequests(LockUse& hold)
{
    m_state.statistics.acquisitionRequests += hold.requests;
    m_facts.requests += std::exchange(hold.requests, 0);
    m_facts.grantedAt = hold.heldSince;
}

const trace::Request* Fold::causingRequest() const
{
    if (!m_event.cause.valid() || m_event.cause.value >= m_index.value)
        return nullptr;
    return std::get_if<trace::Request>(&m_store.at(m_event.cause).what);
}

EventIndex Fold::answeredRequest() const
{
    EventIndex next = m_event.cause;
    EventIndex limit = m_index;
    for (int steps = 0; steps < 2 && next.valid() && next < limit; ++steps) {
        if (std::holds_alternative<trace::Request>(m_store.at(next).what))
            return next;
        limit = next;
        next = m_store.at(next).cause;
    }
    return EventIndex::none();
}

// A list contains the node although it was requested after the node's deletion was recorded: the node was not
// gone.
void Fold::revive(LockRow& lock, Text name)
{
    DeletedNode* gone = deletedNode(lock.id, name);
    const EventIndex request = answeredRequest();
    if (gone && request.valid() && request > gone->by)
        *gone = DeletedNode{};
}

void Fold::operator()(const trace::Reply& e)
{
    if (m_book && m_book->thawed && e.outcome == Outcome::ok)
        m_book->sessionEndExpected = m_book->thawed = false; // its session has survived the freeze
    // A request sent after the session's end was recorded was answered: the session has not ended (a session
    // can move away from the connection that was to close it).
    if (m_book && m_book->endedSession.valid() && e.outcome == Outcome::ok) {
        const EventIndex request = answeredRequest();
        if (request.valid() && request > m_book->endedSessionBy)
            sessionLives(m_book->endedSession);
    }
    if (e.op != Operation::remove)
        selectUse({}, UseKind::waiting);
    watchAnswered(e);
    switch (e.op) {
    case Operation::create:
        created(e);
        break;
    case Operation::remove:
        deleted(e);
        break;
    case Operation::getData:
    case Operation::exists:
        dataRead(e);
        break;
    case Operation::getChildren:
        if (m_client && m_client->step == Step::list)
            m_client->step = Step::decide;
        break;
    case Operation::setData:
    case Operation::sync:
        break;
    }
}

void Fold::created(const trace::Reply& e)
{
    if (!m_client)
        return;
    m_client->createPending = false;
    if (e.outcome != Outcome::ok)
        return;
    if (m_lock && m_client->waits() && nodeOf(*m_client) && m_client->node != e.node &&
        isLease(*m_lock, e.node))
        addLease();
    m_client->step = Step::list;
    m_client->node = e.node;
    if (!m_lock)
        return;
    m_client->lock = m_lock->id;
    if (m_book->endedSession.valid() && m_book->endedSession == m_client->sessionId) {
        // The reply was read after the session's end was recorded: the node was deleted with the session.
        if (!deletedNode(m_lock->id, e.node))
            rememberDeleted(m_lock->id, e.node, m_client->id, false);
        return;
    }
    // A name without a number: the previous node is gone, although no event has shown it yet.
    if (!e.node.empty() && node_queue::sequenceOf(e.node) < 0) {
        removeNode(*m_lock, e.node);
        while (DeletedNode* gone = deletedNode(m_lock->id, e.node))
            gone->replaced = true;
    }
    const std::size_t place = addNode(*m_lock, e.node);
    if (place == kNotFound)
        return;
    claim(m_lock->queue[place]);
    m_lock->queue[place].token = e.zxid;
}

// One more node for the same acquire, which asks for several leases. The last node made is the one that
// waits.
void Fold::addLease()
{
    const LockUse before = *m_client;
    addUse();
    LockUse& one = *m_client;
    one.lock = before.lock;
    one.owner = before.owner;
    one.phase = before.phase;
    one.phaseSince = before.phaseSince;
    one.waitingSince = before.waitingSince;
    one.began = before.began;
    one.asked = before.asked;
}

void Fold::deleted(const trace::Reply& e)
{
    const trace::Request* request = causingRequest();
    const Text name = e.node.empty() && request ? request->node : e.node;
    if (!m_lock || name.empty())
        return;
    if (e.outcome == Outcome::ok || e.outcome == Outcome::noNode) {
        if (m_client)
            removeBelievedWatch(*m_client, m_lock->id, name);
        removeNode(*m_lock, name, m_event.cause);
    } else if (e.outcome == Outcome::refused) {
        const std::size_t place = node_queue::find(*m_lock, name);
        if (place != kNotFound)
            m_lock->queue[place].deleteSent = false;
    }
}

} // namespace lockscope::replay
