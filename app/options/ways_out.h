// What both programs say can be done about a lock that other programs use. Any thread.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario/scenario.h"

#include <string>

namespace lockscope::app {

// `error`: that a run of `scenario` was refused because other programs use its lock. `connect` is empty if
// the scenario names the servers.
Error withWaysOut(Error error, const sim::Scenario& scenario, const std::string& connect);

} // namespace lockscope::app
