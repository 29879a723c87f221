// The handoffs of locks: remembers the last holds of each lock that ended, and follows the causes of an
// acquisition back to one of them.
#include "core/replay/fold/fold.h"

#include "core/replay/state/node_queue.h"

#include <algorithm>
#include <utility>

namespace lockscope::replay {

using node_queue::sameName;

namespace {

// More causes than any handoff has. An acquisition that lists and sleeps repeatedly is not followed farther.
constexpr int kMaxCauses = 32;

// The events found among the causes of an acquisition.
struct Chain
{
    EventIndex woken = EventIndex::none();
    EventIndex listed = EventIndex::none();
    EventIndex answered = EventIndex::none();
    EventIndex deleted = EventIndex::none();
};

template <class T>
void remember(std::vector<T>& last, T one)
{
    if (last.size() == 2 * LockHandoffs::kRemembered) // several at once: it is less work
        last.erase(last.begin(), last.begin() + LockHandoffs::kRemembered);
    last.push_back(one);
}

Chain follow(const trace::TraceStore& store, std::size_t index)
{
    Chain chain;
    const ClientId client = store.at(index).client;
    EventIndex next = store.at(index).cause;
    std::size_t limit = index; // a cause comes before its effect
    for (int i = 0; i < kMaxCauses && next.valid() && next.value < limit; ++i) {
        const trace::Event& event = store.at(next);
        if (const auto* request = std::get_if<trace::Request>(&event.what)) {
            if (request->op == Operation::remove && chain.woken.valid()) {
                chain.deleted = next;
                return chain;
            }
            if (request->op == Operation::getChildren && event.client == client && !chain.listed.valid())
                chain.listed = next;
        } else if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
            if (reply->op == Operation::getChildren && event.client == client && !chain.answered.valid())
                chain.answered = next;
        } else if (const auto* fired = std::get_if<trace::WatchFired>(&event.what)) {
            if (chain.woken.valid() || event.client != client)
                return chain;
            if (fired->kind == trace::WatchKind::deleted || fired->kind == trace::WatchKind::childrenChanged)
                chain.woken = next;
        } else if (std::holds_alternative<trace::AcquireCalled>(event.what)) {
            return chain;
        }
        limit = next.value;
        next = event.cause;
    }
    return chain;
}

Handoff handoffFrom(const EndedHold& hold, const Chain& chain, const trace::TraceStore& store,
                    EventIndex acquired)
{
    const trace::Event& event = store.at(acquired);
    Handoff result;
    result.lock = event.lock;
    result.from = hold.client;
    result.to = event.client;
    result.released = hold.at;
    result.releaseEvent = hold.event;
    result.acquired = std::max(event.at, hold.at);
    result.acquiredEvent = acquired;
    result.wokenEvent = chain.woken;
    const auto within = [&](TraceTime time, TraceTime earliest) {
        return std::clamp(time, earliest, result.acquired);
    };
    const bool deletedIt = chain.deleted.valid() &&
                           sameName(std::get<trace::Request>(store.at(chain.deleted).what).node, hold.node);
    const TraceTime sent = deletedIt ? store.at(chain.deleted).at : hold.requested;
    result.requested = sent == kForever ? result.released : within(sent, result.released);
    result.requestEvent = deletedIt ? chain.deleted : hold.requestedBy;
    result.woken = chain.woken.valid() ? within(store.at(chain.woken).at, result.requested) : result.acquired;
    result.committed = std::clamp(hold.committed, result.requested, result.woken);
    const bool listedAgain = chain.woken.valid() && chain.listed.valid();
    result.listed = listedAgain ? within(store.at(chain.listed).at, result.woken) : result.woken;
    const bool answered = listedAgain && chain.answered.valid() && chain.answered > chain.listed;
    result.answered = answered ? within(store.at(chain.answered).at, result.listed) : result.listed;
    result.commitEvent = hold.committedBy;
    result.listEvent = listedAgain ? chain.listed : EventIndex::none();
    result.answerEvent = answered ? chain.answered : EventIndex::none();
    result.ended = hold.number;
    return result;
}

} // namespace

EndedHold* LockHandoffs::find(trace::Text node)
{
    const auto found = std::find_if(ended.rbegin(), ended.rend(),
                                    [&](const EndedHold& hold) { return sameName(hold.node, node); });
    return found == ended.rend() ? nullptr : &*found;
}

// After the event is applied.
void Fold::followHandoffs()
{
    LockHandoffs* lock = m_event.lock.value < m_state.locks.size()
                             ? &m_state.book.locks[m_event.lock.value].handoffs
                             : nullptr;
    if (lock && m_facts.granted) {
        findHandoff(*lock);
        ++lock->holders;
    }
    for (const Facts::Ended& hold : m_facts.ended) {
        if (hold.lock.value >= m_state.locks.size())
            continue;
        const bool gone =
            node_queue::find(m_state.locks[hold.lock.value], hold.node) == node_queue::kNotFound;
        LockHandoffs& own = m_state.book.locks[hold.lock.value].handoffs;
        remember(own.ended, {.client = hold.client,
                             .node = hold.node,
                             .at = m_event.at,
                             .event = m_index,
                             .goneBy = gone ? m_index : EventIndex::none(),
                             .number = m_state.book.endedHolds++});
        own.holders -= std::min(own.holders, 1U);
    }
    if (lock)
        followNode(*lock);
}

// What the event says of the node of an ended hold, or of a foreign one.
void Fold::followNode(LockHandoffs& lock)
{
    const auto gone = [&](trace::Text node) {
        if (EndedHold* hold = lock.find(node); hold && m_event.at < hold->committed) {
            hold->committed = m_event.at;
            hold->committedBy = m_index;
        }
    };
    if (const auto* request = std::get_if<trace::Request>(&m_event.what)) {
        EndedHold* hold = request->op == Operation::remove ? lock.find(request->node) : nullptr;
        if (hold && m_event.at < hold->requested) {
            hold->requested = m_event.at;
            hold->requestedBy = m_index;
        }
    } else if (const auto* reply = std::get_if<trace::Reply>(&m_event.what)) {
        if (reply->op == Operation::remove &&
            (reply->outcome == trace::Outcome::ok || reply->outcome == trace::Outcome::noNode))
            gone(reply->node);
    } else if (const auto* fired = std::get_if<trace::WatchFired>(&m_event.what)) {
        if (fired->kind == trace::WatchKind::deleted)
            gone(fired->node);
        if (fired->kind == trace::WatchKind::deleted || fired->kind == trace::WatchKind::childrenChanged)
            followWakeUp(lock, fired->node);
    } else if (const auto* seen = std::get_if<trace::NodeSeen>(&m_event.what)) {
        if (seen->foreign && !m_event.client.valid())
            remember(lock.foreign, seen->node);
    } else if (const auto* vanished = std::get_if<trace::NodeVanished>(&m_event.what)) {
        gone(vanished->node);
    }
}

// A client's watch fired: on the node, or on the list because of the event's cause.
void Fold::followWakeUp(LockHandoffs& lock, trace::Text node)
{
    const EndedHold* hold = node.empty() ? nullptr : lock.find(node);
    if (!hold && m_event.cause.valid()) {
        const auto found = std::ranges::find_if(lock.ended, [&](const EndedHold& one) {
            return one.requestedBy == m_event.cause || one.event == m_event.cause;
        });
        hold = found == lock.ended.end() ? nullptr : &*found;
    }
    if (hold && hold->client != m_event.client) // a watch on the client's own node wakes no waiting client
        m_facts.woken = hold->number;
}

// The event's client got the lock. That is no handoff if the lock was already free or still has holders: no
// watch woke the client, and the last hold's node was gone before the client asked, or other clients still
// hold. In statistics, several clients that one end lets in are one handoff.
void Fold::findHandoff(LockHandoffs& lock)
{
    if (lock.ended.empty())
        return;
    const Chain chain = follow(m_store, m_index.value);
    EndedHold* hold = nullptr;
    if (chain.woken.valid()) {
        const trace::Text gone = std::get<trace::WatchFired>(m_store.at(chain.woken).what).node;
        if (!gone.empty() &&
            std::ranges::any_of(lock.foreign, [&](trace::Text node) { return sameName(node, gone); }))
            return; // handed over by a foreign client, which has no lane
        hold = lock.find(gone);
    }
    if (!hold) {
        // The client never slept, or a waiter ahead gave up: the last hold, if the client asked before its
        // node was gone.
        hold = &lock.ended.back();
        if (!m_facts.askedBy.valid() || (hold->goneBy.valid() && hold->goneBy < m_facts.askedBy) ||
            (lock.holders > 0 && !chain.woken.valid()))
            return;
    }
    Handoff handoff = handoffFrom(*hold, chain, m_store, m_index);
    handoff.paused = m_state.pauses.since(handoff.released);
    m_facts.handedOver = handoff;
    if (std::exchange(hold->handedOver, true))
        return;
    ++m_state.statistics.handoffs;
    // In a watched lock's queue the next node is first at the same moment, which does not show how long its
    // client took.
    if (handoff.paused || m_state.locks[m_event.lock.value].watched)
        return;
    m_facts.handoff = handoff.latency();
    m_state.statistics.handoff.add(*m_facts.handoff);
}

} // namespace lockscope::replay
