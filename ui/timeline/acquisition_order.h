// The lanes by turn: who gets the lock first from a moment on comes first, then who waits for it, then the
// others. Under each other in this order the holds of a run make a staircase. What has happened keeps its
// order when the run grows. Pure; GUI thread.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/replay/timeline/timeline.h"
#include "ui/timeline/lock_holders.h"

#include <vector>

namespace lockscope::ui {

// Every lane of the timeline, once. Looks at a few holds for each lane at most, whatever the run's length.
// `present`: the state at the timeline's end, or any other; who waits in its queues comes in their order.
std::vector<ClientId> byAcquisition(const LockHolders& holders, const replay::Timeline& timeline,
                             const replay::RunState& present, TraceTime from);

} // namespace lockscope::ui
