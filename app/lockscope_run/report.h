// The report of a run as JSON, and its summary for a person at a terminal.
#pragma once

#include "core/replay/run_state.h"
#include "core/sim/scenario.h"

#include <string>

namespace lockscope::app {

struct RunFacts
{
    Duration took{};        // from the first event after the server was ready to the end
    bool cutShort = false;
};

std::string reportJson(const sim::Scenario& scenario, const replay::RunState& state, const RunFacts& facts);
std::string summary(const sim::Scenario& scenario, const replay::RunState& state, const RunFacts& facts);
// True when every finding is as the scenario expects.
bool asExpected(const sim::Scenario& scenario, const replay::RunState& state);

} // namespace lockscope::app
