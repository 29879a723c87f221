#include "core/lock/internal/semaphore_core.h"

#include "core/base/node_path.h"
#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/internal/lease_op.h"
#include "core/queue/words.h"

#include <algorithm>
#include <utility>

namespace lockscope::lock {

namespace {

NodeNaming leaseNaming()
{
    NodeNaming naming;
    naming.lockName = "lease-";
    return naming;
}

MutexOptions acquireMutexOptions(const SemaphoreOptions& options)
{
    MutexOptions acquireMutex = options.lock;
    acquireMutex.path += queue::kMutexSuffix;
    acquireMutex.naming = {};
    acquireMutex.keptGuid.clear();
    acquireMutex.observer = options.acquireMutexObserver;
    return acquireMutex;
}

} // namespace

SemaphoreCore::SemaphoreCore(zk::SessionPtr session, SemaphoreOptions given)
    : NodeCore(session, given.lock.path + std::string(queue::kLeasesSuffix), leaseNaming(), given.lock)
    , options(std::move(given))
    , path(options.lock.path)
    , invalidPath(checkNodePath(path))
    , acquireMutex(std::make_unique<Mutex>(session, acquireMutexOptions(options)))
    , lostListeners(session->scheduler())
{}

void SemaphoreCore::subscribe()
{
    listenToSession();
    acquireMutex->onLost([weak = weak_from_this()](OwnerId acquireId) {
        const auto self = weak.lock();
        if (self && self->acquiring.contains(acquireId))
            self->acquiring.at(acquireId)->onAcquireMutexLost();
    });
    if (options.count)
        countListener = options.count->addListener([weak = weak_from_this()](std::int32_t) {
            if (const auto self = weak.lock())
                for (const auto& [acquireId, op] : self->acquiring)
                    op->onMaxLeasesChanged();
        });
}

std::uint32_t SemaphoreCore::maxLeases() const
{
    if (!options.count)
        return options.leases;
    return static_cast<std::uint32_t>(std::max(options.count->value(), 0));
}

void SemaphoreCore::addLease(const Lease& lease, Duration watchAfter, MonotonicTime since)
{
    const auto gone = [weak = weak_from_this(), node = lease.node](EventIndex event) {
        if (const auto self = weak.lock())
            self->loseLease(std::string(node), LostReason::nodeDeleted, event);
    };
    auto watch = std::make_unique<HoldWatch>(nodeClient, lease.node, watchAfter, gone, nullptr);
    leases.emplace(lease.node, Held{lease, std::move(watch), since});
}

// The server checks the permission to delete before it looks up the node, so the node may be gone: the watch
// reports that.
void SemaphoreCore::restoreLease(const Lease& lease, MonotonicTime since)
{
    if (isShutDown())
        return;
    addLease(lease, Duration{}, since);
    if (isOver(nodeClient.session().phase()))
        loseLease(lease.node, lostReason(nodeClient.session()), EventIndex::none());
}

void SemaphoreCore::loseLease(const std::string& node, LostReason reason, EventIndex cause)
{
    const auto found = leases.find(node);
    if (found == leases.end())
        return;
    const Held held = std::move(found->second);
    leases.erase(found);
    lost.add(held.lease.node, reason);
    nodeClient.sink().record(
        event::HoldLost{held.lease.node, reason, held.lease.owner, nodeClient.sink().since(held.since)},
        cause);
    lostListeners.notify(held.lease);
}

void SemaphoreCore::loseAll(LostReason reason)
{
    const auto self = shared_from_this(); // a listener may destroy the semaphore
    while (!leases.empty())
        loseLease(leases.begin()->first, reason, EventIndex::none());
}

void SemaphoreCore::shutDown()
{
    lostListeners.clear();
    stopListening();
    if (options.count)
        options.count->removeListener(countListener);
    for (const auto& [acquireId, op] : acquiring)
        op->stop(ErrorCode::closed);
    acquireMutex.reset();
    for (const auto& [node, held] : std::exchange(leases, {})) {
        nodeClient.sink().record(
            event::Abandoned{node, held.lease.owner, nodeClient.sink().since(held.since)});
        deleteInBackground(nodeClient, node, EventIndex::none());
    }
}

Error SemaphoreCore::stopError(ErrorCode why, std::uint32_t count) const
{
    switch (why) {
    case ErrorCode::timedOut:
        return Error{why, message("The semaphore %1 did not have enough free leases in time.", path), {}};
    case ErrorCode::cancelled:
        return Error{why, message("Waiting for the semaphore %1 was canceled.", path), {}};
    case ErrorCode::limitExceeded:
        return Error{why,
                     message("The semaphore %1 has %2 leases at most, and %3 were asked for.", path,
                             maxLeases(), count),
                     options.count ? message("Ask for fewer, or raise the count %1.", options.count->path())
                                   : message("Ask for fewer.")};
    case ErrorCode::sessionLost:
        return Error{why, message("The semaphore %1 gave no lease: the session is lost.", path),
                     message("Connect again.")};
    default:
        return Error{
            ErrorCode::closed, message("The semaphore %1 gave no lease: it was destroyed.", path), {}};
    }
}

} // namespace lockscope::lock
