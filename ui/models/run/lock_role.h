// The role of a lock in its recipe, by which texts and layouts are chosen. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

namespace lockscope::ui {

enum class LockRole {
    queue, // a mutex, correct or with a bug
    readWrite,
    herd,
    herdReadWrite,
    leases,   // of a semaphore
    entrance, // the mutex in front of the leases
    several,  // one lock of a multi-lock
    none      // clients work without a lock
};

LockRole lockRole(const replay::RunState& state, LockId lock);

} // namespace lockscope::ui
