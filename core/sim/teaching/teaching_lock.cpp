#include "core/sim/teaching/teaching_lock.h"

#include "core/lock/internal/guaranteed_delete.h"

namespace lockscope::lock {

TeachingLockCore::TeachingLockCore(zk::SessionPtr session, LockOptions given)
    : LockCore(session->scheduler())
    , NodeCore(session, given.path, given.naming, given)
    , options(std::move(given))
{}

void TeachingLockCore::loseAll(LostReason reason)
{
    const auto self = shared_from_this(); // a listener may destroy the lock
    releaseRefused.clear();
    for (const auto& [owner, grant] : std::exchange(holds, {})) {
        nodeClient.sink().record(event::HoldLost{grant.node, reason, owner});
        lostListeners.notify(owner);
    }
}

void TeachingLockCore::shutDown()
{
    isShutDown = true;
    lostListeners.clear();
    stopListening();
    for (OpControl* control : waiting)
        control->stop(ErrorCode::closed);
    releases.close();
    for (const auto& [owner, grant] : std::exchange(holds, {}))
        deleteInBackground(nodeClient, grant.node, EventIndex::none());
}

std::uint16_t TeachingLockCore::depth(OwnerId owner) const
{
    const auto held = holds.find(owner);
    return held == holds.end() ? 0 : held->second.depth;
}

zk::Task<Result<Grant>> TeachingLockCore::acquire([[maybe_unused]] std::shared_ptr<LockCore> self,
                                                  OwnerId owner, std::optional<Duration> limit,
                                                  LinkedCancelToken linked)
{
    const std::shared_ptr<TeachingLockCore> core = shared_from_this();
    if (core->isShutDown) {
        co_return destroyedError(core->path());
    }
    const CancelToken& cancel = linked.get();
    const EventSink& sink = core->nodeClient.sink();
    if (core->releases.contains(owner)) {
        const std::optional<Error> stopped = co_await core->releases.waitForRelease(
            owner, core->nodeClient.sessionPtr(), core->nodeClient.path(), &limit, cancel);
        if (stopped) {
            co_return *stopped;
        }
    }
    if (const auto held = core->holds.find(owner); held != core->holds.end()) {
        if (core->releaseRefused.erase(owner) == 0)
            ++held->second.depth;
        sink.record(event::Reentered{held->second.depth, owner});
        co_return held->second;
    }
    const EventIndex called = sink.record(event::AcquireCalled{owner, limit});
    OpControl control(core->nodeClient.sessionPtr(), limit, cancel, core->gate);
    control.setCause(called);
    const Waiting registered(core->waiting, control);
    Grant grant;
    StepResult next = co_await core->enter(control, grant);
    if (next == StepResult::proceed) {
        co_await control.pass(GateStep::acquired);
        if (control.stopped()) {
            deleteInBackground(core->nodeClient, grant.node, control.cause());
            next = StepResult::failed;
        }
    }
    if (next != StepResult::proceed) {
        const Error error = control.failure(core->nodeClient.path());
        sink.record(event::AcquireFailed{error, owner}, called);
        co_return error;
    }
    core->holds[owner] = grant;
    sink.record(event::Acquired{grant.node, grant.token.value_or(Zxid::none()), owner}, control.cause());
    co_return grant;
}

zk::Task<Result<void>> TeachingLockCore::release([[maybe_unused]] std::shared_ptr<LockCore> self,
                                                 OwnerId owner)
{
    const std::shared_ptr<TeachingLockCore> core = shared_from_this();
    if (core->isShutDown) {
        co_return destroyedError(core->path());
    }
    const EventSink& sink = core->nodeClient.sink();
    const auto held = core->holds.find(owner);
    if (held == core->holds.end()) {
        co_return Error{ErrorCode::notOwner,
                        message("The lock %1 is not held by this owner.", core->nodeClient.path()),
                        message("Release exactly as often as you acquired, by the same owner.")};
    }
    const EventIndex called = sink.record(event::ReleaseCalled{held->second.node, held->second.depth, owner});
    if (--held->second.depth > 0) {
        sink.record(event::Released{held->second.node, held->second.depth, owner}, called);
        co_return Result<void>{};
    }
    Grant grant = std::move(held->second);
    grant.depth = 1;
    const std::string& node = grant.node;
    core->holds.erase(held);
    core->releaseRefused.erase(owner);
    const PendingReleases::Guard underWay(core->releases, owner);
    co_await passGate(core->gate, GateStep::remove);
    const Answer<zk::Code> gone = co_await deleteUntilGone(core->nodeClient, node, called);
    if (zk::isFinal(gone.value)) {
        if (!isOver(core->nodeClient.session().phase()) && !core->isShutDown) {
            core->holds[owner] = grant;
            core->releaseRefused.insert(owner);
        }
        co_return notDeletedError(core->nodeClient, node);
    }
    co_await passGate(core->gate, GateStep::gone);
    sink.record(event::Released{node, 0, owner}, gone.event);
    co_return Result<void>{};
}

} // namespace lockscope::lock
