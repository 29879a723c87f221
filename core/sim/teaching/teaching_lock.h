// The common part of the herd recipes: the holds of each owner, their release, and their loss with the session.
// For teaching only: every release wakes all waiting clients. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/lock/internal/pending_releases.h"
#include "core/lock/internal/recipe_hooks.h"
#include "core/lock/internal/user_listeners.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"

#include <map>
#include <memory>
#include <set>

namespace lockscope::lock {

struct TeachingLockCore : std::enable_shared_from_this<TeachingLockCore>
{
    TeachingLockCore(zk::SessionPtr session, LockOptions options);
    virtual ~TeachingLockCore() = default;
    // Returns proceed when `grant` is set. With any other result it deletes the node that it created.
    virtual zk::Task<StepResult> enter(OpControl& control, Grant& grant) = 0;

    void listenToSession();
    void loseAll(LostReason reason);

    LockNodeClient nodeClient;
    LockOptions options;
    StepGate* gate;
    RecipeBugs bugs;
    std::map<OwnerId, Grant> holds;
    std::set<OwnerId> releaseRefused; // holds whose release the server refused
    PendingReleases releases;
    std::set<OpControl*> waiting;
    UserListeners<OwnerId> lostListeners;
    zk::Session::ListenerId listener = 0;
    bool isShutDown = false;
};

class TeachingLock : public Lock
{
public:
    ~TeachingLock() override; // cancels waiting acquires and releases holds, in the background
    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    ListenerId onLost(std::function<void(OwnerId)> callback) override
    {
        return m_core->lostListeners.add(std::move(callback));
    }
    void removeLostListener(ListenerId listener) override { m_core->lostListeners.remove(listener); }
    const std::string& path() const override { return m_core->nodeClient.path(); }
    zk::Scheduler& scheduler() override { return m_core->nodeClient.session().scheduler(); }

protected:
    explicit TeachingLock(std::shared_ptr<TeachingLockCore> core);

private:
    std::shared_ptr<TeachingLockCore> m_core;
};

} // namespace lockscope::lock
