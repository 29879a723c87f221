#include "ui/chain/recipe_kind.h"

namespace lockscope::ui::chain {

RecipeKind recipeKind(const replay::RunState& state, LockId id)
{
    const replay::LockRow* lock = state.lock(id);
    if (!lock)
        return RecipeKind::queue;
    if (isHerd(*lock))
        return RecipeKind::herd;
    if (isHerdReadWrite(*lock))
        return RecipeKind::herdReadWrite;
    if (isReadWrite(*lock))
        return RecipeKind::readWrite;
    if (isSemaphore(*lock))
        return RecipeKind::leases;
    if (lock->recipe == "multi-lock")
        return RecipeKind::several;
    if (lock->recipe == "none")
        return RecipeKind::none;
    // A semaphore has two queues: that of the leases, and behind it that of its entrance.
    const replay::LockRow* before =
        id.value > 0 ? state.lock(LockId{static_cast<LockId::Value>(id.value - 1)}) : nullptr;
    return before && isSemaphore(*before) ? RecipeKind::entrance : RecipeKind::queue;
}

bool isReadWrite(RecipeKind kind)
{
    return kind == RecipeKind::readWrite || kind == RecipeKind::herdReadWrite;
}

bool isMutex(const replay::LockRow& lock) { return lock.recipe == "mutex"; }
bool isHerd(const replay::LockRow& lock) { return lock.recipe == "herd"; }
bool isHerdReadWrite(const replay::LockRow& lock) { return lock.recipe == "herd-read-write"; }
bool isReadWrite(const replay::LockRow& lock) { return lock.recipe.find("read-write") != replay::Text::npos; }
bool isSemaphore(const replay::LockRow& lock) { return lock.recipe.starts_with("semaphore"); }
bool watchesWithExists(const replay::LockRow& lock) { return lock.recipe == "exists-mutex"; }
bool isUnprotected(const replay::LockRow& lock) { return lock.recipe == "unprotected-mutex"; }
bool announcesHandoff(const replay::LockRow& lock) { return lock.handoff == "announced"; }

} // namespace lockscope::ui::chain
