// For teaching: one ephemeral node `<path>/lock` that everybody wants to create and everybody watches. Every
// release wakes all who wait, one of them gets it, and who came first does not matter: the herd effect. Use
// Mutex. Scheduler thread.
#pragma once

#include "core/sim/teaching/teaching_lock.h"

namespace lockscope::lock {

class HerdMutex final : public TeachingLock
{
public:
    HerdMutex(zk::SessionPtr session, LockOptions options);
};

} // namespace lockscope::lock
