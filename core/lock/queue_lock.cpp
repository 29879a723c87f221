#include "core/lock/queue_lock.h"

#include "core/lock/internal/acquire_op.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/reasons.h"

namespace lockscope::lock {

namespace {

bool holdsWith(const QueueCore& core, OwnerId owner, const std::string& node)
{
    const auto held = core.holds.find(owner);
    return held != core.holds.end() && held->second.node == node;
}

// Does not await the reply to the announcement. Sends it after the new holder has run: a holder that releases
// at once announces nothing, so that its delete does not wait behind the announcement. The reply may be the
// first to say that the node is gone: the announcement itself consumes the watch that the waiter had on it.
void announceSoon(std::shared_ptr<QueueCore> core, OwnerId owner, std::string node, EventIndex cause)
{
    zk::Scheduler& scheduler = core->nodeClient.session().scheduler();
    scheduler.post([core = std::move(core), owner, node = std::move(node), cause] {
        if (!holdsWith(*core, owner, node))
            return;
        core->nodeClient.write(
            node, withAnnouncement(core->options.nodeData),
            [weak = std::weak_ptr(core), owner, node](const Answer<zk::StatReply>& answer) {
                const auto self = weak.lock();
                if (self && answer.value.code == zk::Code::noNode && holdsWith(*self, owner, node))
                    self->loseHold(owner, LostReason::nodeDeleted, answer.event);
            },
            cause);
    });
}

Error lostBeforeReentry(const QueueCore& core)
{
    return Error{ErrorCode::sessionLost,
                 message("The lock %1 was lost before it was entered again.", core.nodeClient.path()),
                 {}};
}

// Asks nothing of the server, but its caller must learn of the grant in a later turn of the loop (an
// operation of Asio never completes inside the function that starts it). In the meantime the hold may be
// lost, and its listeners called.
zk::Task<Result<Grant>> enterAgain(std::shared_ptr<QueueCore> core, OwnerId owner)
{
    co_await passGate(core->gate, GateStep::reenter);
    auto held = core->holds.find(owner);
    // When the session is over, the loss is about to be reported.
    if (held == core->holds.end() || isOver(core->nodeClient.session().phase())) {
        co_return lostBeforeReentry(*core);
    }
    Hold& hold = held->second;
    if (!hold.releaseRefused && hold.depth == kMaxDepth) {
        co_return tooDeepError(core->nodeClient.path());
    }
    if (!std::exchange(hold.releaseRefused, false))
        ++hold.depth;
    core->nodeClient.sink().record(event::Reentered{hold.depth, owner});
    const Grant grant{hold.node, hold.token, hold.depth};
    co_await nextTurn(core->nodeClient.sessionPtr());
    if (core->isShutDown) {
        co_return destroyedError(core->nodeClient.path());
    }
    held = core->holds.find(owner);
    const bool stillHeld = held != core->holds.end() && held->second.token == grant.token;
    if (!stillHeld && core->lostOwners.contains(owner)) {
        co_return lostBeforeReentry(*core);
    }
    co_return grant;
}

EventIndex recordCall(const QueueCore& core, OwnerId owner, std::optional<Duration> limit)
{
    return core.nodeClient.sink().record(event::AcquireCalled{owner, limit});
}

Error recordFailure(const QueueCore& core, OwnerId owner, Error error, EventIndex called, MonotonicTime begin)
{
    const EventSink& sink = core.nodeClient.sink();
    sink.record(event::AcquireFailed{error, owner, sink.since(begin)}, called);
    return error;
}

Error notHeld(QueueCore& core, OwnerId owner)
{
    const std::string& path = core.nodeClient.path();
    const Message who = describeOwner(core.options.observer.get(), owner);
    const std::optional<LostReason> lost = core.lostOwners.take(owner);
    if (!lost)
        return Error{ErrorCode::notOwner, message("The lock %1 is not held by %2.", path, who),
                     message("Release exactly as often as you acquired, by the same owner.")};
    if (*lost == LostReason::nodeDeleted)
        return Error{ErrorCode::noNode,
                     message("The lock %1 is not held by %2: its node was deleted.", path, who),
                     {}};
    return Error{ErrorCode::sessionLost,
                 message("The lock %1 is not held by %2: it was lost with the session.", path, who),
                 {}};
}

} // namespace

QueueLock::QueueLock(zk::SessionPtr session, LockOptions options, Rule rule,
                     FindInheritedPosition findInheritedPosition)
    : RecipeLock(std::make_shared<QueueCore>(std::move(session), std::move(options), rule,
                                             std::move(findInheritedPosition)))
{
    core()->listenToSession();
}

std::shared_ptr<QueueCore> QueueLock::core() const
{
    return std::static_pointer_cast<QueueCore>(m_core.shared());
}

void QueueLock::makeRevocable(std::function<void(OwnerId)> callback)
{
    const std::shared_ptr<QueueCore> queue = core();
    queue->revokeCallback = std::move(callback);
    queue->options.nodeData.clear(); // as in Curator: data in the node is a message to the holder
    queue->invalidOptions = checkOptions(queue->options);
}

std::optional<Grant> QueueLock::held(OwnerId owner) const { return core()->grantOf(owner); }

zk::Task<Result<Grant>> QueueCore::acquire([[maybe_unused]] std::shared_ptr<LockCore> self, OwnerId owner,
                                           std::optional<Duration> limit, LinkedCancelToken linked)
{
    const std::shared_ptr<QueueCore> core = shared_from_this();
    const CancelToken& cancel = linked.get();
    if (core->isShutDown) {
        co_return destroyedError(core->nodeClient.path());
    }
    if (core->invalidOptions) {
        co_return *core->invalidOptions;
    }
    const MonotonicTime begin = core->nodeClient.sink().now();
    if (core->releases.contains(owner)) {
        const std::optional<Error> stopped = co_await core->releases.waitForRelease(
            owner, core->nodeClient.sessionPtr(), core->nodeClient.path(), &limit, cancel,
            core->options.timeouts);
        if (stopped) {
            co_return recordFailure(*core, owner, *stopped, recordCall(*core, owner, limit), begin);
        }
    }
    if (core->holds.contains(owner)) {
        Result<Grant> again = co_await enterAgain(core, owner);
        co_return again;
    }
    if (core->acquiring.contains(owner)) {
        co_return Error{ErrorCode::busy,
                        message("%1 is already waiting for the lock %2.",
                                describeOwner(core->options.observer.get(), owner), core->nodeClient.path()),
                        message("Give every logical thread an owner of its own.")};
    }
    if (!core->lostOwners.empty())
        core->lostOwners.take(owner);
    if (core->refusals.wanted)
        core->refusals.take(owner); // of an acquire before
    const EventIndex called = recordCall(*core, owner, limit);
    std::unique_ptr<AcquireOp> op = std::make_unique<AcquireOp>(core, owner, called, limit, cancel);
    if (op->begin())
        co_await op->created();
    Result<Hold> hold = Error{};
    if (op->wasGrantedUncontended())
        hold = op->takeHold();
    else
        hold = co_await op->run();
    if (!hold) {
        co_return recordFailure(*core, owner, hold.error(), called, begin);
    }
    const Zxid token = hold->token;
    Grant grant{hold->node, token, hold->depth};
    core->addHold(owner, std::move(*hold));
    const EventSink& sink = core->nodeClient.sink();
    const EventIndex acquired =
        sink.record(event::Acquired{grant.node, token, owner, sink.since(begin)}, op->cause());
    if (core->announces() && op->contended())
        announceSoon(core, owner, grant.node, acquired);
    // Destroy the operation later, off the critical path of the new holder.
    core->nodeClient.session().scheduler().post([done = std::move(op)] {});
    co_return grant;
}

zk::Task<Result<void>> QueueCore::release([[maybe_unused]] std::shared_ptr<LockCore> self, OwnerId owner)
{
    const std::shared_ptr<QueueCore> core = shared_from_this();
    if (core->isShutDown) {
        co_return destroyedError(core->nodeClient.path());
    }
    const EventSink& sink = core->nodeClient.sink();
    auto held = core->holds.find(owner);
    if (held == core->holds.end()) {
        co_return notHeld(*core, owner);
    }
    const EventIndex called = sink.record(event::ReleaseCalled{held->second.node, held->second.depth, owner});
    if (held->second.depth > 1) {
        if (!core->isGateOpen())
            co_await passGate(core->gate, GateStep::release);
        held = core->holds.find(owner);
        if (held == core->holds.end()) {
            co_return notHeld(*core, owner);
        }
        --held->second.depth;
        sink.record(event::Released{held->second.node, held->second.depth, owner}, called);
        co_return Result<void>{};
    }
    std::optional<LastUncontended> alone;
    if (held->second.uncontendedNumber >= 0)
        alone = LastUncontended{held->second.uncontendedNumber, held->second.token};
    Hold hold = std::move(held->second);
    const std::string& node = hold.node;
    hold.watch.reset();
    core->holds.erase(held);
    const PendingReleases::Guard underWay(core->releases, owner);
    if (!core->isGateOpen())
        co_await passGate(core->gate, GateStep::remove);
    zk::Pending<Answer<zk::Code>> removed;
    core->nodeClient.remove(node, removed.handler(), called);
    Answer<zk::Code> gone = co_await removed.arrival();
    if (gone.value != zk::Code::ok)
        gone = co_await continueDeleting(core->nodeClient, node, called, gone);
    if (zk::isFinal(gone.value)) {
        Error refused = notDeletedError(core->nodeClient, node);
        core->restoreHold(owner, std::move(hold));
        co_return refused;
    }
    if (gone.value == zk::Code::ok)
        core->lastUncontended = alone;
    if (!core->isGateOpen())
        co_await passGate(core->gate, GateStep::gone);
    sink.record(event::Released{node, 0, owner, sink.since(hold.since)}, gone.event);
    co_return Result<void>{};
}

} // namespace lockscope::lock
