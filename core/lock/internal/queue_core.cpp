#include "core/lock/internal/queue_core.h"

#include "core/base/node_path.h"
#include "core/lock/internal/acquire_op.h"
#include "core/lock/internal/guaranteed_delete.h"

namespace lockscope::lock {

Message describeOwner(const Observer* observer, OwnerId owner)
{
    const ClientId client = RecipeHooks::of(observer).client;
    if (!client.valid())
        return message("thread %1", owner.value);
    return message("client %1, thread %2", std::uint64_t{client.value} + 1, owner.value);
}

std::optional<Error> checkOptions(const LockOptions& options)
{
    std::optional<Error> wrong = checkNodePath(options.path);
    if (!wrong)
        wrong = checkNodePath("/-" + options.naming.lockName); // the end of the name of its nodes
    return wrong ? wrong : checkNodeData(options.nodeData);
}

QueueCore::QueueCore(zk::SessionPtr session, LockOptions given, Rule r, FindInheritedPosition place)
    : LockCore(session->scheduler())
    , NodeCore(session, given.path, given.naming, given)
    , options(std::move(given))
    , rule(r)
    , findInheritedPosition(std::move(place))
    , invalidOptions(checkOptions(options))
{}

std::string QueueCore::newPrefix()
{
    if (!options.keptGuid.empty() && !std::exchange(keptGuidUsed, true))
        return NodeNaming::protectionPrefix(options.keptGuid);
    if (precomputedPrefix.empty())
        return NodeNaming::protectionPrefix(guids.next());
    return std::exchange(precomputedPrefix, {});
}

std::uint16_t QueueCore::depth(OwnerId owner) const
{
    const auto hold = holds.find(owner);
    return hold == holds.end() ? 0 : hold->second.depth;
}

std::optional<Grant> QueueCore::grantOf(OwnerId owner) const
{
    const auto hold = holds.find(owner);
    if (hold == holds.end())
        return std::nullopt;
    return Grant{hold->second.node, hold->second.token, hold->second.depth};
}

// A posted function makes the next prefix and watches the hold: the new holder does not wait for that.
void QueueCore::addHold(OwnerId owner, Hold hold)
{
    const Zxid token = hold.token;
    holds.emplace(owner, std::move(hold));
    nodeClient.session().scheduler().post([weak = weak_from_this(), owner, token] {
        const auto self = weak.lock();
        if (!self || self->isShutDown)
            return;
        if (self->precomputedPrefix.empty())
            self->precomputedPrefix = NodeNaming::protectionPrefix(self->guids.next());
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
            self->loseHold(owner, LostReason::nodeDeleted, event);
    };
    std::function<void()> revoked;
    if (revokeCallback) {
        revoked = [weak = weak_from_this(), owner] {
            const auto self = weak.lock();
            if (!self || !self->revokeCallback || !self->holds.contains(owner))
                return;
            const std::function<void(OwnerId)> callback = self->revokeCallback; // may destroy the lock
            zk::invokeUserCallback(self->nodeClient.session().scheduler(), callback, owner);
        };
    }
    if (revoked)
        after = Duration{};
    hold.watch = std::make_unique<HoldWatch>(nodeClient, hold.node, after, gone, std::move(revoked));
}

// The server checks the permission to delete before it looks up the node, so the node may already be gone:
// the watch reports that.
void QueueCore::restoreHold(OwnerId owner, Hold hold)
{
    if (isShutDown)
        return;
    hold.releaseRefused = true;
    holds.insert_or_assign(owner, std::move(hold));
    watchHold(owner, Duration{});
    if (isOver(nodeClient.session().phase()))
        loseHold(owner, lostReason(nodeClient.session()), EventIndex::none());
}

void QueueCore::loseHold(OwnerId owner, LostReason reason, EventIndex cause)
{
    const auto held = holds.find(owner);
    if (held == holds.end())
        return;
    const Hold hold = std::move(held->second);
    holds.erase(held);
    lostOwners.add(owner, reason);
    nodeClient.sink().record(event::HoldLost{hold.node, reason, owner, nodeClient.sink().since(hold.since)},
                             cause);
    lostListeners.notify(owner);
}

void QueueCore::loseAll(LostReason reason)
{
    const auto self = shared_from_this(); // a listener may destroy the lock
    while (!holds.empty())
        loseHold(holds.begin()->first, reason, EventIndex::none());
}

void QueueCore::shutDown()
{
    isShutDown = true;
    lostListeners.clear();
    revokeCallback = nullptr;
    findInheritedPosition = nullptr;
    stopListening();
    for (const auto& [owner, op] : acquiring)
        op->stop(ErrorCode::closed);
    releases.close();
    for (const auto& [owner, hold] : std::exchange(holds, {})) {
        nodeClient.sink().record(event::Abandoned{hold.node, owner, nodeClient.sink().since(hold.since)});
        deleteInBackground(nodeClient, hold.node, EventIndex::none());
    }
}

} // namespace lockscope::lock
