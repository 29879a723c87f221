#include "core/lock/semaphore.h"

#include "core/lock/guaranteed_delete.h"
#include "core/lock/lease_op.h"
#include "core/lock/participants.h"
#include "core/lock/queue_core.h"
#include "core/lock/reasons.h"

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
    const std::optional<trace::LostReason> lost = core.lost.take(lease.node);
    if (!lost)
        return Error{ErrorCode::notOwner,
                     message("The lease %1 of the semaphore %2 is not out.", lease.node, core.path),
                     message("Release each lease that you acquired once.")};
    if (*lost == trace::LostReason::nodeDeleted)
        return Error{ErrorCode::noNode,
                     message("The lease %1 of the semaphore %2 is not out: its node was deleted.", lease.node,
                             core.path),
                     {}};
    return Error{ErrorCode::sessionLost,
                 message("The lease %1 of the semaphore %2 is not out: it was lost with the session.",
                         lease.node, core.path),
                 {}};
}

struct Releasing
{
    Lease lease;
    zk::Pending<Answer<zk::Code>> gone;
};

// Sends the delete of a lease that was held until now.
zk::Task<void> startRelease(std::shared_ptr<SemaphoreCore> core, Releasing one)
{
    const EventIndex called =
        core->nodeClient.sink().record(trace::ReleaseCalled{one.lease.node, 1, one.lease.owner});
    co_await passGate(core->options.lock.gate, Step::remove);
    runInBackground(core->nodeClient.session().scheduler(),
                    deleteAndDeliver(core->nodeClient, one.lease.node, called, one.gone.handler()));
}

zk::Task<std::optional<Error>> finishRelease(std::shared_ptr<SemaphoreCore> core, Releasing one)
{
    const Answer<zk::Code> gone = co_await one.gone.arrival();
    if (zk::isFinal(gone.value)) {
        core->restoreLease(one.lease);
        co_return notDeletedError(core->nodeClient, one.lease.node);
    }
    co_await passGate(core->options.lock.gate, Step::gone);
    core->nodeClient.sink().record(trace::Released{one.lease.node, 0, one.lease.owner}, gone.event);
    co_return std::nullopt;
}

} // namespace

Semaphore::Semaphore(zk::SessionPtr session, SemaphoreOptions options)
    : m_core(std::make_shared<SemaphoreCore>(std::move(session), std::move(options)))
{
    m_core->subscribe();
}

Semaphore::~Semaphore() { m_core->shutDown(); }

const std::string& Semaphore::path() const { return m_core->path; }

zk::Scheduler& Semaphore::scheduler() { return m_core->nodeClient.session().scheduler(); }

std::uint32_t Semaphore::maxLeases() const { return m_core->maxLeases(); }

ListenerId Semaphore::onLost(std::function<void(const Lease&)> callback)
{
    return m_core->lostListeners.add(std::move(callback));
}

void Semaphore::removeLostListener(ListenerId listener) { m_core->lostListeners.remove(listener); }

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
    const std::shared_ptr<SemaphoreCore> core = m_core; // the semaphore may be destroyed while we wait
    if (count == 0) {
        co_return Error{ErrorCode::badUsage,
                        message("No lease of the semaphore %1 was asked for.", core->path),
                        message("Ask for one or more.")};
    }
    const TraceSink& sink = core->nodeClient.sink();
    const EventIndex called = sink.record(trace::AcquireCalled{owner, limit.value_or(kForever)});
    LeaseOp op(core, owner, count, called, limit, std::move(cancel));
    Result<std::vector<Lease>> leases = co_await op.run();
    if (!leases) {
        const Error& error = leases.error();
        sink.record(trace::AcquireFailed{failReason(error.code), owner, error.message}, called);
        co_return error;
    }
    for (const Lease& lease : *leases) {
        core->addLease(lease, core->options.lock.watchHoldAfter);
        sink.record(trace::Acquired{lease.node, lease.token.value_or(Zxid::none()), owner}, op.cause());
    }
    co_return leases;
}

zk::Task<Result<void>> Semaphore::release(Lease lease)
{
    return release(std::vector<Lease>{std::move(lease)});
}

zk::Task<Result<void>> Semaphore::release(std::vector<Lease> leases)
{
    const std::shared_ptr<SemaphoreCore> core = m_core;
    std::optional<Error> first;
    std::vector<Releasing> underWay;
    for (const Lease& lease : leases) {
        const auto held = core->leases.find(lease.node);
        if (held == core->leases.end()) {
            Error error = notOut(*core, lease);
            first = first ? first : std::move(error);
            continue;
        }
        underWay.push_back(Releasing{held->second.lease, {}});
        core->leases.erase(held);
        co_await startRelease(core, underWay.back());
    }
    for (const Releasing& one : underWay) {
        const std::optional<Error> failed = co_await finishRelease(core, one);
        first = first ? first : failed;
    }
    if (first) {
        co_return *first;
    }
    co_return Result<void>{};
}

} // namespace lockscope::lock
