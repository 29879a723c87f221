#include "ui/models/run/lock_role.h"

namespace lockscope::ui {

LockRole lockRole(const replay::RunState& state, LockId id)
{
    const replay::LockRow* lock = state.lock(id);
    if (!lock)
        return LockRole::queue;
    switch (lock->kind()) {
    case Recipe::herd:
        return LockRole::herd;
    case Recipe::herdReadWrite:
        return LockRole::herdReadWrite;
    case Recipe::readWrite:
    case Recipe::oldReadWrite:
        return LockRole::readWrite;
    case Recipe::semaphore:
    case Recipe::semaphoreMutex:
        return LockRole::leases;
    case Recipe::multiLock:
        return LockRole::several;
    case Recipe::none:
        return LockRole::none;
    default:
        break;
    }
    // A semaphore has two queues: that of the leases, and as the next lock that of its entrance.
    const replay::LockRow* before =
        id.value > 0 ? state.lock(LockId{static_cast<LockId::Value>(id.value - 1)}) : nullptr;
    return before && isSemaphore(before->kind()) ? LockRole::entrance : LockRole::queue;
}

} // namespace lockscope::ui
