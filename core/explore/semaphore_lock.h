// One lease of a semaphore of two, as a lock that its owner may enter again: so that the explorer drives it
// like the others. Scheduler thread.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/semaphore.h"

#include <memory>

namespace lockscope::explore {

inline constexpr std::uint32_t kLeases = 2;

class SemaphoreLock final : public lock::Lock
{
public:
    SemaphoreLock(zk::SessionPtr session, lock::LockOptions options);
    ~SemaphoreLock() override; // gives up what is waiting and returns the leases, in the background

    zk::Task<Result<lock::Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                          lock::CancelToken cancel = lock::CancelToken::never()) override;
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    const std::string& path() const override;
    zk::Scheduler& scheduler() override;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::explore
