// For teaching: one ephemeral node `<path>/lock` that every client tries to create and watches. A release
// wakes all waiting clients, one of them gets the lock, and the order of arrival does not count: the herd
// effect. Use Mutex instead. Scheduler thread.
#pragma once

#include "core/sim/teaching/teaching_lock.h"

namespace lockscope::lock {

class HerdMutex final : public TeachingLock
{
public:
    HerdMutex(zk::SessionPtr session, LockOptions options);
};

} // namespace lockscope::lock
