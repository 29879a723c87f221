#include "core/lock/semaphore_mutex.h"

#include "core/lock/internal/op_control.h"
#include "core/lock/internal/pending_releases.h"
#include "core/lock/internal/queue_core.h"
#include "core/lock/internal/reasons.h"

#include <algorithm>
#include <utility>

namespace lockscope::lock {

struct SemaphoreMutex::State
{
    State(zk::SessionPtr s, SemaphoreOptions options)
        : observer(options.lock.observer)
        , sink(observer, options.lock.path, s->scheduler())
        , session(s)
        , path(options.lock.path)
        , semaphore(std::make_unique<Semaphore>(std::move(s), std::move(options)))
    {}

    std::shared_ptr<Observer> observer;
    EventSink sink;
    zk::SessionPtr session;
    std::string path;
    std::unique_ptr<Semaphore> semaphore; // null after the destructor
    std::optional<Lease> lease;           // the lease that is held, if any
    bool releaseRefused = false;          // of `lease`: the server did not delete its node
    PendingReleases releases;
    std::optional<Lease> lostLease; // lost, and not yet reported by a release
};

namespace {

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

} // namespace

SemaphoreMutex::SemaphoreMutex(zk::SessionPtr session, LockOptions options,
                               std::shared_ptr<Observer> acquireMutexObserver)
{
    m_state = std::make_shared<State>(std::move(session),
                                      oneLease(std::move(options), std::move(acquireMutexObserver)));
    m_state->semaphore->onLost([weak = std::weak_ptr(m_state)](const Lease& lost) {
        const auto state = weak.lock();
        if (!state || !state->lease || state->lease->node != lost.node)
            return;
        state->lostLease = std::exchange(state->lease, std::nullopt);
        state->releaseRefused = false;
    });
}

SemaphoreMutex::SemaphoreMutex(SemaphoreMutex&&) noexcept = default;

SemaphoreMutex& SemaphoreMutex::operator=(SemaphoreMutex&& other) noexcept
{
    const std::shared_ptr<State> old = std::exchange(m_state, std::move(other.m_state));
    if (old && old != m_state)
        shutDown(*old);
    return *this;
}

SemaphoreMutex::~SemaphoreMutex()
{
    if (m_state)
        shutDown(*m_state);
}

void SemaphoreMutex::shutDown(State& state)
{
    state.releases.close();
    state.semaphore.reset();
}

zk::Task<Result<Grant>> SemaphoreMutex::acquire(OwnerId owner, std::optional<Duration> limit,
                                                CancelToken cancel)
{
    const CancelToken own;
    return cancelledBy(own, acquire(m_state, owner, limit, own, std::move(cancel))).onScheduler(scheduler());
}

// Static: the lock may be destroyed before we begin, and while we wait.

zk::Task<Result<Grant>> SemaphoreMutex::acquire(std::shared_ptr<State> state, OwnerId owner,
                                                std::optional<Duration> limit, CancelToken own,
                                                CancelToken callers)
{
    const LinkedCancelToken linked(std::move(callers), std::move(own));
    if (!state->semaphore) {
        co_return destroyedError(state->path);
    }
    if (state->releases.contains(owner)) {
        const std::optional<Error> stopped =
            co_await state->releases.waitForRelease(owner, state->session, state->path, &limit, linked.get());
        if (stopped) {
            co_return *stopped;
        }
    }
    if (state->lease && state->lease->owner == owner && std::exchange(state->releaseRefused, false)) {
        const Error lost{ErrorCode::sessionLost,
                         message("The lock %1 was lost before it was entered again.", state->path),
                         {}};
        if (isOver(state->session->phase())) {
            co_return lost;
        }
        state->sink.record(event::Reentered{1, owner});
        const Grant grant{state->lease->node, state->lease->token, 1};
        co_await nextTurn(state->session); // the lease may be lost meanwhile, as in QueueLock
        if (!state->semaphore) {
            co_return destroyedError(state->path);
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

zk::Task<Result<void>> SemaphoreMutex::release(OwnerId owner)
{
    return release(m_state, owner).onScheduler(scheduler());
}

zk::Task<Result<void>> SemaphoreMutex::release(std::shared_ptr<State> state, OwnerId owner)
{
    if (!state->semaphore) {
        co_return destroyedError(state->path);
    }
    const auto isOf = [owner](const std::optional<Lease>& lease) { return lease && lease->owner == owner; };
    // An owner that lost its lease must not release the lease of the next owner.
    const bool lost = !state->lease || (isOf(state->lostLease) && !isOf(state->lease));
    const std::optional<Lease> lease = std::exchange(lost ? state->lostLease : state->lease, std::nullopt);
    if (!lease) {
        co_return Error{ErrorCode::notOwner,
                        message("The lock %1 is not held, but %2 tried to release it.", state->path,
                                describeOwner(state->observer.get(), owner)),
                        message("Release exactly as often as you acquired.")};
    }
    state->releaseRefused = false;
    const PendingReleases::Guard underWay(state->releases, lease->owner);
    const Result<void> released = co_await state->semaphore->release(*lease);
    if (!released && released.error().code == ErrorCode::noAuth && !state->lease && state->semaphore &&
        isOut(*state->semaphore, *lease)) {
        state->lease = lease;
        state->releaseRefused = true;
    }
    co_return released;
}

std::uint16_t SemaphoreMutex::depth(OwnerId owner) const
{
    return m_state->lease && m_state->lease->owner == owner ? 1 : 0;
}

ListenerId SemaphoreMutex::onLost(std::function<void(OwnerId)> callback)
{
    if (!callback)
        return 0;
    return m_state->semaphore->onLost(
        [callback = std::move(callback)](const Lease& lost) { callback(lost.owner); });
}

void SemaphoreMutex::removeLostListener(ListenerId listener)
{
    m_state->semaphore->removeLostListener(listener);
}

const std::string& SemaphoreMutex::path() const { return m_state->semaphore->path(); }

zk::Scheduler& SemaphoreMutex::scheduler() { return m_state->semaphore->scheduler(); }

} // namespace lockscope::lock
