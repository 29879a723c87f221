// The command line of lockscope-run: turns arguments into what to run, with its changes, and where to write.
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

// The input of one run: a scenario with its changes, or the trace of an earlier run.
struct RunInput
{
    sim::Scenario scenario;
    std::string file;      // the scenario file or trace that was read; empty: a built-in scenario
    bool recorded = false; // the file is a trace to be folded instead of running
    std::string connect;
    bool joinForeign = false; // clients also start where other programs have nodes
    std::string traceFile; // written; empty: none; "-": standard output, as everywhere here
    bool quiet = false;
    bool watches = false;    // ask the server for its watch table
    std::string sessionKey{};    // for the names of sessions; empty: a random key
    bool realSessionIds = false; // do not rename sessions
    engine::Limits limits;
};

struct Export
{
    exports::Kind kind{};
    std::string file;
};

struct RunArguments
{
    std::vector<RunInput> runs; // one, or two to compare
    std::string reportFile;     // empty: none
    std::optional<Export> exported; // export the one trace in `runs`, instead of a run
    std::optional<HistoryArguments> history; // read instead of a run
    std::optional<LessonArguments> lesson;   // played instead of a run
    std::optional<FieldArguments> field;     // watch foreign locks, or ask about one, instead of a run
    bool quiet = false;
    bool list = false;          // only list the built-in scenarios
    bool lessons = false;       // only list the built-in lessons
    std::optional<std::string> help; // shown instead of a run
};

// True if the trace or the report goes to standard output, so that messages must not.
bool writesToStandardOutput(const RunArguments& arguments);

// Errors: badUsage, for the exit code 2.
Result<RunArguments> readArguments(int argc, const char* const* argv);

} // namespace lockscope::app
