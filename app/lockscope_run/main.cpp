// lockscope-run: a scenario without a window. Exit codes: see arguments.cpp.
#include "app/lockscope_run/arguments.h"
#include "app/lockscope_run/comparison_report.h"
#include "app/lockscope_run/export_command.h"
#include "app/lockscope_run/field_command.h"
#include "app/lockscope_run/headless_run.h"
#include "app/lockscope_run/history_command.h"
#include "app/lockscope_run/lesson_command.h"
#include "app/lockscope_run/report.h"
#include "app/lockscope_run/text_output.h"
#include "core/sim/run/cut_short.h"

#include "core/base/exception_error.h"
#include "core/base/output_file.h"
#include "core/base/standard_streams.h"

#include <fmt/core.h>

#include <exception>

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

int runOne(const app::RunArguments& arguments)
{
    const Result<app::RunOutcome> run = outcomeOf(arguments.runs.front());
    if (!run)
        return app::fail(run.error());
    if (const Result<void> written =
            app::writeReport(arguments.reportFile, app::indented(app::report(*run)) + "\n");
        !written)
        return app::fail(written.error());
    if (!arguments.quiet)
        writeToStandardError(app::summary(*run));
    else if (run->cutShort == app::kNothingDone) // every other reason has been written when it occurred
        writeToStandardError(fmt::format("lockscope-run: {}\n", app::cutShortText(run->cutShort)));
    return app::exitCode(*run);
}

// Runs one after the other, so that they do not compete for resources.
int runTwo(const app::RunArguments& arguments)
{
    const Result<app::RunOutcome> a = outcomeOf(arguments.runs[0]);
    if (!a)
        return app::fail(a.error());
    if (a->cutShort == sim::cut_short::kInterrupted) {
        writeToStandardError("lockscope-run: The first run was cut short; the second was not started.\n");
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
    const Result<app::RunArguments> arguments = app::readArguments(argc, argv);
    if (!arguments)
        return app::fail(arguments.error());
    if (arguments->help)
        return print("The help cannot be written to", *arguments->help);
    if (arguments->list)
        return listBuiltIns();
    if (arguments->lessons)
        return print("The list cannot be written to", app::lessonList());
    if (arguments->lesson)
        return app::runLesson(*arguments->lesson);
    if (arguments->history)
        return app::runHistory(*arguments->history);
    if (arguments->field)
        return app::runField(*arguments->field);
    if (arguments->exported) {
        const Result<void> done = app::exportTrace(*arguments->exported, arguments->runs.front().file);
        return done ? 0 : app::fail(done.error());
    }
    if (const Result<void> possible = app::checkReport(arguments->reportFile); !possible)
        return app::fail(possible.error());
    return arguments->runs.size() == 1 ? runOne(*arguments) : runTwo(*arguments);
}

} // namespace

int main(int argc, char** argv)
{
    prepareStandardStreams();
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        return app::fail(exceptionError(error));
    }
}
