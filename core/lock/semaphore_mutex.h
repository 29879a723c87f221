// The InterProcessSemaphoreMutex of Curator: a semaphore with one lease, as a non-reentrant lock. A second
// acquire waits, even by the same owner. Any owner may release what this object holds, so one thread may lock
// and another unlock; notOwner: this object does not hold the lock. depth(), onLost() and the observer report
// the owner that acquired. Only a hold whose release was refused is continued by the next acquire of its
// owner. Scheduler thread; see semaphore.h.
#pragma once

#include "core/lock/recipe_lock.h"
#include "core/lock/semaphore.h"

namespace lockscope::lock {

class SemaphoreMutex final : public RecipeLock
{
public:
    // `acquireMutexObserver`: of the mutex in `<path>/locks`, which is a separate lock.
    SemaphoreMutex(zk::SessionPtr session, LockOptions options,
                   std::shared_ptr<Observer> acquireMutexObserver = nullptr);
};

} // namespace lockscope::lock
