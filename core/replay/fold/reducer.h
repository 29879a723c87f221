// The fold: state + event -> state. Pure and total: any sequence of events, even a broken trace, gives a
// state.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/replay/state/series.h"
#include "core/trace/store.h"

namespace lockscope::replay {

// Applies the event with this index and returns its contribution to the series of the run. O(log queue) for
// the common events.
Increment apply(RunState& state, const trace::TraceStore& store, std::size_t index);

} // namespace lockscope::replay
