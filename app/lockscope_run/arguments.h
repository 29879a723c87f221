// The command line of lockscope-run: arguments in, what to run with its changes and where to write out.
#pragma once

#include "core/base/error.h"
#include "core/sim/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace lockscope::app {

// What one run is made of: a scenario with its changes, or a trace of a run that was made before.
struct RunInput
{
    sim::Scenario scenario;
    std::string recorded;    // the trace file to fold instead of running; empty: run the scenario
    std::string connect;
    std::string traceFile;   // to be written; empty: none
    bool quiet = false;
    bool watches = false;    // the server is asked for its watch table
};

enum class ExportKind { chrome, csv, clients, html };

struct Export
{
    ExportKind kind{};
    std::string file;
};

struct RunArguments
{
    std::vector<RunInput> runs; // one, or two to be compared
    std::string reportFile;     // empty: none; "-" = standard output
    std::optional<Export> exported; // of the one trace in `runs`, instead of a run
    bool quiet = false;
    bool list = false;          // only list the built-in scenarios
    std::optional<int> exitNow; // help was shown, or the usage was wrong and has been said
};

// Errors: badUsage, for the exit code 2.
Result<RunArguments> readArguments(int argc, const char* const* argv);

} // namespace lockscope::app
