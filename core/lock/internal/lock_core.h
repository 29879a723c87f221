// What a recipe does for its lock (RecipeLock). Kept alive by work under way. Scheduler thread.
#pragma once

#include "core/lock/internal/user_listeners.h"
#include "core/lock/lock.h"

#include <memory>

namespace lockscope::lock {

struct LockCore
{
    explicit LockCore(zk::Scheduler& its)
        : scheduler(its)
        , lostListeners(its)
    {}
    virtual ~LockCore() = default;
    LockCore(const LockCore&) = delete;
    LockCore& operator=(const LockCore&) = delete;

    // `self` is this core: the lock may be destroyed before these coroutines begin, and while they wait.
    virtual zk::Task<Result<Grant>> acquire(std::shared_ptr<LockCore> self, OwnerId owner,
                                            std::optional<Duration> limit, LinkedCancelToken cancel) = 0;
    virtual zk::Task<Result<void>> release(std::shared_ptr<LockCore> self, OwnerId owner) = 0;
    virtual std::uint16_t depth(OwnerId owner) const = 0;
    virtual const std::string& path() const = 0;
    virtual void shutDown() = 0; // ends waiting acquires; releases holds, in the background

    zk::Scheduler& scheduler;
    UserListeners<OwnerId> lostListeners;
    bool isShutDown = false;
};

} // namespace lockscope::lock
