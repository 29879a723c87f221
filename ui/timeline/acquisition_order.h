// Orders the lanes by acquisition: first the clients that acquire the lock from a moment on, then its
// waiters, then the others. In this order the holds form a staircase. The order of past holds does not change
// when the run grows. Pure; GUI thread.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/replay/timeline/lock_holders.h"
#include "core/replay/timeline/timeline.h"

#include <vector>

namespace lockscope::ui {

// Every lane once. Reads at most a few holds for each lane, for any length of the run. `present`: any state
// of the run; clients that wait in its queues come in the order of the queues.
std::vector<ClientId> byAcquisition(const replay::LockHolders& holders, const replay::Timeline& timeline,
                                    const replay::RunState& present, TraceTime from);

} // namespace lockscope::ui
