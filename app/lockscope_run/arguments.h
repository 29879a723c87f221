// The command line of lockscope-run: arguments in, what to run with its changes and where to write out.
#pragma once

#include "app/lockscope_run/field_command.h"
#include "app/lockscope_run/history_command.h"
#include "app/lockscope_run/lesson_command.h"

#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/exports/export.h"
#include "core/sim/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace lockscope::app {

// What one run is made of: a scenario with its changes, or a trace of a run that was made before.
struct RunInput
{
    sim::Scenario scenario;
    std::string file;      // what was read: a scenario file or a trace; empty: a built-in scenario
    bool recorded = false; // the file is a trace to be folded instead of running
    std::string connect;
    std::string traceFile; // to be written; empty: none; "-" = standard output, as everywhere here
    bool quiet = false;
    bool watches = false;    // the server is asked for its watch table
    std::string sessionKey{};    // sessions are named under it; empty: under a random one
    bool realSessionIds = false; // they are not renamed
    engine::Limits limits;
};

struct Export
{
    exports::Kind kind{};
    std::string file;
};

struct RunArguments
{
    std::vector<RunInput> runs; // one, or two to be compared
    std::string reportFile;     // empty: none
    std::optional<Export> exported; // of the one trace in `runs`, instead of a run
    std::optional<HistoryArguments> history; // to be read instead of a run
    std::optional<LessonArguments> lesson;   // to be played instead of a run
    std::optional<FieldArguments> field;     // locks of others to be watched, or asked about, instead of a run
    bool quiet = false;
    bool list = false;          // only list the built-in scenarios
    bool lessons = false;       // only list the built-in lessons
    std::optional<std::string> help; // to be shown instead of a run
};

// Whether standard output is the trace or the report, so that messages must keep out of it.
bool writesToStandardOutput(const RunArguments& arguments);

// Errors: badUsage, for the exit code 2.
Result<RunArguments> readArguments(int argc, const char* const* argv);

} // namespace lockscope::app
