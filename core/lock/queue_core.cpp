#include "core/lock/queue_core.h"

#include "core/lock/acquire_op.h"
#include "core/lock/guaranteed_delete.h"
#include "core/lock/reasons.h"
#include "core/trace/phrase.h"

namespace lockscope::lock {

std::string describeOwner(const TraceSink& sink, OwnerId owner)
{
    std::string text = "thread " + std::to_string(owner.value);
    if (sink.client.valid())
        text = trace::clientNumber(sink.client) + ", " + text;
    return text;
}

QueueCore::QueueCore(zk::SessionPtr session, LockOptions given, Rule r, PlaceOf place)
    : wire(std::move(session), given.path, given.naming, given.trace, given.onError)
    , options(std::move(given))
    , rule(options.flaws.wrongNeighbour ? Rule::watchesTheLast : r)
    , placeOf(std::move(place))
    , lostListeners(wire.session().scheduler())
{}

std::string QueueCore::newPrefix()
{
    if (!options.keptGuid.empty() && !std::exchange(keptGuidUsed, true))
        return NodeNaming::protectionPrefix(options.keptGuid);
    if (readyPrefix.empty())
        return NodeNaming::protectionPrefix(guids.next());
    return std::exchange(readyPrefix, {});
}

void QueueCore::listenToSession()
{
    listener = wire.session().listen([weak = weak_from_this()](zk::SessionPhase phase) {
        const auto self = weak.lock();
        if (self && (phase == zk::SessionPhase::lost || phase == zk::SessionPhase::closed))
            self->loseAll(lostReason(self->wire.session()));
    });
}

// What the holder's turn does not have to wait for comes after it.
void QueueCore::addHold(OwnerId owner, Hold hold)
{
    const Zxid token = hold.token;
    holds.emplace(owner, std::move(hold));
    wire.session().scheduler().post([weak = weak_from_this(), owner, token] {
        const auto self = weak.lock();
        if (!self || self->shut)
            return;
        if (self->readyPrefix.empty())
            self->readyPrefix = NodeNaming::protectionPrefix(self->guids.next());
        const auto held = self->holds.find(owner);
        if (held != self->holds.end() && held->second.token == token && !held->second.watch)
            self->watchHold(owner, self->options.watchHoldAfter);
    });
}

void QueueCore::watchHold(OwnerId owner, Duration after)
{
    Hold& hold = holds.at(owner);
    const auto gone = [weak = weak_from_this(), owner](EventIndex event) {
        if (const auto self = weak.lock())
            self->loseHold(owner, trace::LostReason::nodeDeleted, event);
    };
    std::function<void()> revoked;
    if (revokeCallback) {
        revoked = [weak = weak_from_this(), owner] {
            const auto self = weak.lock();
            if (!self || !self->revokeCallback || !self->holds.contains(owner))
                return;
            const std::function<void(OwnerId)> callback = self->revokeCallback; // it may let go of the lock
            zk::callUser(self->wire.session().scheduler(), callback, owner);
        };
    }
    if (revoked)
        after = Duration{};
    hold.watch = std::make_unique<HoldWatch>(wire, hold.node, after, gone, std::move(revoked), options.flaws);
}

// The server asks for the right to delete before it looks for the node, so it may be gone: the watch says so.
void QueueCore::keepHold(OwnerId owner, Hold hold)
{
    if (shut)
        return;
    hold.releaseRefused = true;
    holds.insert_or_assign(owner, std::move(hold));
    watchHold(owner, Duration{});
    if (isOver(wire.session().phase()))
        loseHold(owner, lostReason(wire.session()), EventIndex::none());
}

void QueueCore::loseHold(OwnerId owner, trace::LostReason reason, EventIndex cause)
{
    const auto held = holds.find(owner);
    if (held == holds.end())
        return;
    const Hold hold = std::move(held->second);
    holds.erase(held);
    lostOwners.add(owner, reason);
    wire.sink().record(trace::HoldLost{hold.node, reason, owner}, cause);
    lostListeners.notify(owner);
}

void QueueCore::loseAll(trace::LostReason reason)
{
    const auto self = shared_from_this(); // a listener may let go of the lock
    while (!holds.empty())
        loseHold(holds.begin()->first, reason, EventIndex::none());
}

void QueueCore::shutDown()
{
    shut = true;
    lostListeners.clear();
    revokeCallback = nullptr;
    placeOf = nullptr;
    wire.session().unlisten(listener);
    for (const auto& [owner, op] : acquiring)
        op->stop(ErrorCode::closed);
    releases.close();
    for (const auto& [owner, hold] : std::exchange(holds, {}))
        removeLater(wire, hold.node, EventIndex::none());
}

} // namespace lockscope::lock
