// The commands run and compare: a scenario with its changes.
#include "app/lockscope_cli/commands.h"

#include "core/base/output_file.h"
#include "core/sim/scenario/share.h"
#include "core/trace/trace_input.h"

#include <algorithm>
#include <random>
#include <sstream>

namespace lockscope::app {

namespace {

struct GivenRun
{
    std::string connect, lock, recipe, handoff, trace, report;
    bool joinForeign = false, watches = false, quiet = false;
    std::optional<std::int64_t> clients, cycles, seed;
    std::optional<Duration> duration, grace, serverLimit, hold, think;
    SessionNaming naming;
    GivenTls tls;
    const CLI::Option* zookeeper = nullptr;
};

bool isTrace(const std::string& name) { return std::filesystem::path(name).extension() == ".jsonl"; }

void addWatches(CLI::App& command, bool& watches)
{
    command.add_flag(
        "--watches", watches,
        "Ask the server for its watch table (wchp) up to four times a second, so that the trace has it "
        "beside the clients' beliefs. By default the server is not asked: each request takes server time "
        "and delays the clients");
}

// What changes a scenario, and how it is run.
void addRunOptions(CLI::App& command, GivenRun& given, const std::string& trace)
{
    auto* connect = command
                        .add_option("--connect", given.connect,
                                    "Use the ZooKeeper at this address instead of starting one")
                        ->type_name("[tls://]HOST:PORT,...")
                        ->check(checkHosts);
    given.zookeeper = addZooKeeper(command)->excludes(connect);
    addTls(command, given.tls);
    command.add_flag(
        "--join-foreign", given.joinForeign,
        "Also start where other programs have nodes below the lock's path: the clients queue with them and "
        "hold the lock in their turn. Without it such a run changes nothing and ends with 2. For a server "
        "of others, which --connect or the scenario names");
    command.add_option("--lock", given.lock, "The lock's path")->type_name("PATH");
    addNumber(command, "--clients", given.clients, 1, sim::kMaxClients, "Number of clients");
    addNumber(command, "--cycles", given.cycles, 0, 1'000'000'000,
              "How often each client acquires and releases; 0 = until the duration is over");
    addTime(command, "--duration", given.duration,
            "No client starts a new cycle after this time, for example 10s", Zero::refused);
    addTime(
        command, "--grace", given.grace,
        "How long clients may take to finish after the duration before the run is cut short. By default 30s");
    addTime(command, "--server-limit", given.serverLimit,
            "The run is cut short when no client has contact with ZooKeeper for this long. By default 60s",
            Zero::refused);
    addTime(command, "--hold", given.hold, "How long each client holds the lock, for example 2ms");
    addTime(command, "--think", given.think, "The pause between two cycles, for example 0ms");
    command.add_option("--recipe", given.recipe, "The kind of lock: " + sim::recipeNames())
        ->type_name("RECIPE")
        ->check([](const std::string& name) {
            return sim::parseRecipe(name) ? "" : unexpected(name, "one of " + sim::recipeNames());
        });
    command.add_option("--handoff", given.handoff, "How the lock is handed off")
        ->type_name("curator|announced")
        ->check([](const std::string& name) {
            return enumFrom<HandoffPolicy>(name) ? "" : unexpected(name, "curator or announced");
        });
    addNumber(command, "--seed", given.seed, 0, std::numeric_limits<std::int64_t>::max(),
              "Seed of all random choices");
    addOutput(command, "--trace", given.trace, "OUT.jsonl|-", trace);
    addWatches(command, given.watches);
    addSessionNaming(command, given.naming);
}

void addReportOptions(CLI::App& command, GivenRun& given)
{
    addOutput(command, "--report", given.report, "OUT.json|-",
              "Write the report here (JSON); - is standard output");
    command.add_flag("--quiet", given.quiet, "No progress line and no summary");
}

Result<void> changeWork(const GivenRun& given, sim::Scenario& scenario)
{
    if (given.clients)
        sim::setClientCount(scenario, static_cast<std::uint32_t>(*given.clients));
    if (given.seed)
        scenario.seed = static_cast<std::uint64_t>(*given.seed);
    if (given.duration)
        scenario.duration = given.duration;
    sim::forEachWork(scenario, [&](sim::Work& work) {
        if (given.cycles)
            work.cycles = static_cast<std::uint32_t>(*given.cycles);
        if (given.hold)
            work.hold = sim::Range{*given.hold, *given.hold};
        if (given.think)
            work.think = sim::Range{*given.think, *given.think};
    });
    const std::vector<sim::Participant> all = sim::participants(scenario);
    const bool endless =
        std::ranges::any_of(all, [](const sim::Participant& one) { return one.work.cycles == 0; });
    if (endless && !scenario.duration)
        return badOption("--cycles", "0", "a --duration with it, or the run would never end");
    if (given.grace && !scenario.duration)
        return Error{ErrorCode::badUsage, "--grace has no effect: this run has no duration.",
                     "Add --duration TIME."};
    return {};
}

Result<void> changeLock(const GivenRun& given, sim::Scenario& scenario)
{
    if (!given.lock.empty())
        scenario.locks.front() = given.lock;
    if (!given.recipe.empty())
        scenario.recipe = *sim::parseRecipe(given.recipe);
    if (!given.handoff.empty())
        scenario.handoff = *enumFrom<HandoffPolicy>(given.handoff);
    return sim::validate(scenario);
}

Result<void> checkServer(const GivenRun& given, const sim::Scenario& scenario)
{
    if (given.joinForeign && given.connect.empty() && scenario.connect.empty())
        return Error{ErrorCode::badUsage,
                     "--join-foreign goes with --connect: a server of our own has no other programs.", ""};
    if (given.zookeeper->count() > 0 && !scenario.connect.empty())
        return Error{ErrorCode::badUsage,
                     "--zookeeper has no effect: the scenario connects to " + scenario.connect + ".", ""};
    return {};
}

Result<RunInput> scenarioFrom(const GivenRun& given, const std::string& name)
{
    if (isTrace(name))
        return Error{ErrorCode::badUsage, name + " is a trace, not a scenario.",
                     "lockscope-cli export turns it into other files, lockscope-cli compare compares it with "
                     "another one, "
                     "and the program lockscope opens it."};
    RunInput input;
    input.connect = given.connect;
    input.quiet = given.quiet;
    input.joinForeign = given.joinForeign;
    input.watches = given.watches;
    input.realSessionIds = given.naming.realIds;
    Result<std::string> key = keyFrom(given.naming);
    if (!key)
        return key.error();
    input.sessionKey = std::move(*key);
    input.limits.contact = given.serverLimit.value_or(input.limits.contact);
    input.limits.grace = given.grace.value_or(input.limits.grace);
    input.traceFile = given.trace;
    Result<sim::Scenario> scenario = sim::loadScenario(name);
    if (!scenario)
        return scenario.error();
    input.scenario = std::move(*scenario);
    const std::vector<sim::BuiltIn>& builtIns = sim::builtIns();
    if (std::ranges::none_of(builtIns, [&](const sim::BuiltIn& one) { return one.name == name; }))
        input.file = name;
    if (const Result<void> fits = checkServer(given, input.scenario); !fits)
        return fits.error();
    const std::string& servers = given.connect.empty() ? input.scenario.connect : given.connect;
    Result<tls::Security> security = securityFrom(given.tls, servers);
    if (!security)
        return security.error();
    input.tls = security->context;
    if (input.tls && servers.empty())
        return Error{ErrorCode::badUsage, "TLS goes with --connect: a server of our own speaks plain text.",
                     ""};
    for (const auto change : {changeWork, changeLock})
        if (const Result<void> changed = change(given, input.scenario); !changed)
            return changed.error();
    return input;
}

// "run.jsonl" is "run.a.jsonl" for the first of two runs.
std::string traceOf(const std::string& file, const char* which)
{
    if (file.empty() || file == kStandardOutput)
        return file;
    std::filesystem::path path(file);
    const std::string ending = path.extension().string();
    return path.replace_extension().string() + "." + which + ending;
}

// The two names are made from the given one.
Result<void> checkTwoTraces(const std::string& trace)
{
    std::error_code ignored;
    if (trace.empty() || trace == kStandardOutput || !std::filesystem::exists(trace, ignored) ||
        std::filesystem::is_regular_file(trace, ignored))
        return {};
    return badOption("--trace", trace, "the name of a file, from which two names can be derived");
}

struct GivenCompare : GivenRun
{
    std::string a, b;
    const CLI::App* scenarios = nullptr; // the options that only runs have
};

Result<Arguments> compareFrom(const GivenCompare& given)
{
    CompareArguments arguments;
    arguments.reportFile = given.report;
    arguments.quiet = given.quiet;
    if (isTrace(given.a) && isTrace(given.b))
        for (const CLI::Option* option : given.scenarios->get_options({}))
            if (option->count() > 0)
                return Error{ErrorCode::badUsage,
                             option->get_name() + " has no effect: both " + given.a + " and " + given.b +
                                 " are traces, of runs that are over.",
                             "With two traces, compare takes --report and --quiet."};
    if (const Result<void> two = checkTwoTraces(given.trace); !two)
        return two.error();
    std::vector<Output> outputs{{"--report", given.report}};
    std::vector<std::string> read;
    for (const auto& [name, which] : {std::pair(given.a, "a"), {given.b, "b"}}) {
        Result<RunInput> input = isTrace(name) ? traceInput(name) : scenarioFrom(given, name);
        if (!input)
            return input.error();
        if (!input->recorded)
            input->traceFile = traceOf(given.trace, which);
        outputs.push_back({"--trace", input->traceFile});
        read.push_back(input->file);
        arguments.runs.push_back(std::move(*input));
    }
    if (const Result<void> apart = checkOutputs(outputs, read); !apart)
        return apart.error();
    return arguments;
}

} // namespace

Result<RunInput> traceInput(const std::string& name)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(name, ignored))
        return Error{ErrorCode::badUsage, trace::noTraceFile(name), ""};
    RunInput input;
    input.file = name;
    input.recorded = true;
    return input;
}

namespace {

struct GivenPlace
{
    std::string folder = workers::RunPlace().folder, id, authFile;
    std::optional<Duration> sessionTimeout, wait;
};

void addPlace(CLI::App& command, GivenPlace& given)
{
    command
        .add_option("--runs-path", given.folder,
                    "The nodes of runs are below this path of the ensemble, the same for all workers. By "
                    "default /lockscope/runs")
        ->type_name("PATH")
        ->check(checkPath);
    addAuthFile(command, given.authFile,
                "the nodes of the run, the same for all workers: only who has them can read or change these");
    addTime(command, "--session-timeout", given.sessionTimeout,
            "A process is taken for dead when ZooKeeper has not heard of it for this long. By default 10s",
            Zero::refused);
    addTime(command, "--wait", given.wait, "How long to wait for the others, before the start. By default 5m",
            Zero::refused);
}

std::string checkRunId(const std::string& text)
{
    return !text.empty() && text.size() <= 100 && text != "." && text != ".." &&
                   text.find_first_not_of(
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
                       std::string::npos
               ? ""
               : unexpected(text, "letters, digits, '-', '_' and '.'");
}

Result<workers::RunPlace> placeFrom(const GivenPlace& given, const std::string& connect, tls::ContextPtr tls)
{
    auto credentials = credentialsFrom(given.authFile);
    if (!credentials)
        return credentials.error();
    workers::RunPlace place;
    for (const auto& [scheme, proof] : *credentials)
        place.credentials.push_back({scheme, [proof] { return Result<std::string>(proof); }});
    place.connect = connect;
    place.tls = std::move(tls);
    place.folder = given.folder;
    place.id = given.id;
    place.sessionTimeout = given.sessionTimeout.value_or(place.sessionTimeout);
    place.wait = given.wait.value_or(place.wait);
    return place;
}

// What only one of both kinds of runs has.
Result<void> checkWorkers(const GivenRun& given, const CLI::App& several, bool workers)
{
    if (workers &&
        (!given.trace.empty() || given.watches || !given.naming.keyFile.empty() || given.naming.realIds))
        return Error{
            ErrorCode::badUsage,
            "--trace, --watches, --key-file and --real-session-ids have no effect with --workers: each "
            "worker writes a trace of its own.",
            "Give them to lockscope-cli join."};
    for (const CLI::Option* option : several.get_options({}))
        if (!workers && option->count() > 0)
            return Error{ErrorCode::badUsage, option->get_name() + " has no effect without --workers.", ""};
    return {};
}

std::string newRunId()
{
    std::random_device random;
    std::ostringstream text;
    text << std::hex << random() << random();
    return text.str();
}

} // namespace

ArgumentsReader declareJoin(CLI::App& command)
{
    struct Given : GivenPlace
    {
        std::string connect, trace;
        bool watches = false, quiet = false;
        SessionNaming naming;
        GivenTls tls;
    };
    const auto given = std::make_shared<Given>();
    command.add_option("RUN", given->id, "The run, as lockscope-cli run --workers has named it")
        ->type_name("RUN")
        ->required()
        ->check(checkRunId);
    command.add_option("--connect", given->connect, "The ensemble's servers, as for the run")
        ->type_name("[tls://]HOST:PORT,...")
        ->required()
        ->check(checkHosts);
    addTls(command, given->tls);
    addPlace(command, *given);
    addOutput(command, "--trace", given->trace, "OUT.jsonl|-",
              "Write the trace of this part here (JSON Lines); - is standard output");
    addWatches(command, given->watches);
    addSessionNaming(command, given->naming);
    command.add_flag("--quiet", given->quiet, "No progress line and no summary");
    return [given]() -> Result<Arguments> {
        JoinArguments join;
        join.run.connect = given->connect;
        join.run.traceFile = given->trace;
        join.run.watches = given->watches;
        join.run.quiet = given->quiet;
        join.run.realSessionIds = given->naming.realIds;
        Result<std::string> key = keyFrom(given->naming);
        if (!key)
            return key.error();
        join.run.sessionKey = std::move(*key);
        Result<tls::Security> security = securityFrom(given->tls, given->connect);
        if (!security)
            return security.error();
        join.run.tls = security->context;
        Result<workers::RunPlace> place = placeFrom(*given, given->connect, security->context);
        if (!place)
            return place.error();
        join.place = std::move(*place);
        return join;
    };
}

ArgumentsReader declareRun(CLI::App& command)
{
    struct Given : GivenRun, GivenPlace
    {
        std::string scenario;
        std::optional<std::int64_t> workers;
    };
    const auto given = std::make_shared<Given>();
    command.add_option("SCENARIO", given->scenario, "A scenario file (.toml) or the name of a built-in one")
        ->type_name("SCENARIO")
        ->required();
    addRunOptions(command, *given, "Write the trace here (JSON Lines); - is standard output");
    addReportOptions(command, *given);
    CLI::App* several = addGroup(command, "Carried out by several processes, on any machines");
    addNumber(
        *several, "--workers", given->workers, 1, 1000,
        "So many processes, started with lockscope-cli join, carry the run out, and this one brings them "
        "together. Needs --connect");
    several
        ->add_option("--run-id", given->id, "The name of the run, for join. By default one that nobody has")
        ->type_name("RUN")
        ->check(checkRunId);
    addPlace(*several, *given);
    return [given, several]() -> Result<Arguments> {
        if (const Result<void> meant = checkWorkers(*given, *several, given->workers.has_value()); !meant)
            return meant.error();
        Result<RunInput> input = scenarioFrom(*given, given->scenario);
        if (!input)
            return input.error();
        if (const Result<void> apart =
                checkOutputs({{"--report", given->report}, {"--trace", given->trace}}, {input->file});
            !apart)
            return apart.error();
        RunArguments arguments{std::move(*input), given->report};
        if (!given->workers)
            return arguments;
        const std::string& servers = given->connect.empty() ? arguments.run.scenario.connect : given->connect;
        if (servers.empty())
            return Error{ErrorCode::badUsage,
                         "--workers goes with --connect: the workers meet on this ensemble.", ""};
        arguments.workers = static_cast<std::uint32_t>(*given->workers);
        if (const Result<void> fits = sim::checkShares(arguments.run.scenario, arguments.workers); !fits)
            return fits.error();
        if (given->id.empty())
            given->id = newRunId();
        Result<workers::RunPlace> place = placeFrom(*given, servers, arguments.run.tls);
        if (!place)
            return place.error();
        arguments.place = std::move(*place);
        return arguments;
    };
}

ArgumentsReader declareCompare(CLI::App& command)
{
    const auto given = std::make_shared<GivenCompare>();
    for (const auto& [name, value] : {std::pair("A", &given->a), {"B", &given->b}})
        command
            .add_option(name, *value, "A scenario file, the name of a built-in scenario, or a trace (.jsonl)")
            ->type_name("SCENARIO|TRACE.jsonl")
            ->required();
    addReportOptions(command, *given);
    CLI::App* scenarios = addGroup(command, "For scenarios, which are run one after the other");
    addRunOptions(*scenarios, *given, "Write the traces here (JSON Lines): OUT.a.jsonl and OUT.b.jsonl");
    given->scenarios = scenarios;
    return [given] { return compareFrom(*given); };
}

} // namespace lockscope::app
