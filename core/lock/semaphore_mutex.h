// The InterProcessSemaphoreMutex of Curator: a semaphore with one lease, as a non-reentrant lock. A second
// acquire waits, even by the same owner. Any owner may release what this object holds, so one thread may lock
// and another unlock. depth(), onLost() and the observer report the owner that acquired. Only a hold whose
// release was refused is continued by the next acquire of its owner. Scheduler thread; see semaphore.h.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/semaphore.h"

namespace lockscope::lock {

class SemaphoreMutex final : public Lock
{
public:
    // `acquireMutexObserver`: of the mutex in `<path>/locks`, which is a separate lock.
    SemaphoreMutex(zk::SessionPtr session, LockOptions options,
                   std::shared_ptr<Observer> acquireMutexObserver = nullptr);
    ~SemaphoreMutex() override; // ends waiting acquires (closed) and releases the hold, in the background

    SemaphoreMutex(SemaphoreMutex&& other) noexcept; // as in QueueLock
    SemaphoreMutex& operator=(SemaphoreMutex&& other) noexcept;

    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    // Any owner may call it. Error notOwner: this object does not hold the lock.
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override; // 1 for the owner that acquired the lock
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    const std::string& path() const override;
    zk::Scheduler& scheduler() override;

private:
    struct State;
    static void shutDown(State& state);
    static zk::Task<Result<Grant>> acquire(std::shared_ptr<State> state, OwnerId owner,
                                           std::optional<Duration> limit, CancelToken own,
                                           CancelToken callers);
    static zk::Task<Result<void>> release(std::shared_ptr<State> state, OwnerId owner);
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
