// The command judge: a program, and what is tried on it.
#include "app/lockscope_cli/commands.h"

#include "core/base/output_file.h"
#include "core/engine/program_faults.h"

#include <limits>

namespace lockscope::app {

namespace {

constexpr std::int64_t kMostCopies = 50;

struct GivenJudge
{
    std::vector<std::string> command;
    std::optional<std::int64_t> clients, seed;
    std::optional<Duration> duration;
    std::string faults = "gentle", trace, report, junit;
    bool quiet = false;
};

Result<Arguments> judgeFrom(const GivenJudge& given)
{
    JudgeArguments arguments;
    arguments.reportFile = given.report;
    arguments.junitFile = given.junit;
    RunInput& input = arguments.run;
    input.scenario = engine::judgedScenario(static_cast<std::uint32_t>(given.clients.value_or(3)),
                                            static_cast<std::uint64_t>(given.seed.value_or(1)),
                                            given.duration.value_or(std::chrono::seconds(20)));
    input.programs = engine::Programs{given.command, given.faults == "harsh", given.quiet};
    input.traceFile = given.trace;
    input.quiet = given.quiet;
    if (const Result<void> apart = checkOutputs(
            {{"--trace", given.trace}, {"--report", given.report}, {"--junit", given.junit}}, {});
        !apart)
        return apart.error();
    return arguments;
}

} // namespace

ArgumentsReader declareJudge(CLI::App& command)
{
    const auto given = std::make_shared<GivenJudge>();
    command
        .add_option("PROGRAM", given->command,
                    "The program, found as in a shell, and its arguments, behind --. It gets the server's "
                    "address in the variable LOCKSCOPE_CONNECT, the path of the lock in LOCKSCOPE_LOCK and "
                    "the name of the copy in LOCKSCOPE_NAME")
        ->type_name("PROGRAM ARGUMENTS...")
        ->required();
    addNumber(command, "--clients", given->clients, 2, kMostCopies,
              "Number of copies that run at the same time. By default 3");
    command
        .add_option(
            "--faults", given->faults,
            "gentle: what a session survives (slow links, cuts, lost replies, short pauses). harsh: also "
            "the end of sessions, processes that are killed or paused for longer than their session, and "
            "a restart of the server. By default gentle")
        ->type_name("gentle|harsh")
        ->check([](const std::string& text) {
            return text == "gentle" || text == "harsh" ? "" : unexpected(text, "gentle or harsh");
        });
    addNumber(command, "--seed", given->seed, 0, std::numeric_limits<std::int64_t>::max(),
              "Seed of the order of the faults and of what they hit. By default 1");
    addTime(command, "--duration", given->duration,
            "No new fault when this time has passed since a copy first had the lock. By default 20s. A run "
            "takes longer when the lock is stuck",
            Zero::refused);
    addOutput(
        command, "--trace", given->trace, "OUT.jsonl|-",
        "Write the trace here (JSON Lines), for lockscope and the other commands; - is standard output");
    addOutput(command, "--report", given->report, "OUT.json|-",
              "Write the report here (JSON); - is standard output");
    addOutput(command, "--junit", given->junit, "OUT.xml|-",
              "Write the verdicts here as a test suite in JUnit's format, for a CI; - is standard output");
    command.add_flag("--quiet", given->quiet,
                     "No progress line, no summary, and nothing of the copies' standard error");
    addZooKeeper(command);
    return [given] { return judgeFrom(*given); };
}

} // namespace lockscope::app
