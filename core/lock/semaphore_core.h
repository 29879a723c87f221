// What a Semaphore is made of; kept alive by its work under way. Scheduler thread.
#pragma once

#include "core/base/guid.h"
#include "core/lock/hold_watch.h"
#include "core/lock/lost_holds.h"
#include "core/lock/mutex.h"
#include "core/lock/semaphore.h"
#include "core/lock/user_listeners.h"

#include <map>

namespace lockscope::lock {

class LeaseOp;

// The steps of the mutex are those of the acquire, but nothing stops its release: that goes on by itself
// while the acquire returns.
class AcquireMutexGate final : public StepGate
{
public:
    AcquireMutexGate(zk::Scheduler& scheduler, StepGate* outer)
        : m_scheduler(scheduler)
        , m_outer(outer)
    {}
    bool open() const override { return !m_outer || m_outer->open(); }
    void whenOpen(Step step, UniqueFunction<void()> pass) override;

private:
    zk::Scheduler& m_scheduler;
    StepGate* m_outer;
};

struct SemaphoreCore : std::enable_shared_from_this<SemaphoreCore>
{
    SemaphoreCore(zk::SessionPtr session, SemaphoreOptions options);
    void addListener();
    void shutDown();
    std::uint32_t maxLeases() const;
    void addLease(const Lease& lease, Duration watchAfter);
    void restoreLease(const Lease& lease); // the server did not delete its node
    void loseLease(const std::string& node, trace::LostReason reason, EventIndex cause);
    void loseAll(trace::LostReason reason);
    Error stopError(ErrorCode why, std::uint32_t count) const; // of an acquire of so many that was stopped

    SemaphoreOptions options;
    std::string path;
    LockNodeClient nodeClient; // to the leases
    GuidSource guids;
    AcquireMutexGate acquireMutexGate;
    std::unique_ptr<Mutex> acquireMutex; // null when the semaphore is gone
    std::uint32_t acquireCount = 0;      // owners of the entrance so far: one for each acquire
    std::map<OwnerId, LeaseOp*> acquiring;
    struct Held
    {
        Lease lease;
        std::unique_ptr<HoldWatch> watch;
    };
    std::map<std::string, Held> leases; // by node
    LostHolds<std::string> lost;        // by node
    UserListeners<const Lease&> lostListeners;
    zk::Session::ListenerId sessionListener = 0;
    SharedCount::ListenerId countListener = 0;
};

} // namespace lockscope::lock
