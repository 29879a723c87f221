#include "ui/models/lock_role.h"

namespace lockscope::ui {

LockRole lockRole(const replay::RunState& state, LockId id)
{
    const replay::LockRow* lock = state.lock(id);
    if (!lock)
        return LockRole::queue;
    switch (lock->kind()) {
    case trace::RecipeKind::herd:
        return LockRole::herd;
    case trace::RecipeKind::herdReadWrite:
        return LockRole::herdReadWrite;
    case trace::RecipeKind::readWrite:
    case trace::RecipeKind::oldReadWrite:
        return LockRole::readWrite;
    case trace::RecipeKind::semaphore:
    case trace::RecipeKind::semaphoreMutex:
        return LockRole::leases;
    case trace::RecipeKind::multiLock:
        return LockRole::several;
    case trace::RecipeKind::none:
        return LockRole::none;
    default:
        break;
    }
    // A semaphore has two queues: that of the leases, and as the next lock that of its entrance.
    const replay::LockRow* before =
        id.value > 0 ? state.lock(LockId{static_cast<LockId::Value>(id.value - 1)}) : nullptr;
    return before && trace::isSemaphore(before->kind()) ? LockRole::entrance : LockRole::queue;
}

} // namespace lockscope::ui
