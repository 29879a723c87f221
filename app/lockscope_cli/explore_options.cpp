// The command explore: which recipe, how many clients, how far.
#include "app/lockscope_cli/commands.h"

#include <algorithm>
#include <limits>
#include <thread>

namespace lockscope::app {

namespace {

struct GivenExploration
{
    ExploreArguments arguments;
    std::string recipe, handoff, mistake;
    std::optional<std::int64_t> clients, faults, cycles, servers, seconds, schedules;
    bool refusals = false;
};

constexpr std::int64_t kMostClients = 6; // more never come to an end
constexpr std::int64_t kMostFaults = 6;

std::string exploredRecipes()
{
    std::string words;
    for (const std::string& name : explore::recipeNames())
        words += name + "|";
    return words + "BUILT|FILE.toml";
}

} // namespace

ArgumentsReader declareExplore(CLI::App& command)
{
    std::string mistakes = "Built recipes:\n";
    for (const sim::BuiltIn& ready : explore::builtRecipes())
        mistakes.append("  ").append(ready.name).append("\n");
    mistakes += "\nMistakes:\n";
    for (const explore::FlawRow& row : explore::allFlaws())
        mistakes.append("  ")
            .append(row.name)
            .append(24 - row.name.size(), ' ')
            .append(row.does)
            .append("\n");
    command.footer(mistakes + command.get_footer());
    const auto given = std::make_shared<GivenExploration>();
    command
        .add_option(
            "RECIPE", given->recipe,
            "The recipe: one of LockScope's own locks, or one that is built of choices: a name of the list "
            "below, or a file")
        ->type_name(exploredRecipes())
        ->required();
    addNumber(command, "--clients", given->clients, 1, kMostClients, "Number of clients. By default 2");
    addNumber(
        command, "--faults", given->faults, 0, kMostFaults,
        "How many faults may happen: a connection is lost for a moment or until its session has expired, "
        "with what was under way; a session is ended by an administrator; a process stands still; a node "
        "of the queue is deleted. By default 1");
    addNumber(command, "--cycles", given->cycles, 1, 3,
              "How often each client acquires and releases. By default 1");
    addNumber(command, "--servers", given->servers, 1, 3,
              "Number of servers, each of which may lag behind the leader. By default 1");
    command.add_flag("--refusals", given->refusals,
                     "A further kind of fault: the server is too busy for a request");
    command.add_option("--handoff", given->handoff, "How the lock is handed off. By default curator")
        ->type_name("curator|announced")
        ->check([](const std::string& name) {
            return enumFrom<HandoffPolicy>(name) ? "" : unexpected(name, "curator or announced");
        });
    command.add_option("--mistake", given->mistake, "Give the recipe a known mistake, to see how it breaks")
        ->type_name("MISTAKE")
        ->check([](const std::string& name) {
            return explore::flawNamed(name) ? "" : unexpected(name, "a mistake of the list below");
        });
    addNumber(command, "--seconds", given->seconds, 1, 1'000'000, "Stop after this time");
    addNumber(command, "--schedules", given->schedules, 1, std::numeric_limits<std::int64_t>::max(),
              "Stop after this many schedules");
    addOutput(
        command, "--trace", given->arguments.traceFile, "OUT.jsonl|-",
        "When a rule is violated, write the counterexample here as a trace, which every view can show; - "
        "is standard output");
    addOutput(
        command, "--scenario", given->arguments.scenarioFile, "OUT.toml|-",
        "When a rule is violated, write the counterexample here as a scenario, which takes the same steps in "
        "a run on a real ZooKeeper; for recipes that scenarios have too. - is standard output");
    addOutput(command, "--report", given->arguments.reportFile, "OUT.json|-",
              "Write the report here (JSON); - is standard output");
    command.add_flag("--quiet", given->arguments.quiet, "No progress, no counterexample and no verdict");
    return [given]() -> Result<Arguments> {
        ExploreArguments arguments = given->arguments;
        explore::Workload& workload = arguments.workload;
        workload.recipe = explore::recipeNamed(given->recipe);
        if (!workload.recipe) {
            Result<explore::BuiltRecipe> built = explore::loadBuiltRecipe(given->recipe);
            if (!built)
                return built.error();
            arguments.built = std::move(*built);
            arguments.runnable = explore::runnable(arguments.built);
            workload.recipe = arguments.runnable.get();
            if (!given->mistake.empty())
                return Error{ErrorCode::badUsage, "--mistake has no effect: the recipe is built of choices.",
                             "Choose another option in the file."};
        }
        if (!given->handoff.empty() && !workload.recipe->followsHandoff())
            return Error{ErrorCode::badUsage, "--handoff has no effect: " + given->recipe + " always lists.",
                         ""};
        workload.handoff = enumFrom<HandoffPolicy>(given->handoff).value_or(HandoffPolicy::curator);
        workload.clients = static_cast<std::uint32_t>(given->clients.value_or(2));
        workload.faults = static_cast<std::uint32_t>(given->faults.value_or(1));
        workload.rounds = static_cast<std::uint32_t>(given->cycles.value_or(1));
        workload.servers = static_cast<std::uint32_t>(given->servers.value_or(1));
        if (given->refusals)
            workload.kinds.push_back(explore::StepKind::refused);
        if (workload.faults == 0 && given->refusals)
            return Error{ErrorCode::badUsage, "--refusals has no effect: no fault may happen.",
                         "Use --faults 1 or more."};
        arguments.mistake = given->mistake;
        if (!given->mistake.empty())
            workload = explore::withMistake(workload, given->mistake);
        arguments.search.threads = std::max(1U, std::thread::hardware_concurrency());
        arguments.search.most = std::chrono::seconds(given->seconds.value_or(0));
        arguments.search.mostSchedules = static_cast<std::uint64_t>(given->schedules.value_or(0));
        if (const Result<void> apart = checkOutputs({{"--trace", arguments.traceFile},
                                                     {"--scenario", arguments.scenarioFile},
                                                     {"--report", arguments.reportFile}},
                                                    {});
            !apart)
            return apart.error();
        return arguments;
    };
}

} // namespace lockscope::app
