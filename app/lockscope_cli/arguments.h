// The command line of lockscope-cli: one subcommand for each job, and what it was given.
#pragma once

#include "app/lockscope_cli/explore_command.h"
#include "app/lockscope_cli/field_command.h"
#include "app/lockscope_cli/history_command.h"
#include "app/lockscope_cli/lesson_command.h"
#include "app/lockscope_cli/merge_command.h"

#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/exports/export.h"
#include "core/sim/scenario/scenario.h"
#include "core/workers/run_nodes.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::app {

// The input of one run: a scenario with its changes, or the trace of an earlier run.
struct RunInput
{
    sim::Scenario scenario;
    std::string file;      // the scenario file or trace that was read; empty: a built-in scenario
    bool recorded = false; // the file is a trace to be folded instead of running
    std::string connect;
    tls::ContextPtr tls{};    // of `connect`
    bool joinForeign = false; // clients also start where other programs have nodes
    std::string traceFile;    // written; empty: none; "-": standard output, as everywhere here
    bool quiet = false;
    bool watches = false;        // ask the server for its watch table
    std::string sessionKey{};    // for the names of sessions; empty: a random key
    bool realSessionIds = false; // do not rename sessions
    engine::Limits limits;
    std::optional<engine::Programs>
        programs{};                    // copies of a program instead of clients of ours; without limits
    std::optional<sim::Share> share{}; // none: the whole run
};

struct RunArguments
{
    RunInput run;
    std::string reportFile;                   // empty: none
    std::uint32_t workers = 0;                // 0: the run is carried out here
    std::optional<workers::RunPlace> place{}; // with workers
};

struct JoinArguments
{
    RunInput run; // without the scenario, which the coordinator gives
    workers::RunPlace place;
};

struct JudgeArguments
{
    RunInput run;                      // of programs
    std::string reportFile, junitFile; // empty: none
};

struct CompareArguments
{
    std::vector<RunInput> runs; // two
    std::string reportFile;     // empty: none
    bool quiet = false;
};

struct ExportArguments
{
    exports::Kind kind{};
    std::string file, trace; // written, and read
};

struct ListArguments
{}; // of the built-in scenarios
struct LessonsArguments
{
    std::vector<std::string> results; // files and folders of a class; empty: lists the built-in lessons
    std::string reportFile;           // of the class; empty: none
};
struct HelpArguments
{
    std::string text;
};

using Arguments =
    std::variant<HelpArguments, ListArguments, RunArguments, CompareArguments, ExportArguments,
                 HistoryArguments, WatchArguments, WhoArguments, FreeArguments, LessonsArguments,
                 LessonArguments, JudgeArguments, ExploreArguments, MergeArguments, JoinArguments>;

// True if a trace goes to standard output, so that messages must not.
bool writesToStandardOutput(const CompareArguments& arguments);

// Errors: badUsage, for the exit code 2, and those of files that are read.
Result<Arguments> readArguments(int argc, const char* const* argv);

} // namespace lockscope::app
