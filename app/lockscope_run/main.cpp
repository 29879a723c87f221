// lockscope-run: a scenario without a window. Exit codes: see arguments.cpp.
#include "app/lockscope_run/arguments.h"
#include "app/lockscope_run/comparison_report.h"
#include "app/lockscope_run/exporting.h"
#include "app/lockscope_run/headless_run.h"
#include "app/lockscope_run/report.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

using namespace lockscope;

int say(const Error& error)
{
    fmt::print(stderr, "lockscope-run: {}\n", error.text());
    return app::exitCode(error.code);
}

void listBuiltIns()
{
    for (const sim::BuiltIn& builtIn : sim::builtIns()) {
        const Result<sim::Scenario> scenario = sim::loadScenario(std::string(builtIn.name));
        fmt::print("{:<24} {}\n", builtIn.name, scenario ? scenario->title : scenario.error().text());
    }
}

Result<void> writeReport(const std::string& file, const boost::json::object& report)
{
    if (file.empty())
        return {};
    const std::string text = app::indented(report) + "\n";
    if (file == "-") {
        fmt::print("{}", text);
        if (std::fflush(stdout) == 0)
            return {};
    } else {
        std::ofstream out(file, std::ios::binary | std::ios::trunc);
        out << text;
        out.close();
        if (out)
            return {};
    }
    return Error{ErrorCode::ioFailed, "The report cannot be written to " + file + ": " + std::strerror(errno) + ".",
                 "Check the folder and the space on the disk."};
}

Result<app::RunOutcome> outcomeOf(const app::RunInput& input)
{
    if (!input.recorded.empty())
        return app::recordedRun(input.recorded);
    app::HeadlessRun run(input);
    return run.run();
}

int runOne(const app::RunArguments& arguments)
{
    const Result<app::RunOutcome> run = outcomeOf(arguments.runs.front());
    if (!run)
        return say(run.error());
    if (const Result<void> written = writeReport(arguments.reportFile, app::report(*run)); !written)
        return say(written.error());
    if (!arguments.quiet)
        fmt::print(stderr, "{}", app::summary(*run));
    return app::exitCode(*run);
}

// One after the other, so that neither takes anything from the other.
int runTwo(const app::RunArguments& arguments)
{
    const Result<app::RunOutcome> a = outcomeOf(arguments.runs[0]);
    if (!a)
        return say(a.error());
    if (a->byHand) {
        fmt::print(stderr, "lockscope-run: Cut short in the first run; the second was not begun.\n");
        return app::exitCode(*a);
    }
    const Result<app::RunOutcome> b = outcomeOf(arguments.runs[1]);
    if (!b)
        return app::worseExit(say(b.error()), app::exitCode(*a));
    const app::ComparedRuns both = app::compared(*a, *b);
    if (const Result<void> written = writeReport(arguments.reportFile, app::report(both)); !written)
        return say(written.error());
    // With the report on standard output the table must not get into it.
    if (!arguments.quiet)
        fmt::print(arguments.reportFile == "-" ? stderr : stdout, "{}", app::table(both));
    return app::worseExit(app::exitCode(*a), app::exitCode(*b));
}

} // namespace

int main(int argc, char** argv)
{
    // A reader that went away or a file at its limit is an error of that write, not the end of the program.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    const Result<app::RunArguments> arguments = app::readArguments(argc, argv);
    if (!arguments)
        return say(arguments.error());
    if (arguments->exitNow)
        return *arguments->exitNow;
    if (arguments->list) {
        listBuiltIns();
        return 0;
    }
    if (arguments->exported) {
        const Result<void> done = app::exportTrace(*arguments->exported, arguments->runs.front().recorded);
        return done ? 0 : say(done.error());
    }
    return arguments->runs.size() == 1 ? runOne(*arguments) : runTwo(*arguments);
}
