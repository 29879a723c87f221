// Which of the recipes' words fit a lock. Pure.
#pragma once

#include "core/replay/state/run_state.h"

namespace lockscope::ui::chain {

enum class RecipeKind {
    queue, // a mutex, as it should be or with a flaw
    readWrite,
    herd,
    herdReadWrite,
    leases,   // of a semaphore
    entrance, // the mutex in front of the leases
    several,  // one lock of a multi-lock
    none      // nobody takes a lock
};

RecipeKind recipeKind(const replay::RunState& state, LockId lock);
bool isReadWrite(RecipeKind kind);

} // namespace lockscope::ui::chain
