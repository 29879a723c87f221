// What the herd recipes share: holds per owner, the release, and the loss with the session. For teaching
// only: they wake up everybody at every release. Scheduler thread.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "core/lock/releases.h"
#include "core/lock/user_listeners.h"

#include <map>
#include <memory>
#include <set>

namespace lockscope::lock {

struct PlainCore : std::enable_shared_from_this<PlainCore>
{
    PlainCore(zk::SessionPtr session, LockOptions options);
    virtual ~PlainCore() = default;
    // Next::go: `grant` is had. What it leaves behind on other ways out it cleans up itself.
    virtual zk::Task<Next> enter(OpControl& control, Grant& grant) = 0;

    void listenToSession();
    void loseAll(trace::LostReason reason);

    Wire wire;
    LockOptions options;
    std::map<OwnerId, Grant> holds;
    std::set<OwnerId> releaseRefused; // of these holds: the server did not delete the node
    Releases releases;
    std::set<OpControl*> waiting;
    UserListeners<OwnerId> lostListeners;
    zk::Session::ListenerId listener = 0;
    bool shut = false;
};

class PlainLock : public Lock
{
public:
    ~PlainLock() override; // gives up what is waiting and releases what is held, in the background
    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    Cancel cancel = Cancel::never()) override;
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    ListenerId onLost(std::function<void(OwnerId)> callback) override
    {
        return m_core->lostListeners.add(std::move(callback));
    }
    void removeLostListener(ListenerId listener) override { m_core->lostListeners.remove(listener); }
    const std::string& path() const override { return m_core->wire.path(); }
    zk::Scheduler& scheduler() override { return m_core->wire.session().scheduler(); }

protected:
    explicit PlainLock(std::shared_ptr<PlainCore> core);

private:
    std::shared_ptr<PlainCore> m_core;
};

} // namespace lockscope::lock
