// What the locks of all recipes have in common: a handle of their core. The destructor ends waiting acquires
// (closed) and releases holds, in the background. Holds, waiting acquires and listeners move with the lock; a
// moved-from lock may only be destroyed or assigned to, and assigning to a lock first ends the lock that it
// was. Scheduler thread.
#pragma once

#include "core/lock/handle.h"
#include "core/lock/lock.h"

namespace lockscope::lock {

struct LockCore;

class RecipeLock : public Lock
{
public:
    using Lock::acquire;
    using Lock::depth;
    using Lock::release;
    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    void explainTimeouts() override;
    std::optional<Refusal> takeRefusal(OwnerId owner) override;
    const std::string& path() const override;
    zk::Scheduler& scheduler() override;

protected:
    explicit RecipeLock(std::shared_ptr<LockCore> core);
    Handle<LockCore> m_core;
};

} // namespace lockscope::lock
