#include "ui/chain/recipe_kind.h"

namespace lockscope::ui::chain {

RecipeKind recipeKind(const replay::RunState& state, LockId id)
{
    const replay::LockRow* lock = state.lock(id);
    if (!lock)
        return RecipeKind::queue;
    switch (lock->kind()) {
    case trace::RecipeKind::herd:
        return RecipeKind::herd;
    case trace::RecipeKind::herdReadWrite:
        return RecipeKind::herdReadWrite;
    case trace::RecipeKind::readWrite:
    case trace::RecipeKind::oldReadWrite:
        return RecipeKind::readWrite;
    case trace::RecipeKind::semaphore:
    case trace::RecipeKind::semaphoreMutex:
        return RecipeKind::leases;
    case trace::RecipeKind::multiLock:
        return RecipeKind::several;
    case trace::RecipeKind::none:
        return RecipeKind::none;
    default:
        break;
    }
    // A semaphore has two queues: that of the leases, and behind it that of its entrance.
    const replay::LockRow* before =
        id.value > 0 ? state.lock(LockId{static_cast<LockId::Value>(id.value - 1)}) : nullptr;
    return before && trace::isSemaphore(before->kind()) ? RecipeKind::entrance : RecipeKind::queue;
}

} // namespace lockscope::ui::chain
