// Curator's InterProcessSemaphoreMutex: a semaphore with one lease, as a lock that cannot be re-entered. A
// second acquire waits, also one by the owner that holds; and whoever calls release gives back what this
// object holds, so that one thread may lock and another unlock. The owner given to acquire is the one that
// the holder is known by: in depth(), onLost() and the trace. Scheduler thread; see semaphore.h.
// Only a hold whose release was refused is gone on with, by an acquire of its owner.
#pragma once

#include "core/lock/lock.h"
#include "core/lock/semaphore.h"

namespace lockscope::lock {

class SemaphoreMutex final : public Lock
{
public:
    // `acquireMutexTrace`: of the mutex in `<path>/locks`, which is a lock of its own.
    SemaphoreMutex(zk::SessionPtr session, LockOptions options, TraceSink acquireMutexTrace = {});
    ~SemaphoreMutex() override; // gives up what is waiting and releases what is held, in the background

    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    // By any owner. Error notOwner: nobody holds it through this object.
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override; // 1 for the owner that acquired it
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    const std::string& path() const override;
    zk::Scheduler& scheduler() override;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
