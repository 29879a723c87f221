// The locks of one session that shares a node among its owners, as CohortMutex does among threads, by the
// same two parts: the cohort and its keeper. So that the explorer drives it like the others. A node is passed
// on once. Scheduler thread.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/lock_options.h"

#include <memory>

namespace lockscope::explore {

class CohortLock final : public lock::Lock
{
public:
    CohortLock(zk::SessionPtr session, lock::LockOptions options);
    ~CohortLock() override; // gives up what is waiting and releases what is held, in the background

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
