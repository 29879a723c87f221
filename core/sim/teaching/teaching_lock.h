// What the herd recipes share: holds per owner, the release, and the loss with the session. For teaching
// only: they wake up everybody at every release. Scheduler thread.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "core/lock/pending_releases.h"
#include "core/lock/user_listeners.h"

#include <map>
#include <memory>
#include <set>

namespace lockscope::lock {

struct TeachingLockCore : std::enable_shared_from_this<TeachingLockCore>
{
    TeachingLockCore(zk::SessionPtr session, LockOptions options);
    virtual ~TeachingLockCore() = default;
    // Next::go: `grant` is had. What it leaves behind on other ways out it cleans up itself.
    virtual zk::Task<StepResult> enter(OpControl& control, Grant& grant) = 0;

    void listenToSession();
    void loseAll(trace::LostReason reason);

    LockNodeClient nodeClient;
    LockOptions options;
    std::map<OwnerId, Grant> holds;
    std::set<OwnerId> releaseRefused; // of these holds: the server did not delete the node
    PendingReleases releases;
    std::set<OpControl*> waiting;
    UserListeners<OwnerId> lostListeners;
    zk::Session::ListenerId listener = 0;
    bool isShutDown = false;
};

class TeachingLock : public Lock
{
public:
    ~TeachingLock() override; // gives up what is waiting and releases what is held, in the background
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
