// The steps that were let go by hand in a run, to be saved as a scenario or to go on from: a run whose every
// step was taken by hand takes the same course again when they are taken in the same order. Pure; any thread
// that may read the store.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario.h"
#include "core/trace/store.h"

#include <cstddef>

namespace lockscope::sim {

// Those among the first `events` events of the trace, in order.
std::vector<TakenStep> takenSteps(const trace::TraceStore& store, std::size_t events);

// The scenario of the trace with the steps of its first `events` events; behind them everybody is held again
// when `stay`, and runs free otherwise. badInput: the trace has no scenario, or none of its steps was taken
// by hand.
Result<Scenario> withStepsOf(const trace::TraceStore& store, std::size_t events, bool stay);

} // namespace lockscope::sim
