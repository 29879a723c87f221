#include "core/replay/timeline/handoff_finder.h"

#include <algorithm>

namespace lockscope::replay {

namespace {

// More causes than any handoff has. An acquisition that lists and sleeps repeatedly is not followed farther.
constexpr int kMaxCauses = 32;

// Whether the event may say that a node goes or is gone, or that a foreign one is there.
bool isAboutNode(const trace::Event& event)
{
    if (const auto* request = std::get_if<trace::Request>(&event.what))
        return request->op == Operation::remove;
    if (const auto* reply = std::get_if<trace::Reply>(&event.what))
        return reply->op == Operation::remove;
    if (const auto* seen = std::get_if<trace::NodeSeen>(&event.what))
        return seen->foreign && !event.client.valid();
    return std::holds_alternative<trace::WatchFired>(event.what) ||
           std::holds_alternative<trace::NodeVanished>(event.what);
}

bool sameText(trace::Text a, trace::Text b) { return a.data() == b.data() ? a.size() == b.size() : a == b; }

} // namespace

HandoffFinder::Lock* HandoffFinder::of(LockId lock) { return lock.valid() ? &m_locks[lock] : nullptr; }

void HandoffFinder::ended(const Facts::Ended& hold, TraceTime at, EventIndex by)
{
    Lock* state = of(hold.lock);
    if (!state)
        return;
    state->holds[state->endedCount++ % kRemembered] = {.client = hold.client,
                                                       .node = hold.node,
                                                       .at = at,
                                                       .event = by,
                                                       .number =
                                                           static_cast<std::uint32_t>(m_wakeUps.size())};
    m_wakeUps.push_back(0);
    state->holders -= std::min<std::size_t>(state->holders, 1);
}

HandoffFinder::EndedHold* HandoffFinder::find(Lock& lock, trace::Text node)
{
    const std::size_t remembered = std::min(lock.endedCount, kRemembered);
    for (std::size_t back = 1; back <= remembered; ++back) {
        EndedHold& hold = lock.holds[(lock.endedCount - back) % kRemembered];
        if (sameText(hold.node, node))
            return &hold;
    }
    return nullptr;
}

HandoffFinder::EndedHold* HandoffFinder::findEndedBy(Lock& lock, EventIndex cause)
{
    const auto end = lock.holds.begin() + static_cast<std::ptrdiff_t>(std::min(lock.endedCount, kRemembered));
    const auto found = std::find_if(lock.holds.begin(), end, [&](const EndedHold& hold) {
        return cause.valid() && (hold.requestedBy == cause || hold.event == cause);
    });
    return found == end ? nullptr : &*found;
}

void HandoffFinder::woken(const trace::Event& event, trace::Text node)
{
    Lock& state = m_locks[event.lock];
    const EndedHold* hold = node.empty() ? nullptr : find(state, node);
    if (!hold)
        hold = findEndedBy(state, event.cause);
    if (hold && hold->client != event.client) // a watch on the client's own node wakes no waiting client
        ++m_wakeUps[hold->number];
}

std::optional<Handoff> HandoffFinder::apply(const trace::TraceStore& store, std::size_t index, TraceTime at,
                                            const Facts& facts)
{
    const trace::Event& event = store.at(index);
    if (!facts.granted && facts.ended.empty() && !isAboutNode(event))
        return std::nullopt;
    const EventIndex self{static_cast<std::uint32_t>(index)};
    Lock* lock = of(event.lock);
    std::optional<Handoff> handoff;
    if (lock && facts.granted) {
        handoff = acquired(*lock, store, index, facts.askedAt);
        ++lock->holders;
    }
    for (const Facts::Ended& hold : facts.ended)
        ended(hold, at, self);
    if (!lock || !isAboutNode(event))
        return handoff;
    const auto gone = [&](trace::Text node) {
        if (EndedHold* hold = find(*lock, node); hold && at < hold->committed) {
            hold->committed = at;
            hold->committedBy = self;
        }
    };
    if (const auto* request = std::get_if<trace::Request>(&event.what)) {
        if (EndedHold* hold = find(*lock, request->node); hold && at < hold->requested) {
            hold->requested = at;
            hold->requestedBy = self;
        }
    } else if (const auto* reply = std::get_if<trace::Reply>(&event.what)) {
        if (reply->outcome == trace::Outcome::ok || reply->outcome == trace::Outcome::noNode)
            gone(reply->node);
    } else if (const auto* fired = std::get_if<trace::WatchFired>(&event.what)) {
        if (fired->kind == trace::WatchKind::deleted)
            gone(fired->node);
        if (fired->kind == trace::WatchKind::deleted || fired->kind == trace::WatchKind::childrenChanged)
            woken(event, fired->node);
    } else if (const auto* seen = std::get_if<trace::NodeSeen>(&event.what)) {
        lock->foreign[lock->foreignCount++ % kRemembered] = seen->node;
    } else if (const auto* vanished = std::get_if<trace::NodeVanished>(&event.what)) {
        gone(vanished->node);
    }
    return handoff;
}

HandoffFinder::Chain HandoffFinder::follow(const trace::TraceStore& store, std::size_t index)
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

std::optional<Handoff> HandoffFinder::acquired(Lock& lock, const trace::TraceStore& store, std::size_t index,
                                               TraceTime askedAt)
{
    if (lock.endedCount == 0)
        return std::nullopt;
    const trace::Event& event = store.at(index);
    const Chain chain = follow(store, index);
    const EndedHold* hold = nullptr;
    if (chain.woken.valid()) {
        const trace::Text gone = std::get<trace::WatchFired>(store.at(chain.woken).what).node;
        const auto isGone = [&](trace::Text node) { return !node.empty() && sameText(node, gone); };
        if (std::any_of(lock.foreign.begin(), lock.foreign.end(), isGone))
            return std::nullopt; // handed over by a foreign client, which has no lane
        hold = find(lock, gone);
    }
    if (!hold) {
        // The client never slept, or a waiter ahead gave up: take the last hold if that ended while the
        // client waited.
        hold = &lock.holds[(lock.endedCount - 1) % kRemembered];
        if (askedAt == kForever || hold->at < askedAt || (lock.holders > 0 && !chain.woken.valid()))
            return std::nullopt;
    }

    Handoff result;
    result.lock = event.lock;
    result.from = hold->client;
    result.to = event.client;
    result.released = hold->at;
    result.releaseEvent = hold->event;
    result.acquired = std::max(event.at, hold->at);
    result.acquiredEvent = EventIndex{static_cast<std::uint32_t>(index)};
    result.wokenEvent = chain.woken;
    const auto within = [&](TraceTime time, TraceTime earliest) {
        return std::clamp(time, earliest, result.acquired);
    };
    const bool deletedIt = chain.deleted.valid() &&
                           sameText(std::get<trace::Request>(store.at(chain.deleted).what).node, hold->node);
    const TraceTime sent = deletedIt ? store.at(chain.deleted).at : hold->requested;
    result.requested = sent == kForever ? result.released : within(sent, result.released);
    result.requestEvent = deletedIt ? chain.deleted : hold->requestedBy;
    result.woken = chain.woken.valid() ? within(store.at(chain.woken).at, result.requested) : result.acquired;
    result.committed = std::clamp(hold->committed, result.requested, result.woken);
    const bool listedAgain = chain.woken.valid() && chain.listed.valid();
    result.listed = listedAgain ? within(store.at(chain.listed).at, result.woken) : result.woken;
    const bool answered = listedAgain && chain.answered.valid() && chain.answered > chain.listed;
    result.answered = answered ? within(store.at(chain.answered).at, result.listed) : result.listed;
    result.commitEvent = hold->committedBy;
    result.listEvent = listedAgain ? chain.listed : EventIndex::none();
    result.answerEvent = answered ? chain.answered : EventIndex::none();
    result.ended = hold->number;
    return result;
}

std::size_t HandoffFinder::memoryBytes() const
{
    return m_locks.size() * sizeof(*m_locks.begin()) + m_wakeUps.capacity() * sizeof(m_wakeUps[0]);
}

} // namespace lockscope::replay
