#include "core/lock/semaphore.h"

#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/lease_op.h"
#include "core/lock/internal/queue_core.h"
#include "core/lock/internal/reasons.h"
#include "core/lock/participants.h"

namespace lockscope::lock {

namespace {

zk::Task<void> deleteAndDeliver(LockNodeClient nodeClient, std::string node, EventIndex cause,
                                UniqueFunction<void(Answer<zk::Code>)> callback)
{
    const Answer<zk::Code> gone = co_await deleteUntilGone(std::move(nodeClient), std::move(node), cause);
    callback(gone);
}

Error notOut(SemaphoreCore& core, const Lease& lease)
{
    const std::optional<LostReason> lost = core.lost.take(lease.node);
    if (!lost)
        return Error{ErrorCode::notOwner,
                     message("The lease %1 of the semaphore %2 is not held.", lease.node, core.path),
                     message("Release each acquired lease exactly once.")};
    if (*lost == LostReason::nodeDeleted)
        return Error{ErrorCode::noNode,
                     message("The lease %1 of the semaphore %2 is not held: its node was deleted.",
                             lease.node, core.path),
                     {}};
    return Error{ErrorCode::sessionLost,
                 message("The lease %1 of the semaphore %2 is not held: it was lost with the session.",
                         lease.node, core.path),
                 {}};
}

struct Releasing
{
    Lease lease;
    MonotonicTime since; // time of the grant
    zk::Pending<Answer<zk::Code>> gone{};
};

// Sends the delete of a lease that has just been removed from the held ones.
zk::Task<void> startRelease(std::shared_ptr<SemaphoreCore> core, Releasing one)
{
    const EventIndex called =
        core->nodeClient.sink().record(event::ReleaseCalled{one.lease.node, 1, one.lease.owner});
    co_await passGate(core->gate, GateStep::remove);
    runInBackground(core->nodeClient.session().scheduler(),
                    deleteAndDeliver(core->nodeClient, one.lease.node, called, one.gone.handler()));
}

zk::Task<std::optional<Error>> finishRelease(std::shared_ptr<SemaphoreCore> core, Releasing one)
{
    const Answer<zk::Code> gone = co_await one.gone.arrival();
    if (zk::isFinal(gone.value)) {
        core->restoreLease(one.lease, one.since);
        co_return notDeletedError(core->nodeClient, one.lease.node);
    }
    co_await passGate(core->gate, GateStep::gone);
    const EventSink& sink = core->nodeClient.sink();
    sink.record(event::Released{one.lease.node, 0, one.lease.owner, sink.since(one.since)}, gone.event);
    co_return std::nullopt;
}

// The semaphore may be destroyed before this begins, and while it waits.
zk::Task<Result<std::vector<Lease>>> acquireLeases(std::shared_ptr<SemaphoreCore> core, OwnerId owner,
                                                   std::uint32_t count, std::optional<Duration> limit,
                                                   LinkedCancelToken linked)
{
    if (core->isShutDown()) {
        co_return core->stopError(ErrorCode::closed, count);
    }
    if (core->invalidPath) {
        co_return *core->invalidPath;
    }
    if (count == 0) {
        co_return Error{ErrorCode::badUsage,
                        message("No lease of the semaphore %1 was asked for.", core->path),
                        message("Ask for one or more.")};
    }
    const EventSink& sink = core->nodeClient.sink();
    const MonotonicTime begin = sink.now();
    if (core->refusals.wanted)
        core->refusals.take(owner); // of an acquire before
    const EventIndex called = sink.record(event::AcquireCalled{owner, limit});
    LeaseOp op(core, owner, count, called, limit, linked.get());
    Result<std::vector<Lease>> leases = co_await op.run();
    if (!leases) {
        const Error& error = leases.error();
        sink.record(event::AcquireFailed{error, owner, sink.since(begin)}, called);
        co_return error;
    }
    std::uint32_t number = 0;
    for (const Lease& lease : *leases) {
        core->addLease(lease, core->options.lock.watchHoldAfter, sink.now());
        const Zxid token = lease.token.value_or(Zxid::none());
        sink.record(event::Acquired{lease.node, token, owner, sink.since(begin), number++}, op.cause());
    }
    co_return leases;
}

zk::Task<Result<void>> releaseLeases(std::shared_ptr<SemaphoreCore> core, std::vector<Lease> leases)
{
    if (core->isShutDown()) {
        co_return destroyedError(core->path);
    }
    std::optional<Error> first;
    std::vector<Releasing> underWay;
    for (const Lease& lease : leases) {
        const auto held = core->leases.find(lease.node);
        if (held == core->leases.end()) {
            Error error = notOut(*core, lease);
            first = first ? first : std::move(error);
            continue;
        }
        underWay.push_back(Releasing{held->second.lease, held->second.since});
        core->leases.erase(held);
        co_await startRelease(core, underWay.back());
    }
    for (const Releasing& one : underWay) {
        const std::optional<Error> failed = co_await finishRelease(core, one);
        first = first ? first : failed;
    }
    co_return first ? Result<void>(*first) : Result<void>{};
}

} // namespace

Semaphore::Semaphore(zk::SessionPtr session, SemaphoreOptions options)
    : m_core(std::make_shared<SemaphoreCore>(std::move(session), std::move(options)))
{
    m_core->subscribe();
}

const std::string& Semaphore::path() const { return m_core->path; }

zk::Scheduler& Semaphore::scheduler() { return m_core->nodeClient.session().scheduler(); }

std::uint32_t Semaphore::maxLeases() const { return m_core->maxLeases(); }

ListenerId Semaphore::onLost(std::function<void(const Lease&)> callback)
{
    return m_core->lostListeners.add(std::move(callback));
}

void Semaphore::removeLostListener(ListenerId listener) { m_core->lostListeners.remove(listener); }

void Semaphore::explainTimeouts()
{
    m_core->refusals.wanted = true;
    m_core->acquireMutex->explainTimeouts();
}

std::optional<Refusal> Semaphore::takeRefusal(OwnerId owner) { return m_core->refusals.take(owner); }

std::vector<Lease> Semaphore::held() const
{
    std::vector<Lease> all;
    for (const auto& [node, held] : m_core->leases)
        all.push_back(held.lease);
    return all;
}

zk::Task<Result<std::vector<std::string>>> Semaphore::participants()
{
    return listParticipants(m_core->nodeClient.sessionPtr(), m_core->nodeClient.path(),
                            m_core->nodeClient.naming());
}

zk::Task<Result<std::vector<Lease>>> Semaphore::acquire(OwnerId owner, std::uint32_t count,
                                                        std::optional<Duration> limit, CancelToken cancel)
{
    return cancellable(scheduler(), std::move(cancel), [&](LinkedCancelToken linked) {
        return acquireLeases(m_core.shared(), owner, count, limit, std::move(linked));
    });
}

zk::Task<Result<void>> Semaphore::release(Lease lease)
{
    return release(std::vector<Lease>{std::move(lease)});
}

zk::Task<Result<void>> Semaphore::release(std::vector<Lease> leases)
{
    return releaseLeases(m_core.shared(), std::move(leases)).onScheduler(scheduler());
}

} // namespace lockscope::lock
