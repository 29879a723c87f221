// lockscope-cli: what lockscope does, without a window. Exit codes: see arguments.cpp.
#include "app/lockscope_cli/arguments.h"
#include "app/lockscope_cli/comparison_report.h"
#include "app/lockscope_cli/explore_command.h"
#include "app/lockscope_cli/export_command.h"
#include "app/lockscope_cli/field_command.h"
#include "app/lockscope_cli/headless_run.h"
#include "app/lockscope_cli/history_command.h"
#include "app/lockscope_cli/judge_command.h"
#include "app/lockscope_cli/lesson_command.h"
#include "app/lockscope_cli/merge_command.h"
#include "app/lockscope_cli/report.h"
#include "app/lockscope_cli/text_output.h"
#include "app/lockscope_cli/workers_command.h"
#include "app/options/program.h"
#include "core/sim/run/cut_short.h"

#include "core/base/output_file.h"
#include "core/base/standard_streams.h"

#include <fmt/core.h>

#include <variant>

namespace {

using namespace lockscope;

// Returns the exit code.
int print(std::string_view what, std::string_view text)
{
    const Result<void> written = app::writeText(what, kStandardOutput, text);
    return written ? 0 : app::fail(written.error());
}

int listBuiltIns()
{
    std::string text;
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const Result<sim::Scenario> scenario = sim::loadScenario(std::string(builtIn.name));
        text +=
            fmt::format("{:<24} {}\n", builtIn.name, scenario ? scenario->title : scenario.error().text());
    }
    return print("The list cannot be written to", text);
}

Result<app::RunOutcome> outcomeOf(const app::RunInput& input)
{
    if (input.recorded)
        return app::recordedRun(input.file);
    app::HeadlessRun run(input);
    return run.run();
}

struct Job
{
    int operator()(const app::HelpArguments& help) const
    {
        return print("The help cannot be written to", help.text);
    }
    int operator()(const app::ListArguments&) const { return listBuiltIns(); }
    int operator()(const app::LessonsArguments& lessons) const
    {
        return lessons.results.empty() ? print("The list cannot be written to", app::lessonList())
                                       : app::printClassResults(lessons.results, lessons.reportFile);
    }
    int operator()(const app::LessonArguments& lesson) const { return app::runLesson(lesson); }
    int operator()(const app::ExploreArguments& explored) const { return app::runExplore(explored); }
    int operator()(const app::HistoryArguments& history) const { return app::runHistory(history); }
    int operator()(const app::MergeArguments& merge) const { return app::runMerge(merge); }
    int operator()(const app::JoinArguments& worker) const { return app::runWorker(worker); }
    int operator()(const app::JudgeArguments& judge) const { return app::runJudge(judge); }
    int operator()(const app::WatchArguments& watch) const { return app::runWatch(watch); }
    int operator()(const app::WhoArguments& who) const { return app::runWho(who); }
    int operator()(const app::FreeArguments& freed) const { return app::runFree(freed); }
    int operator()(const app::ExportArguments& exported) const
    {
        const Result<void> done = app::exportTrace(exported);
        return done ? 0 : app::fail(done.error());
    }
    int operator()(const app::RunArguments& arguments) const;
    int operator()(const app::CompareArguments& arguments) const;
};

int Job::operator()(const app::RunArguments& arguments) const
{
    if (arguments.workers > 0)
        return app::runCoordinator(arguments);
    if (const Result<void> possible = app::checkReport(arguments.reportFile); !possible)
        return app::fail(possible.error());
    const Result<app::RunOutcome> run = outcomeOf(arguments.run);
    if (!run)
        return app::fail(run.error());
    if (const Result<void> written =
            app::writeReport(arguments.reportFile, app::indented(app::report(*run)) + "\n");
        !written)
        return app::fail(written.error());
    if (!arguments.run.quiet)
        writeToStandardError(app::summary(*run));
    else if (run->cutShort == app::kNothingDone) // every other reason has been written when it occurred
        writeToStandardError(fmt::format("lockscope-cli: {}\n", app::cutShortText(run->cutShort)));
    return app::exitCode(*run);
}

// Runs one after the other, so that they do not compete for resources.
int Job::operator()(const app::CompareArguments& arguments) const
{
    if (const Result<void> possible = app::checkReport(arguments.reportFile); !possible)
        return app::fail(possible.error());
    const Result<app::RunOutcome> a = outcomeOf(arguments.runs[0]);
    if (!a)
        return app::fail(a.error());
    if (a->cutShort == sim::cut_short::kInterrupted) {
        writeToStandardError("lockscope-cli: The first run was cut short; the second was not started.\n");
        return app::exitCode(*a);
    }
    const Result<app::RunOutcome> b = outcomeOf(arguments.runs[1]);
    if (!b)
        return app::worseExit(app::fail(b.error()), app::exitCode(*a));
    const app::ComparedRuns both = app::compared(*a, *b);
    if (const Result<void> written =
            app::writeReport(arguments.reportFile, app::indented(app::report(both)) + "\n");
        !written)
        return app::fail(written.error());
    const int code = app::worseExit(app::exitCode(*a), app::exitCode(*b));
    if (arguments.quiet)
        return code;
    if (!app::writesToStandardOutput(arguments))
        return app::worseExit(code, print("The comparison cannot be written to", app::table(both)));
    writeToStandardError(app::table(both));
    return code;
}

int run(int argc, char** argv)
{
    const Result<app::Arguments> arguments = app::readArguments(argc, argv);
    return arguments ? std::visit(Job(), *arguments) : app::fail(arguments.error());
}

} // namespace

int main(int argc, char** argv) { return app::runProgram("lockscope-cli", run, argc, argv); }
