// The command line of lockscope-run: arguments in, a scenario with its changes and where to write out.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario.h"

#include <optional>
#include <string>

namespace lockscope::app {

struct RunArguments
{
    sim::Scenario scenario;
    std::string connect;
    std::string traceFile;   // empty: none
    std::string reportFile;  // empty: none; "-" = standard output
    bool quiet = false;
    bool list = false;       // only list the built-in scenarios
    std::optional<int> exitNow; // help was shown, or the usage was wrong and has been said
};

// Errors: badUsage, for the exit code 2.
Result<RunArguments> readArguments(int argc, const char* const* argv);

} // namespace lockscope::app
