#include "core/lock/semaphore.h"

#include "core/lock/internal/lock_core.h"
#include "core/lock/internal/op_control.h"
#include "core/lock/internal/pending_releases.h"
#include "core/lock/internal/queue_core.h"
#include "core/lock/internal/reasons.h"

#include <algorithm>
#include <utility>

namespace lockscope::lock {

namespace {

struct SemaphoreMutexCore final : LockCore, std::enable_shared_from_this<SemaphoreMutexCore>
{
    SemaphoreMutexCore(zk::SessionPtr s, SemaphoreOptions options)
        : LockCore(s->scheduler())
        , observer(options.lock.observer)
        , sink(observer, options.lock.path, s->scheduler())
        , session(s)
        , itsPath(options.lock.path)
        , timeouts(options.lock.timeouts)
        , semaphore(std::make_unique<Semaphore>(std::move(s), std::move(options)))
    {}
    zk::Task<Result<Grant>> acquire(std::shared_ptr<LockCore> self, OwnerId owner,
                                    std::optional<Duration> limit, LinkedCancelToken cancel) override;
    zk::Task<Result<void>> release(std::shared_ptr<LockCore> self, OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override { return lease && lease->owner == owner ? 1 : 0; }
    const std::string& path() const override { return itsPath; }
    void explainTimeouts() override { semaphore->explainTimeouts(); }
    std::optional<Refusal> takeRefusal(OwnerId owner) override { return semaphore->takeRefusal(owner); }
    void shutDown() override
    {
        lostListeners.clear();
        releases.close();
        semaphore.reset();
    }
    void loseLease(const Lease& lost)
    {
        if (lease && lease->node == lost.node) {
            lostLease = std::exchange(lease, std::nullopt);
            releaseRefused = false;
        }
        lostListeners.notify(lost.owner); // may destroy the lock
    }

    std::shared_ptr<Observer> observer;
    EventSink sink;
    zk::SessionPtr session;
    std::string itsPath;
    Timeouts timeouts;
    std::unique_ptr<Semaphore> semaphore; // null after the shutdown
    std::optional<Lease> lease;           // the lease that is held, if any
    bool releaseRefused = false;          // of `lease`: the server did not delete its node
    PendingReleases releases;
    std::optional<Lease> lostLease; // lost, and not yet reported by a release
};

bool isOut(const Semaphore& semaphore, const Lease& lease)
{
    const std::vector<Lease> held = semaphore.held();
    return std::any_of(held.begin(), held.end(), [&](const Lease& one) { return one.node == lease.node; });
}

SemaphoreOptions oneLease(LockOptions options, std::shared_ptr<Observer> acquireMutexObserver)
{
    SemaphoreOptions semaphore;
    semaphore.lock = std::move(options);
    semaphore.leases = 1;
    semaphore.acquireMutexObserver = std::move(acquireMutexObserver);
    return semaphore;
}

std::shared_ptr<LockCore> makeSemaphoreMutexCore(zk::SessionPtr session, SemaphoreOptions options)
{
    const auto core = std::make_shared<SemaphoreMutexCore>(std::move(session), std::move(options));
    core->semaphore->onLost([weak = std::weak_ptr(core)](const Lease& lost) {
        if (const auto alive = weak.lock())
            alive->loseLease(lost);
    });
    return core;
}

zk::Task<Result<Grant>> SemaphoreMutexCore::acquire([[maybe_unused]] std::shared_ptr<LockCore> self,
                                                    OwnerId owner, std::optional<Duration> limit,
                                                    LinkedCancelToken linked)
{
    const std::shared_ptr<SemaphoreMutexCore> state = shared_from_this();
    if (!state->semaphore) {
        co_return destroyedError(state->itsPath);
    }
    if (state->releases.contains(owner)) {
        const std::optional<Error> stopped = co_await state->releases.waitForRelease(
            owner, state->session, state->itsPath, &limit, linked.get(), state->timeouts);
        if (stopped) {
            co_return *stopped;
        }
    }
    if (state->lease && state->lease->owner == owner && std::exchange(state->releaseRefused, false)) {
        const Error lost{ErrorCode::sessionLost,
                         message("The lock %1 was lost before it was entered again.", state->itsPath),
                         {}};
        if (isOver(state->session->phase())) {
            co_return lost;
        }
        state->sink.record(event::Reentered{1, owner});
        const Grant grant{state->lease->node, state->lease->token, 1};
        co_await nextTurn(state->session); // the lease may be lost meanwhile, as in QueueLock
        if (!state->semaphore) {
            co_return destroyedError(state->itsPath);
        }
        if (state->lostLease && state->lostLease->node == grant.node) {
            co_return lost;
        }
        co_return grant;
    }
    const auto leases = co_await state->semaphore->acquire(owner, 1, limit, linked.get());
    if (!leases) {
        co_return leases.error();
    }
    // A lease that is still recorded here must be gone, otherwise this one would not have been granted: its
    // loss has not been reported yet.
    if (state->lease)
        state->lostLease = state->lease;
    state->lease = leases->front();
    state->releaseRefused = false;
    if (state->lostLease && state->lostLease->owner == owner)
        state->lostLease.reset();
    co_return Grant{state->lease->node, state->lease->token, 1};
}

zk::Task<Result<void>> SemaphoreMutexCore::release([[maybe_unused]] std::shared_ptr<LockCore> self,
                                                   OwnerId owner)
{
    const std::shared_ptr<SemaphoreMutexCore> state = shared_from_this();
    if (!state->semaphore) {
        co_return destroyedError(state->itsPath);
    }
    const auto isOf = [owner](const std::optional<Lease>& one) { return one && one->owner == owner; };
    // An owner that lost its lease must not release the lease of the next owner.
    const bool lost = !state->lease || (isOf(state->lostLease) && !isOf(state->lease));
    const std::optional<Lease> released = std::exchange(lost ? state->lostLease : state->lease, std::nullopt);
    if (!released) {
        co_return Error{ErrorCode::notOwner,
                        message("The lock %1 is not held, but %2 tried to release it.", state->itsPath,
                                describeOwner(state->observer.get(), owner)),
                        message("Release exactly as often as you acquired.")};
    }
    state->releaseRefused = false;
    const PendingReleases::Guard underWay(state->releases, released->owner);
    const Result<void> result = co_await state->semaphore->release(*released);
    if (!result && result.error().code == ErrorCode::noAuth && !state->lease && state->semaphore &&
        isOut(*state->semaphore, *released)) {
        state->lease = released;
        state->releaseRefused = true;
    }
    co_return result;
}

} // namespace

SemaphoreMutex::SemaphoreMutex(zk::SessionPtr session, LockOptions options,
                               std::shared_ptr<Observer> acquireMutexObserver)
    : RecipeLock(makeSemaphoreMutexCore(std::move(session),
                                        oneLease(std::move(options), std::move(acquireMutexObserver))))
{}

} // namespace lockscope::lock
