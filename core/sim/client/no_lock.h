// No lock: every acquire succeeds at once, to show what happens without one. I/O thread.
#pragma once

#include "core/lock/lock.h"

#include <set>

namespace lockscope::sim {

class NoLock final : public lock::Lock
{
public:
    NoLock(zk::Scheduler& scheduler, std::string path)
        : m_scheduler(scheduler)
        , m_path(std::move(path))
    {}

    zk::Task<Result<lock::Grant>> acquire(OwnerId owner, std::optional<Duration> = std::nullopt,
                                          lock::CancelToken = lock::CancelToken::never()) override
    {
        m_owners.insert(owner);
        co_return lock::Grant{};
    }
    zk::Task<Result<void>> release(OwnerId owner) override
    {
        m_owners.erase(owner);
        co_return Result<void>{};
    }
    std::uint16_t depth(OwnerId owner) const override { return m_owners.contains(owner) ? 1 : 0; }
    ListenerId onLost(std::function<void(OwnerId)>) override { return 0; } // nothing to lose
    void removeLostListener(ListenerId) override {}
    const std::string& path() const override { return m_path; }
    zk::Scheduler& scheduler() override { return m_scheduler; }

private:
    zk::Scheduler& m_scheduler;
    std::string m_path;
    std::set<OwnerId> m_owners;
};

} // namespace lockscope::sim
