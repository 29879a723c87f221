#include "core/sim/client/semaphore_client_lock.h"

namespace lockscope::sim {

SemaphoreClientLock::SemaphoreClientLock(zk::SessionPtr session, lock::SemaphoreOptions options)
    : m_semaphore(std::move(session), std::move(options))
{}

zk::Task<Result<lock::Grant>> SemaphoreClientLock::acquire(OwnerId owner, std::optional<Duration> limit,
                                                           lock::CancelToken cancel)
{
    const Result<std::vector<lock::Lease>> taken =
        co_await m_semaphore.acquire(owner, m_leaseCount, limit, std::move(cancel));
    if (!taken) {
        co_return taken.error();
    }
    co_return lock::Grant{taken->front().node, taken->front().token, 1};
}

zk::Task<Result<void>> SemaphoreClientLock::release(OwnerId owner)
{
    std::vector<lock::Lease> mine;
    for (const lock::Lease& lease : m_semaphore.held())
        if (lease.owner == owner)
            mine.push_back(lease);
    const Result<void> released = co_await m_semaphore.release(std::move(mine));
    co_return released;
}

std::uint16_t SemaphoreClientLock::depth(OwnerId owner) const
{
    for (const lock::Lease& lease : m_semaphore.held())
        if (lease.owner == owner)
            return 1;
    return 0;
}

ListenerId SemaphoreClientLock::onLost(std::function<void(OwnerId)> callback)
{
    if (!callback)
        return 0;
    return m_semaphore.onLost(
        [callback = std::move(callback)](const lock::Lease& lease) { callback(lease.owner); });
}

} // namespace lockscope::sim
