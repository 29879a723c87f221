// A lock that is always free, and fails on request. Test thread only.
#pragma once

#include "core/lock/internal/guaranteed_delete.h"
#include "core/lock/lock.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace lockscope::tests {

class FakeLock final : public lock::Lock
{
public:
    static constexpr Duration kTakes = std::chrono::milliseconds(2); // an acquire
    FakeLock(zk::Scheduler& scheduler, std::string path)
        : m_scheduler(scheduler)
        , m_path(std::move(path))
    {}
    std::optional<Error> acquireFails;
    std::optional<Error> releaseFails;
    std::optional<Duration> given; // limit of the last acquire
    int held = 0;
    int releases = 0;
    void lose(OwnerId owner) { m_lost.notify(owner); }

    zk::Task<Result<lock::Grant>> acquire(OwnerId, std::optional<Duration> limit, lock::CancelToken) override
    {
        given = limit;
        co_await lock::sleepFor(&m_scheduler, kTakes);
        if (acquireFails) {
            co_return *acquireFails;
        }
        ++held;
        co_return lock::Grant{};
    }
    zk::Task<Result<void>> release(OwnerId) override
    {
        ++releases;
        if (releaseFails) {
            co_return *releaseFails;
        }
        --held;
        co_return Result<void>{};
    }
    std::uint16_t depth(OwnerId) const override { return static_cast<std::uint16_t>(held); }
    ListenerId onLost(std::function<void(OwnerId)> callback) override
    {
        return m_lost.add(std::move(callback));
    }
    void removeLostListener(ListenerId listener) override { m_lost.remove(listener); }
    const std::string& path() const override { return m_path; }
    zk::Scheduler& scheduler() override { return m_scheduler; }

private:
    zk::Scheduler& m_scheduler;
    std::string m_path;
    Listeners<OwnerId> m_lost;
};

} // namespace lockscope::tests
