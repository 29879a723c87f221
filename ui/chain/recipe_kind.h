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
bool isReadWrite(RecipeKind kind);

// Properties of a lock by the names that its row has from the trace. An unknown recipe has none of them.
bool isMutex(const replay::LockRow& lock);
bool isHerd(const replay::LockRow& lock); // all waiters watch one node
bool isHerdReadWrite(const replay::LockRow& lock);
bool isReadWrite(const replay::LockRow& lock); // also of a herd
bool isSemaphore(const replay::LockRow& lock);
bool watchesWithExists(const replay::LockRow& lock);
bool isUnprotected(const replay::LockRow& lock);
bool announcesHandoff(const replay::LockRow& lock);

} // namespace lockscope::ui::chain
