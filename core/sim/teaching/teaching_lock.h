// The common part of the herd recipes: the holds of each owner, their release, and their loss with the
// session. For teaching only: every release wakes all waiting clients. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_core.h"
#include "core/lock/internal/pending_releases.h"
#include "core/lock/recipe_lock.h"

#include <map>
#include <memory>
#include <set>

namespace lockscope::lock {

struct TeachingLockCore : LockCore, NodeCore<TeachingLockCore>
{
    TeachingLockCore(zk::SessionPtr session, LockOptions options);
    // Returns proceed when `grant` is set. With any other result it deletes the node that it created.
    virtual zk::Task<StepResult> enter(OpControl& control, Grant& grant) = 0;

    zk::Task<Result<Grant>> acquire(std::shared_ptr<LockCore> self, OwnerId owner,
                                    std::optional<Duration> limit, LinkedCancelToken cancel) override;
    zk::Task<Result<void>> release(std::shared_ptr<LockCore> self, OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    const std::string& path() const override { return nodeClient.path(); }
    void shutDown() override;
    void loseAll(LostReason reason);

    LockOptions options;
    std::map<OwnerId, Grant> holds;
    std::set<OwnerId> releaseRefused; // holds whose release the server refused
    PendingReleases releases;
    std::set<OpControl*> waiting;
};

class TeachingLock : public RecipeLock
{
protected:
    explicit TeachingLock(const std::shared_ptr<TeachingLockCore>& core)
        : RecipeLock(core)
    {
        core->listenToSession();
    }
};

} // namespace lockscope::lock
