// The protocol: what clients ask and what the server answers.
#include "core/replay/fold.h"

#include "core/replay/node_queue.h"

#include <algorithm>
#include <variant>

namespace lockscope::replay {

using node_queue::kNowhere;
using trace::Op;
using trace::Outcome;

void Fold::operator()(const trace::Request& e)
{
    OpCounts& ops = m_state.statistics.ops;
    switch (e.op) {
    case Op::create:
        ++ops.create;
        break;
    case Op::remove:
        ++ops.remove;
        break;
    case Op::getChildren:
        ++ops.getChildren;
        break;
    case Op::getData:
        ++ops.getData;
        break;
    case Op::setData:
        ++ops.setData;
        break;
    case Op::exists:
        ++ops.exists;
        break;
    case Op::sync:
        ++ops.sync;
        break;
    }
    if (e.op == Op::remove && m_lock) {
        const std::size_t place = node_queue::find(m_lock->queue, e.node);
        if (place != kNowhere)
            m_lock->queue[place].deleteSent = true;
    }
    if (!m_client)
        return;
    switch (e.op) {
    case Op::create:
        m_book->createPending = true;
        m_client->step = Step::create;
        break;
    case Op::getChildren:
        if (!m_book->createPending)
            m_client->step = Step::list;
        if (m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining)
            listed();
        break;
    case Op::getData:
    case Op::exists:
        if (e.watch && e.node != m_client->node && m_client->phase != ClientPhase::holding)
            m_client->step = Step::watch;
        break;
    case Op::remove:
        if (e.node == m_client->node)
            m_client->step = Step::remove;
        break;
    case Op::setData:
    case Op::sync:
        break;
    }
}

// It looks again by itself: whatever its watch was to tell, it learns now.
void Fold::listed()
{
    if (m_book->watchGoneBy.valid())
        m_judge.wakeUpNoticed();
    m_book->watchGoneBy = EventIndex::none();
}

const trace::Request* Fold::requestOfThis() const
{
    if (!m_event.cause.valid() || m_event.cause.value >= m_index.value)
        return nullptr;
    return std::get_if<trace::Request>(&m_store.at(m_event.cause).what);
}

EventIndex Fold::requestBehind() const
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

// A list that was asked for after the node was told to be gone has it: it was not gone.
void Fold::revive(LockRow& lock, Text name)
{
    GoneNode* gone = goneNode(lock.id, name);
    const EventIndex request = requestBehind();
    if (gone && request.valid() && request > gone->by)
        *gone = GoneNode{};
}

void Fold::operator()(const trace::Reply& e)
{
    if (m_book && m_book->thawed && e.outcome == Outcome::ok)
        m_book->doomed = m_book->thawed = false; // its session has outlived the freeze
    // Asked and answered after its end was told: the session lives, the end was none (it can be moved away
    // from the one who was to close it).
    if (m_book && m_book->goneSession.valid() && e.outcome == Outcome::ok) {
        const EventIndex request = requestBehind();
        if (request.valid() && request > m_book->goneSessionBy)
            m_book->goneSession = SessionId::none();
    }
    switch (e.op) {
    case Op::create:
        created(e);
        break;
    case Op::remove:
        deleted(e);
        break;
    case Op::getData:
    case Op::exists:
        dataRead(e);
        break;
    case Op::getChildren:
        if (m_client && m_client->step == Step::list)
            m_client->step = Step::decide;
        break;
    case Op::setData:
    case Op::sync:
        break;
    }
}

void Fold::created(const trace::Reply& e)
{
    if (!m_client)
        return;
    m_book->createPending = false;
    if (e.outcome != Outcome::ok)
        return;
    m_client->step = Step::list;
    m_client->node = e.node;
    if (!m_lock)
        return;
    m_client->lock = m_lock->id;
    if (m_book->goneSession.valid() && m_book->goneSession == m_client->sessionId) {
        // Read after the session's end was recorded: the node went with it.
        if (!goneNode(m_lock->id, e.node))
            rememberGone(m_lock->id, e.node, m_client->id, false);
        return;
    }
    // A name without a number: the one before has gone, though nothing has told so yet.
    if (!e.node.empty() && node_queue::makeRow(e.node).sequence < 0) {
        removeNode(*m_lock, e.node);
        while (GoneNode* gone = goneNode(m_lock->id, e.node))
            *gone = GoneNode{};
    }
    const std::size_t place = addNode(*m_lock, e.node);
    if (place == kNowhere)
        return;
    claim(m_lock->queue[place]);
    m_lock->queue[place].token = e.zxid;
}

void Fold::deleted(const trace::Reply& e)
{
    const trace::Request* request = requestOfThis();
    const Text name = e.node.empty() && request ? request->node : e.node;
    if (!m_lock || name.empty())
        return;
    if (e.outcome == Outcome::ok || e.outcome == Outcome::noNode) {
        removeNode(*m_lock, name, m_event.cause);
    } else if (e.outcome == Outcome::refused) {
        const std::size_t place = node_queue::find(m_lock->queue, name);
        if (place != kNowhere)
            m_lock->queue[place].deleteSent = false;
    }
}

void Fold::dataRead(const trace::Reply& e)
{
    const trace::Request* request = requestOfThis();
    if (!m_client || (request && !request->watch))
        return;
    const Text name = e.node.empty() && request ? request->node : e.node;
    if (e.outcome == Outcome::noNode) {
        if (m_lock)
            removeNode(*m_lock, name, m_event.cause);
        if (m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining)
            m_client->step = Step::list;
        return;
    }
    const bool asleep = m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining;
    if (e.outcome != Outcome::ok || name == m_client->node || !asleep)
        return; // a watch on the own node is no wait
    watch(name);
    m_client->step = Step::sleep;
    setPhase(*m_client, ClientPhase::waiting);
    if (NodeRow* own = nodeOf(*m_client); own && own->phase == NodePhase::joining)
        own->phase = NodePhase::waits;
}

void Fold::operator()(const trace::WatchFired& e)
{
    const bool went = e.kind == trace::WatchKind::nodeDeleted;
    if (m_lock && went)
        removeNode(*m_lock, e.node, m_event.cause);
    if (!m_client || !m_lock)
        return;
    const bool own = !e.node.empty() && e.node == m_client->node;
    const bool awaited = !own &&
                         (e.kind == trace::WatchKind::childrenChanged || e.node == m_client->watches) &&
                         (m_client->phase == ClientPhase::waiting || m_client->phase == ClientPhase::joining);
    if (!awaited)
        return;
    const std::uint32_t woken = countWoken(e.node, e.kind);
    const GoneNode* gone = went ? goneNode(m_lock->id, e.node) : nullptr;
    WakeUp& wake = m_lock->lastWakeUp;
    wake = WakeUp{m_index, m_event.at, e.node, ClientId::none(), m_client->id, woken};
    if (gone) {
        wake.from = gone->owner;
    } else if (const std::size_t place = node_queue::find(m_lock->queue, e.node); place != kNowhere) {
        wake.from = m_lock->queue[place].owner;
    }
    if (went || e.kind == trace::WatchKind::childrenChanged) {
        ++m_state.statistics.wakeUps;
        // A writer that goes lets the readers behind it in: they are no herd, and every one of them watches it.
        GoneNode* writer = went ? goneNode(m_lock->id, e.node) : nullptr;
        const bool reads = writer && node_queue::isReader(m_client->node);
        if (reads)
            ++writer->readersWoken;
        const std::uint32_t alone = writer ? woken - std::min(woken, writer->readersWoken) : woken;
        m_judge.woken(e.node, reads ? 1 : alone, m_client->id, gone ? gone->by : m_event.cause);
        if (m_book->watchGoneBy.valid())
            m_judge.wakeUpNoticed();
        m_client->step = Step::list;
    } else {
        m_client->step = Step::watch; // it is read again
        // Its one watch fired for the change: when the node went already, nobody watched that.
        if (GoneNode* late = goneNode(m_lock->id, e.node); late && late->watched && late->woken == 0) {
            late->watched = false;
            --m_state.statistics.watchedGone;
        }
    }
    unwatch(m_client->id);
}

// How many clients the same change has woken so far, this one included.
std::uint32_t Fold::countWoken(Text node, trace::WatchKind kind)
{
    if (kind == trace::WatchKind::nodeDeleted) {
        GoneNode* gone = goneNode(m_lock->id, node);
        if (!gone)
            gone = &rememberGone(m_lock->id, node, ClientId::none(), false);
        if (!gone->watched) {
            gone->watched = true;
            ++m_state.statistics.watchedGone;
        }
        if (gone->firstWoken != m_client->id)
            ++gone->woken;
        if (!gone->firstWoken.valid())
            gone->firstWoken = m_client->id;
        return gone->woken;
    }
    if (kind != trace::WatchKind::childrenChanged)
        return 1;
    if (!m_event.cause.valid() || m_lockBook->herdCause != m_event.cause) {
        m_lockBook->herdCause = m_event.cause;
        m_lockBook->herdWoken = 0;
        ++m_state.statistics.watchedGone;
    }
    return ++m_lockBook->herdWoken;
}

} // namespace lockscope::replay
