#include "app/lockscope_run/arguments.h"

#include "app/lockscope_run/utc_time.h"

#include "core/base/node_path.h"
#include "core/base/numbers.h"
#include "core/base/output_file.h"
#include "core/engine/session_key.h"
#include "core/history/history_files.h"
#include "core/trace/trace_input.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

namespace lockscope::app {

namespace {

struct ParsedOptions
{
    std::string input;
    std::vector<std::string> compare;
    std::pair<std::string, std::string> exported; // kind and file
    std::string serverLimit, grace;
    std::string connect, duration, hold, think, recipe, handoff, trace, report, keyFile;
    std::optional<std::int64_t> clients, cycles, seed;
    std::vector<std::string> history;
    std::vector<std::string> lock, tree;
    std::string watch, who, authFile;
    bool json = false;
    std::string since, until, session, names;
    bool quiet = false;
    std::string lesson, answers;
    bool list = false, lessons = false;
    bool watches = false;
    bool joinForeign = false;
    bool locks = false, follow = false, withData = false, realSessionIds = false;
    std::vector<std::string> options; // the names of all given options
};

void declare(CLI::App& app, ParsedOptions& given)
{
    app.description("Runs a scenario of ZooKeeper lock contention without a window. An option that would "
                    "have no effect with the others is refused.");
    app.footer("Exit codes: 0 every finding as expected; 1 a finding is violated; 2 bad usage or scenario; "
               "3 no ZooKeeper server is available; 4 the run was cut short or did nothing, or an output "
               "could not be "
               "written; 5 no permission to read the lock.");
    auto* input =
        app.add_option("SCENARIO", given.input, "A scenario file (.toml) or the name of a built-in one");
    app.add_option("--compare", given.compare,
                   "Compare two scenarios, which are run one after the other, or two traces (.jsonl)")
        ->type_name("A B")
        ->expected(2)
        ->excludes(input);
    app.add_option("--export", given.exported,
                   "Turn the trace SCENARIO (.jsonl) into a file for other programs: chrome (opens in "
                   "ui.perfetto.dev), "
                   "csv (the handoffs), clients (CSV) or html (a page that needs nothing else); as OUT, - is "
                   "standard output")
        ->type_name("chrome|csv|clients|html OUT|-")
        ->needs(input);
    app.add_option("--connect", given.connect, "Use the ZooKeeper at this address instead of starting one")
        ->type_name("HOST:PORT,...");
    app.add_flag(
        "--join-foreign", given.joinForeign,
        "Also start where other programs have nodes below the lock's path: the clients queue with them and "
        "hold the lock in their turn. Without it such a run changes nothing and ends with 2");
    app.add_option("--lock", given.lock,
                   "The lock's path; with --watch or --history, repeat --lock for several")
        ->type_name("PATH")
        ->expected(1)
        ->take_all();
    app.add_option("--clients", given.clients, "Number of clients")->type_name("N");
    app.add_option("--cycles", given.cycles,
                   "How often each client acquires and releases; 0 = until the duration is over")
        ->type_name("N");
    app.add_option("--duration", given.duration,
                   "No client starts a new cycle after this time, for example 10s")
        ->type_name("TIME");
    app.add_option("--grace", given.grace,
                   "How long clients may take to finish after the duration before the run is cut short. By "
                   "default 30s")
        ->type_name("TIME");
    app.add_option(
           "--server-limit", given.serverLimit,
           "The run is cut short when no client has contact with ZooKeeper for this long. By default 60s")
        ->type_name("TIME");
    app.add_option("--hold", given.hold, "How long each client holds the lock, for example 2ms")
        ->type_name("TIME");
    app.add_option("--think", given.think, "The pause between two cycles, for example 0ms")
        ->type_name("TIME");
    app.add_option("--recipe", given.recipe, sim::recipeNames())->type_name("NAME");
    app.add_option("--handoff", given.handoff, "How the lock is handed off: curator or announced")
        ->type_name("POLICY");
    app.add_option("--seed", given.seed, "Seed of all random choices")->type_name("N");
    app.add_option("--trace", given.trace,
                   "Write the trace here (JSON Lines); - is standard output; with --compare OUT.a.jsonl and "
                   "OUT.b.jsonl")
        ->type_name("OUT.jsonl|-");
    app.add_option("--report", given.report, "Write the report here (JSON); - is standard output")
        ->type_name("OUT.json|-");
    app.add_flag(
        "--watches", given.watches,
        "Ask the server for its watch table (wchp) up to four times a second, so that the trace has it "
        "beside "
        "the clients' beliefs. By default the server is not asked: each request takes server time and delays "
        "the clients");
    auto* key =
        app.add_option(
               "--key-file", given.keyFile,
               "Name sessions under the key in this file, so that files written with the same key can be "
               "joined; by default each run has a random one")
            ->type_name("FILE");
    auto* history =
        app.add_option(
               "--history", given.history,
               "Report the history of a ZooKeeper's locks from its transaction log: its data directory, or "
               "some of its files log.* and snapshot.*. The files are only read. With --watch or --who: find "
               "how "
               "holds ended, and since when the lock has been held")
            ->type_name("DIR|FILE...")
            ->excludes(input);
    app.add_flag("--locks", given.locks, "With --history: only the table of the locks")->needs(history);
    app.add_option("--since", given.since,
                   "With --history: count from this time on, for example 2026-11-23T03:00Z")
        ->type_name("TIME")
        ->needs(history);
    app.add_option("--until", given.until, "With --history: read up to this time")
        ->type_name("TIME")
        ->needs(history);
    app.add_option("--session", given.session, "With --history: count only acquisitions by this session")
        ->type_name("0x...")
        ->needs(history);
    app.add_flag("--follow", given.follow, "With --history: keep reading as the log grows, until interrupted")
        ->needs(history);
    app.add_option("--names", given.names,
                   "With --history: names of the participants, one per line: a session (0x...) or host, then "
                   "its name")
        ->type_name("FILE")
        ->needs(history);
    app.add_flag("--with-data", given.withData, "With --history: also write the data of the nodes")
        ->needs(history);
    auto* watch = app.add_option("--watch", given.watch,
                                 "Watch locks of other programs on this ensemble: every create and delete, "
                                 "without any request that "
                                 "writes. With --lock or --tree; until interrupted, or for --duration")
                      ->type_name("HOST:PORT,...[/CHROOT]")
                      ->excludes(input);
    app.add_option("--tree", given.tree, "With --watch: every lock below this path")
        ->type_name("PATH")
        ->expected(1)
        ->take_all()
        ->needs(watch);
    auto* who =
        app.add_option(
               "--who", given.who,
               "Print in one line who holds this lock on the ensemble of --connect. Exit code 0: it is "
               "held; 1: it is free, or there is no such path; 5: not permitted")
            ->type_name("PATH")
            ->excludes(input)
            ->excludes(watch);
    app.add_flag("--json", given.json, "With --who: as JSON")->needs(who);
    app.add_option("--auth-file", given.authFile,
                   "With --watch or --who: credentials for reading, one per line: a scheme and its proof, as "
                   "in \"digest USER:PASSWORD\"")
        ->type_name("FILE");
    app.add_flag("--real-session-ids", given.realSessionIds,
                 "Do not rename sessions. ZooKeeper derives a session's password from its id: a reader of "
                 "such a file can "
                 "take over the sessions in it for as long as they live")
        ->excludes(key);
    app.add_flag("--quiet", given.quiet, "No progress line and no summary");
    app.add_flag("--list", given.list, "List the built-in scenarios and exit");
    app.add_flag("--lessons", given.lessons, "List the built-in lessons and exit");
    auto* lesson =
        app.add_option(
               "--lesson", given.lesson,
               "Play a lesson without a learner: a lesson file (.toml) or the name of a built-in one. "
               "Prints each bet, the run's answer and the event that proves it")
            ->type_name("NAME|FILE")
            ->excludes(input);
    app.add_option("--answers", given.answers,
                   "With --lesson: whether the bets are right or wrong. By default right")
        ->type_name("right|wrong")
        ->needs(lesson);
}

Error badOption(const std::string& option, const std::string& found, const std::string& expected)
{
    return Error{ErrorCode::badUsage, option + ": found \"" + found + "\", expected " + expected + ".", ""};
}

Result<void> readTime(const std::string& option, const std::string& text, std::optional<Duration>& out)
{
    if (text.empty())
        return {};
    out = sim::parseDuration(text);
    if (!out)
        return badOption(option, text, "a time such as 250ms, 2s or 0");
    return {};
}

Result<engine::Limits> limitsFrom(const ParsedOptions& given)
{
    std::optional<Duration> contact, grace;
    if (auto read = readTime("--server-limit", given.serverLimit, contact); !read)
        return read.error();
    if (auto read = readTime("--grace", given.grace, grace); !read)
        return read.error();
    if (contact == Duration{})
        return badOption("--server-limit", given.serverLimit, "a time longer than 0");
    engine::Limits limits;
    limits.contact = contact.value_or(limits.contact);
    limits.grace = grace.value_or(limits.grace);
    return limits;
}

Result<void> applyCounts(const ParsedOptions& given, sim::Scenario& scenario)
{
    if (given.clients) {
        if (*given.clients < 1 || *given.clients > sim::kMaxClients)
            return badOption("--clients", std::to_string(*given.clients),
                             "a number from 1 to " + std::to_string(sim::kMaxClients));
        sim::setClientCount(scenario, static_cast<std::uint32_t>(*given.clients));
    }
    if (given.cycles) {
        if (*given.cycles < 0 || *given.cycles > 1'000'000'000)
            return badOption("--cycles", std::to_string(*given.cycles), "a number from 0 to 1000000000");
        sim::forEachWork(scenario,
                         [&](sim::Work& work) { work.cycles = static_cast<std::uint32_t>(*given.cycles); });
    }
    if (given.seed) {
        if (*given.seed < 0)
            return badOption("--seed", std::to_string(*given.seed), "a number from 0 on");
        scenario.seed = static_cast<std::uint64_t>(*given.seed);
    }
    return {};
}

Result<void> applyTimes(const ParsedOptions& given, sim::Scenario& scenario)
{
    std::optional<Duration> hold, think;
    if (auto read = readTime("--duration", given.duration, scenario.duration); !read)
        return read;
    if (scenario.duration == Duration{})
        return badOption("--duration", given.duration, "a time longer than 0");
    if (auto read = readTime("--hold", given.hold, hold); !read)
        return read;
    if (auto read = readTime("--think", given.think, think); !read)
        return read;
    if (hold)
        sim::forEachWork(scenario, [&](sim::Work& work) { work.hold = sim::Range{*hold, *hold}; });
    if (think)
        sim::forEachWork(scenario, [&](sim::Work& work) { work.think = sim::Range{*think, *think}; });
    bool endless = false;
    for (const sim::Participant& one : sim::participants(scenario))
        endless = endless || one.work.cycles == 0;
    if (endless && !scenario.duration)
        return badOption("--cycles", "0", "a --duration with it, or the run would never end");
    return {};
}

Result<void> applyNames(const ParsedOptions& given, sim::Scenario& scenario)
{
    if (given.lock.size() > 1)
        return badOption("--lock", given.lock[1], "one lock; several are only for --watch and --history");
    if (!given.lock.empty())
        scenario.locks.front() = given.lock.front();
    if (!given.recipe.empty()) {
        const auto recipe = sim::parseRecipe(given.recipe);
        if (!recipe)
            return badOption("--recipe", given.recipe, "one of " + sim::recipeNames());
        scenario.recipe = *recipe;
    }
    if (!given.handoff.empty()) {
        const auto handoff = sim::parseHandoff(given.handoff);
        if (!handoff)
            return badOption("--handoff", given.handoff, "curator or announced");
        scenario.handoff = *handoff;
    }
    return sim::validate(scenario);
}

Result<void> readKey(const ParsedOptions& given, std::string& out)
{
    if (given.keyFile.empty())
        return {};
    Result<std::string> key = engine::readSessionKey(given.keyFile);
    if (!key)
        return key.error();
    out = std::move(*key);
    return {};
}

// "run.jsonl" is "run.a.jsonl" for the first of two runs.
std::string traceOf(const std::string& file, const std::string& which)
{
    if (file.empty() || which.empty() || file == kStandardOutput)
        return file;
    std::filesystem::path path(file);
    const std::string ending = path.extension().string();
    return path.replace_extension().string() + "." + which + ending;
}

Result<RunInput> inputFrom(const ParsedOptions& given, const std::string& name, const std::string& which)
{
    RunInput input;
    input.connect = given.connect;
    input.quiet = given.quiet;
    input.joinForeign = given.joinForeign;
    input.watches = given.watches;
    input.realSessionIds = given.realSessionIds;
    if (const auto read = readKey(given, input.sessionKey); !read)
        return read.error();
    const Result<engine::Limits> limits = limitsFrom(given);
    if (!limits)
        return limits.error();
    input.limits = *limits;
    if ((!which.empty() || !given.exported.first.empty()) &&
        std::filesystem::path(name).extension() == ".jsonl") {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(name, ignored))
            return Error{ErrorCode::badUsage, trace::noTraceFile(name), ""};
        input.file = name;
        input.recorded = true;
        return input;
    }
    if (std::filesystem::path(name).extension() == ".jsonl")
        return Error{
            ErrorCode::badUsage,
            name + " is a trace, not a scenario: --export turns it into other files, --compare compares "
                   "it with another one, and the program lockscope opens it.",
            ""};
    input.traceFile = traceOf(given.trace, which);
    Result<sim::Scenario> scenario = sim::loadScenario(name);
    if (!scenario)
        return scenario.error();
    input.scenario = std::move(*scenario);
    if (given.joinForeign && given.connect.empty() && input.scenario.connect.empty())
        return Error{ErrorCode::badUsage,
                     "--join-foreign goes with --connect: a server of our own has no other programs.", ""};
    const std::vector<sim::BuiltIn>& builtIns = sim::builtIns();
    if (std::none_of(builtIns.begin(), builtIns.end(),
                     [&](const sim::BuiltIn& one) { return one.name == name; }))
        input.file = name;
    for (const auto apply : {applyCounts, applyTimes, applyNames})
        if (const Result<void> applied = apply(given, input.scenario); !applied)
            return applied.error();
    return input;
}

Result<Export> exportFrom(const ParsedOptions& given)
{
    using exports::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{{{"chrome", Kind::chrome},
                                                                       {"csv", Kind::handoffs},
                                                                       {"clients", Kind::clients},
                                                                       {"html", Kind::report}}};
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const auto& one) { return one.first == given.exported.first; });
    if (kind == kKinds.end())
        return badOption("--export", given.exported.first, "chrome, csv, clients or html");
    if (std::filesystem::path(given.input).extension() != ".jsonl")
        return badOption("--export", given.input,
                         "a trace file (.jsonl), for example from lockscope-run --trace");
    return Export{kind->second, given.exported.second};
}

struct Output
{
    std::string option, path;
};

// All files that will be written, with their options.
std::vector<Output> outputsOf(const RunArguments& arguments)
{
    std::vector<Output> outputs{{"--report", arguments.reportFile}};
    if (arguments.exported)
        outputs.push_back({"--export", arguments.exported->file});
    for (const RunInput& input : arguments.runs)
        outputs.push_back({"--trace", input.traceFile});
    if (arguments.history)
        outputs.push_back({"--trace", arguments.history->traceFile});
    if (arguments.field)
        outputs.push_back({"--trace", arguments.field->traceFile});
    std::erase_if(outputs, [](const Output& output) { return output.path.empty(); });
    return outputs;
}

// Adds the given paths and the history files in directories.
void addHistoryFiles(const std::vector<std::filesystem::path>& given, std::vector<std::string>& to)
{
    to.insert(to.end(), given.begin(), given.end());
    const auto files = history::findHistoryFiles(given);
    if (!files)
        return;
    for (const auto* found : {&files->logs, &files->snapshots})
        for (const history::HistoryFile& file : *found)
            to.push_back(file.path.string());
}

// Checks that no output replaces an input or another output.
Result<void> checkOutputs(const RunArguments& arguments)
{
    const std::vector<Output> outputs = outputsOf(arguments);
    std::vector<std::string> read;
    for (const RunInput& input : arguments.runs)
        read.push_back(input.file);
    if (arguments.history)
        addHistoryFiles(arguments.history->paths, read);
    if (arguments.field && !arguments.field->logs.empty())
        addHistoryFiles({arguments.field->logs.begin(), arguments.field->logs.end()}, read);
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        for (const std::string& file : read)
            if (!file.empty() && isSameFile(output->path, file))
                return Error{ErrorCode::badUsage,
                             output->option + ": " + output->path + " is the file " + file +
                                 ", which is read and would be replaced.",
                             "Choose another name."};
        const auto same = std::find_if(outputs.begin(), output, [&](const Output& other) {
            return isSameFile(other.path, output->path);
        });
        if (same != output)
            return Error{ErrorCode::badUsage,
                         output->option + ": " + output->path + " is written by " + same->option +
                             " already.",
                         "Choose another name."};
    }
    return {};
}

// With --compare the two names are made from the given one.
Result<void> checkTwoTraces(const ParsedOptions& given)
{
    std::error_code ignored;
    if (given.compare.empty() || given.trace.empty() || given.trace == kStandardOutput ||
        !std::filesystem::exists(given.trace, ignored) ||
        std::filesystem::is_regular_file(given.trace, ignored))
        return {};
    return badOption("--trace", given.trace, "the name of a file, from which two names can be derived");
}

Result<void> readMoment(const std::string& option, const std::string& text, std::optional<std::int64_t>& out)
{
    if (text.empty())
        return {};
    out = timeFrom(text);
    if (!out)
        return badOption(option, text,
                         "a time such as 2026-11-23, 2026-11-23T03:00Z or 2026-11-23T03:00:00.5+01:00");
    return {};
}

Result<HistoryArguments> historyFrom(const ParsedOptions& given)
{
    HistoryArguments history;
    history.paths.assign(given.history.begin(), given.history.end());
    history.options.locks = given.lock;
    history.options.follow = given.follow;
    history.options.withData = given.withData;
    history.locksOnly = given.locks;
    history.realSessionIds = given.realSessionIds;
    history.reportFile = given.report;
    history.traceFile = given.trace;
    history.quiet = given.quiet;
    if (const auto read = readMoment("--since", given.since, history.options.sinceMs); !read)
        return read.error();
    if (const auto read = readMoment("--until", given.until, history.options.untilMs); !read)
        return read.error();
    if (history.options.sinceMs && history.options.untilMs &&
        *history.options.sinceMs > *history.options.untilMs)
        return badOption("--until", given.until, "a time that is not before --since");
    if (!given.session.empty()) {
        history.options.session = parseHex<SessionId>(
            std::string_view(given.session).substr(given.session.starts_with("0x") ? 2 : 0));
        if (!history.options.session)
            return badOption("--session", given.session, "a session id such as 0x10000012ab0003");
    }
    if (const auto read = readKey(given, history.sessionKey); !read)
        return read.error();
    if (!given.names.empty()) {
        auto names = history::ParticipantNames::load(given.names);
        if (!names)
            return names.error();
        history.names = std::move(*names);
    }
    for (const std::string& lock : given.lock)
        if (!lock.starts_with('/'))
            return badOption("--lock", lock, "a path that begins with /");
    return history;
}

Result<LessonArguments> lessonFrom(const ParsedOptions& given)
{
    LessonArguments arguments;
    arguments.connect = given.connect;
    if (given.answers == "wrong")
        arguments.answers = lesson::Answers::wrong;
    else if (!given.answers.empty() && given.answers != "right")
        return badOption("--answers", given.answers, "right or wrong");
    Result<lesson::Lesson> lesson = lesson::loadLesson(given.lesson);
    if (!lesson)
        return lesson.error();
    arguments.lesson = std::move(*lesson);
    return arguments;
}

Result<void> checkPath(const std::string& option, const std::string& path)
{
    return isNodePath(path) ? Result<void>()
                            : badOption(option, path, "a path that begins with / and does not end with /");
}

// The messages contain nothing from the file.
Result<std::vector<std::pair<std::string, std::string>>> credentialsFrom(const std::string& file)
{
    std::ifstream in(file);
    if (!in)
        return badOption("--auth-file", file, "a file that can be read");
    std::vector<std::pair<std::string, std::string>> all;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.empty() || line.starts_with('#'))
            continue;
        const std::size_t space = line.find(' ');
        if (space == 0 || space == std::string::npos || space + 1 == line.size())
            return badOption("--auth-file", file, "on each line a scheme, a space and a proof");
        all.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
    if (all.empty()) // a directory can be opened too, but has no lines
        return badOption("--auth-file", file, "a file with a scheme, a space and a proof on a line");
    return all;
}

Result<FieldArguments> fieldFrom(const ParsedOptions& given)
{
    FieldArguments field;
    field.asksWho = !given.who.empty();
    field.logs = given.history;
    field.json = given.json;
    field.reportFile = given.report;
    field.traceFile = given.trace;
    field.quiet = given.quiet;
    field.realSessionIds = given.realSessionIds;
    if (const auto read = readKey(given, field.sessionKey); !read)
        return read.error();
    if (!given.authFile.empty()) {
        auto credentials = credentialsFrom(given.authFile);
        if (!credentials)
            return credentials.error();
        field.credentials = std::move(*credentials);
    }
    field.connect = field.asksWho ? given.connect : given.watch;
    if (field.asksWho && given.connect.empty())
        return Error{ErrorCode::badUsage, "--who needs --connect HOST:PORT,...", ""};
    const std::vector<std::string> who(field.asksWho ? 1 : 0, given.who);
    for (const auto& [option, paths] :
         {std::pair("--who", &who), {"--lock", &given.lock}, {"--tree", &given.tree}})
        for (const std::string& path : *paths) {
            if (const Result<void> fits = checkPath(option, path); !fits)
                return fits.error();
            field.paths.push_back(path);
        }
    if (field.paths.empty())
        return Error{ErrorCode::badUsage, "--watch needs the path of a lock or a tree.",
                     "Expected --lock PATH or --tree PATH."};
    if (const auto read = readTime("--duration", given.duration, field.duration); !read)
        return read.error();
    if (field.duration == Duration{})
        return badOption("--duration", given.duration, "a time longer than 0");
    return field;
}

// What can be requested instead of a run, and the options that have an effect then.
struct Mode
{
    std::string option, of;
    std::vector<std::string> takes;
};

bool comparesTraces(const ParsedOptions& given)
{
    return !given.compare.empty() &&
           std::all_of(given.compare.begin(), given.compare.end(), [](const std::string& name) {
               return std::filesystem::path(name).extension() == ".jsonl";
           });
}

std::optional<Mode> modeOf(const ParsedOptions& given)
{
    if (given.list)
        return Mode{"--list", "", {}};
    if (given.lessons)
        return Mode{"--lessons", "", {}};
    if (!given.lesson.empty())
        return Mode{"--lesson", "", {"--answers", "--connect"}};
    if (!given.who.empty())
        return Mode{"--who", "", {"--connect", "--auth-file", "--history", "--json"}};
    if (!given.watch.empty())
        return Mode{"--watch",
                    "",
                    {"--lock", "--tree", "--duration", "--auth-file", "--history", "--report", "--trace",
                     "--quiet", "--key-file", "--real-session-ids"}};
    if (!given.history.empty())
        return Mode{"--history",
                    "",
                    {"--locks", "--lock", "--since", "--until", "--session", "--follow", "--report",
                     "--trace", "--names", "--with-data", "--quiet", "--key-file", "--real-session-ids"}};
    if (!given.exported.first.empty())
        return Mode{"--export", "", {"SCENARIO"}};
    if (comparesTraces(given))
        return Mode{"--compare", " of two traces", {"--report", "--quiet"}};
    return std::nullopt;
}

// Checks that each given option has an effect.
Result<void> checkOptions(const ParsedOptions& given)
{
    const std::optional<Mode> mode = modeOf(given);
    if (!mode)
        return {};
    const auto odd = std::find_if(given.options.begin(), given.options.end(), [&](const std::string& option) {
        return option != mode->option && option != "--quiet" && // less is printed, if anything
               std::find(mode->takes.begin(), mode->takes.end(), option) == mode->takes.end();
    });
    if (odd == given.options.end())
        return {};
    std::string list;
    for (const std::string& option : mode->takes)
        list += (list.empty() ? "" : &option == &mode->takes.back() ? " and " : ", ") + option;
    return Error{ErrorCode::badUsage,
                 (*odd == "SCENARIO" ? given.input : *odd) + ": " + mode->option + mode->of + " takes " +
                     (list.empty() ? "nothing else." : list + ", and nothing else."),
                 ""};
}

// Adds a scenario, two scenarios to compare, or a trace to export.
Result<void> addRuns(const ParsedOptions& given, RunArguments& arguments)
{
    if (given.input.empty() && given.compare.empty())
        return Error{ErrorCode::badUsage, "No scenario was given.",
                     "Expected a .toml file or a built-in name, for example: lockscope-run five-clients. "
                     "lockscope-run --list lists the built-in ones."};
    if (!given.exported.first.empty()) {
        Result<Export> exported = exportFrom(given);
        if (!exported)
            return exported.error();
        arguments.exported = std::move(*exported);
    }
    if (const Result<void> two = checkTwoTraces(given); !two)
        return two.error();
    const bool one = given.compare.empty();
    const std::vector<std::string> names = one ? std::vector{given.input} : given.compare;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Result<RunInput> input = inputFrom(given, names[i], one ? "" : i == 0 ? "a" : "b");
        if (!input)
            return input.error();
        arguments.runs.push_back(std::move(*input));
    }
    return {};
}

Result<RunArguments> argumentsFrom(const ParsedOptions& given)
{
    const bool live = !given.watch.empty() || !given.who.empty();
    if (!given.authFile.empty() && !live)
        return Error{ErrorCode::badUsage, "--auth-file goes with --watch or --who.", ""};
    if (const Result<void> fits = checkOptions(given); !fits)
        return fits.error();
    RunArguments arguments;
    arguments.list = given.list;
    arguments.reportFile = given.report;
    arguments.quiet = given.quiet;
    arguments.lessons = given.lessons;
    if (given.list || given.lessons)
        return arguments;
    if (!given.lesson.empty()) {
        Result<LessonArguments> lesson = lessonFrom(given);
        if (!lesson)
            return lesson.error();
        arguments.lesson = std::move(*lesson);
        return arguments;
    }
    if (live) {
        Result<FieldArguments> field = fieldFrom(given);
        if (!field)
            return field.error();
        arguments.field = std::move(*field);
    } else if (!given.history.empty()) {
        Result<HistoryArguments> history = historyFrom(given);
        if (!history)
            return history.error();
        arguments.history = std::move(*history);
    } else if (const Result<void> added = addRuns(given, arguments); !added) {
        return added.error();
    }
    if (const Result<void> apart = checkOutputs(arguments); !apart)
        return apart.error();
    return arguments;
}

} // namespace

bool writesToStandardOutput(const RunArguments& arguments)
{
    const std::vector<Output> outputs = outputsOf(arguments);
    return std::any_of(outputs.begin(), outputs.end(),
                       [](const Output& output) { return isSameFile(output.path, kStandardOutput); });
}

Result<RunArguments> readArguments(int argc, const char* const* argv)
{
    CLI::App app;
    ParsedOptions given;
    declare(app, given);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) { // --help
        std::ostringstream text;
        app.exit(success, text, text);
        RunArguments arguments;
        arguments.help = text.str();
        return arguments;
    } catch (const CLI::ParseError& error) {
        return Error{ErrorCode::badUsage, std::string(error.what()) + ".",
                     "lockscope-run --help lists the options."};
    }
    for (const CLI::Option* option : app.get_options())
        if (option->count() > 0)
            given.options.push_back(option->get_name());
    return argumentsFrom(given);
}

} // namespace lockscope::app
