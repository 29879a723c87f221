// lockscope-run: a scenario without a window. Exit codes: see arguments.cpp.
#include "app/lockscope_run/arguments.h"
#include "app/lockscope_run/headless_run.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

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
    app::HeadlessRun run(*arguments);
    const Result<int> ended = run.run();
    return ended ? *ended : say(ended.error());
}
