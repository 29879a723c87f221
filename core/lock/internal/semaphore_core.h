// The state of a Semaphore, kept alive by work under way. Scheduler thread.
#pragma once

#include "core/base/guid.h"
#include "core/lock/internal/hold_watch.h"
#include "core/lock/internal/lock_core.h"
#include "core/lock/internal/lost_holds.h"
#include "core/lock/internal/refusal.h"
#include "core/lock/internal/user_listeners.h"
#include "core/lock/mutex.h"
#include "core/lock/semaphore.h"

#include <map>

namespace lockscope::lock {

class LeaseOp;

struct SemaphoreCore final : NodeCore<SemaphoreCore>
{
    SemaphoreCore(zk::SessionPtr session, SemaphoreOptions options);
    void subscribe();
    void shutDown();
    bool isShutDown() const { return !acquireMutex; }
    std::uint32_t maxLeases() const;
    void addLease(const Lease& lease, Duration watchAfter, MonotonicTime since);
    // Restores a lease whose node the server refused to delete.
    void restoreLease(const Lease& lease, MonotonicTime since);
    void loseLease(const std::string& node, LostReason reason, EventIndex cause);
    void loseAll(LostReason reason);
    Error stopError(ErrorCode why, std::uint32_t count) const; // of a stopped acquire of `count` leases

    SemaphoreOptions options;
    std::string path;
    std::optional<Error> invalidPath; // when set, the error of every acquire
    GuidSource guids;
    std::unique_ptr<Mutex> acquireMutex; // null after the shutdown
    std::uint32_t acquireCount = 0;      // so far; numbers the acquires, as owners of the mutex
    std::map<OwnerId, LeaseOp*> acquiring;
    struct Held
    {
        Lease lease;
        std::unique_ptr<HoldWatch> watch;
        MonotonicTime since{}; // time of the grant; set when there is an observer
    };
    std::map<std::string, Held> leases; // by node
    LostHolds<std::string> lost;        // by node
    UserListeners<const Lease&> lostListeners;
    SharedCount::ListenerId countListener = 0;
    Refusals refusals;
};

} // namespace lockscope::lock
