#include "ui/chain/recipe_kind.h"

namespace lockscope::ui::chain {

RecipeKind recipeKind(const replay::RunState& state, LockId id)
{
    const replay::LockRow* lock = state.lock(id);
    if (!lock)
        return RecipeKind::queue;
    if (lock->recipe == "herd")
        return RecipeKind::herd;
    if (lock->recipe == "herd-read-write")
        return RecipeKind::herdReadWrite;
    if (lock->recipe.find("read-write") != replay::Text::npos)
        return RecipeKind::readWrite;
    if (lock->recipe.starts_with("semaphore"))
        return RecipeKind::leases;
    if (lock->recipe == "multi-lock")
        return RecipeKind::several;
    if (lock->recipe == "none")
        return RecipeKind::none;
    // A semaphore has two queues: that of the leases, and behind it that of its entrance.
    const replay::LockRow* before =
        id.value > 0 ? state.lock(LockId{static_cast<LockId::Value>(id.value - 1)}) : nullptr;
    return before && before->recipe.starts_with("semaphore") ? RecipeKind::entrance : RecipeKind::queue;
}

bool isReadWrite(RecipeKind kind)
{
    return kind == RecipeKind::readWrite || kind == RecipeKind::herdReadWrite;
}

} // namespace lockscope::ui::chain
