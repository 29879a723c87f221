// A semaphore behind the Lock interface: each acquire takes a number of leases at once. I/O thread.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/semaphore.h"

namespace lockscope::sim {

class SemaphoreClientLock final : public lock::Lock
{
public:
    SemaphoreClientLock(zk::SessionPtr session, lock::SemaphoreOptions options);

    void setLeaseCount(std::uint32_t leases) { m_leaseCount = leases; } // from the next acquire on

    // Returns the grant of the first lease. One owner at a time.
    zk::Task<Result<lock::Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                          lock::CancelToken cancel = lock::CancelToken::never()) override;
    zk::Task<Result<void>> release(OwnerId owner) override; // all leases
    std::uint16_t depth(OwnerId owner) const override;      // 1 while it has any lease
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override { m_semaphore.removeLostListener(listener); }
    const std::string& path() const override { return m_semaphore.path(); }
    zk::Scheduler& scheduler() override { return m_semaphore.scheduler(); }

private:
    lock::Semaphore m_semaphore;
    std::uint32_t m_leaseCount = 1;
};

} // namespace lockscope::sim
