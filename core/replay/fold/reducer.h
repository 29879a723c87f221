// The fold: state + event -> state. Pure and total: any sequence of events, even a broken trace, gives a
// state.
#pragma once

#include "core/replay/fold/facts.h"
#include "core/replay/state/run_state.h"
#include "core/trace/store.h"

namespace lockscope::replay {

// Applies the event with this index; `facts` is replaced by what it means. O(log queue) for the common
// events.
void apply(RunState& state, const trace::TraceStore& store, std::size_t index, Facts& facts);
Facts apply(RunState& state, const trace::TraceStore& store, std::size_t index);

} // namespace lockscope::replay
