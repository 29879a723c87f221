// The kind of a lock's recipe, by which texts and layouts are chosen. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

namespace lockscope::ui::chain {

enum class RecipeKind {
    queue, // a mutex, correct or with a bug
    readWrite,
    herd,
    herdReadWrite,
    leases,   // of a semaphore
    entrance, // the mutex in front of the leases
    several,  // one lock of a multi-lock
    none      // clients work without a lock
};

RecipeKind recipeKind(const replay::RunState& state, LockId lock);

} // namespace lockscope::ui::chain
