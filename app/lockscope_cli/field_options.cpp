// The commands history, watch, who and free: locks of other programs.
#include "app/lockscope_cli/commands.h"
#include "app/options/sasl_options.h"

#include "core/base/numbers.h"
#include "core/base/numeric_endpoint.h"
#include "core/base/output_file.h"
#include "core/base/utc_time.h"

#include <fstream>
#include <sstream>
#include <string_view>

namespace lockscope::app {

Result<std::vector<std::pair<std::string, std::string>>> credentialsFrom(const std::string& file)
{
    std::vector<std::pair<std::string, std::string>> all;
    if (file.empty())
        return all;
    std::ifstream in(file);
    if (!in)
        return badOption("--auth-file", file, "a file that can be read");
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

void addAuthFile(CLI::App& command, std::string& out, const std::string& what)
{
    command
        .add_option("--auth-file", out,
                    "Credentials for " + what +
                        ", one per line: a scheme and its proof, as in \"digest USER:PASSWORD\"")
        ->type_name("FILE");
}

namespace {

// "2026-11-23T03:00Z", in ms since the Unix epoch.
CLI::Option* addUtcTime(CLI::App& command, const std::string& name, std::optional<std::int64_t>& out,
                        const std::string& help)
{
    return command
        .add_option_function<std::string>(
            name, [&out](const std::string& text) { out = timeFrom(text); }, help)
        ->type_name("TIME")
        ->check([](const std::string& text) {
            return timeFrom(text) ? ""
                                  : unexpected(text, "a time such as 2026-11-23, 2026-11-23T03:00Z or "
                                                     "2026-11-23T03:00:00.5+01:00");
        });
}

std::optional<SessionId> sessionFrom(const std::string& text)
{
    return parseHex<SessionId>(std::string_view(text).substr(text.starts_with("0x") ? 2 : 0));
}

struct GivenHistory
{
    std::vector<std::string> paths;
    std::string names, claims;
    SessionNaming naming;
    HistoryArguments arguments;
};

Result<Arguments> historyFrom(GivenHistory& given)
{
    HistoryArguments& history = given.arguments;
    history.paths.assign(given.paths.begin(), given.paths.end());
    const history::History::Options& options = history.options;
    if (options.sinceMs && options.untilMs && *options.sinceMs > *options.untilMs)
        return Error{ErrorCode::badUsage, "--until is a time before --since.", ""};
    if (history.worth && options.locks.empty())
        return Error{ErrorCode::badUsage, "--worth needs --lock: the requests of the lock are played again.",
                     ""};
    history.realSessionIds = given.naming.realIds;
    Result<std::string> key = keyFrom(given.naming);
    if (!key)
        return key.error();
    history.sessionKey = std::move(*key);
    if (!given.names.empty()) {
        auto names = history::ParticipantNames::load(given.names);
        if (!names)
            return names.error();
        history.names = std::move(*names);
    }
    if (!given.claims.empty()) {
        auto claims = history::loadClaims(given.claims);
        if (!claims)
            return claims.error();
        history.claims = std::move(*claims);
    }
    std::vector<std::string> read;
    addHistoryFiles(history.paths, read);
    if (const Result<void> apart =
            checkOutputs({{"--report", history.reportFile}, {"--trace", history.traceFile}}, read);
        !apart)
        return apart.error();
    return std::move(history);
}

// PATH and --connect.
void addOneLock(CLI::App& command, std::string& path, std::string& connect, const std::string& what)
{
    command.add_option("PATH", path, what)->type_name("PATH")->required()->check(checkPath);
    command.add_option("--connect", connect, "The ensemble's servers, and a chroot")
        ->type_name("[tls://]HOST:PORT,...[/CHROOT]")
        ->required()
        ->check(checkHostsAndChroot);
}

// How the servers are reached.
struct GivenTarget
{
    GivenTls tls;
    std::string authFile;
};

void addTarget(CLI::App& command, GivenTarget& given, const std::string& what)
{
    addTls(command, given.tls);
    addAuthFile(command, given.authFile, what);
}

void addFieldOptions(CLI::App& command, FieldTarget& target, GivenTarget& given, const std::string& logs)
{
    addTarget(command, given, "reading");
    addSasl(command, target.sasl);
    addEach(command, "--history", target.logs,
            "A data directory of one of the servers, or some of its files log.* and snapshot.*; repeat it "
            "for several. " +
                logs)
        ->type_name("DIR|FILE");
}

// "wait > 10s", "hold>5s", "expiry", "verdict".
std::optional<field::SaveTrigger> saveTriggerFrom(const std::string& text)
{
    using Kind = field::SaveTrigger::Kind;
    if (text == "expiry")
        return field::SaveTrigger{Kind::expiry, {}, "end of a holder's session"};
    if (text == "verdict")
        return field::SaveTrigger{Kind::verdict, {}, text};
    const std::size_t sign = text.find('>');
    const std::string what = text.substr(0, text.find_last_not_of(" >", sign) + 1);
    const std::size_t time = text.find_first_not_of(" >", sign);
    const std::optional<Duration> over =
        sign == std::string::npos || time == std::string::npos || text.substr(time) == "end"
            ? std::nullopt
            : momentFrom(text.substr(time));
    if (!over || (what != "wait" && what != "hold"))
        return std::nullopt;
    return field::SaveTrigger{what == "wait" ? Kind::wait : Kind::hold, *over,
                              what + " > " + text.substr(time)};
}

// "1G", "500M"; powers of 1024.
std::optional<std::uint64_t> bytesFrom(const std::string& text)
{
    constexpr std::string_view kUnits = "KMG";
    const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
    const bool hasUnit = unit != std::string_view::npos;
    const auto number =
        parseWhole<std::uint64_t>(std::string_view(text).substr(0, text.size() - (hasUnit ? 1 : 0)));
    const unsigned shift = hasUnit ? static_cast<unsigned>(unit + 1) * 10 : 0;
    if (!number || *number > (std::uint64_t{1} << 50 >> shift))
        return std::nullopt;
    return *number << shift;
}

struct GivenRecording
{
    std::string folder, keepBytes;
    std::optional<Duration> keep, before, after;
    std::vector<std::string> saveOn;
};

void addRecording(CLI::App& command, GivenRecording& given)
{
    CLI::App* group = addGroup(command, "Record for days");
    auto* record =
        group
            ->add_option(
                "--record", given.folder,
                "Record in this folder: a ring of traces, of which the oldest are removed. It is made if "
                "it is not there, and must have no other files")
            ->type_name("DIR");
    addTime(*group, "--keep", given.keep, "Keep so much time in the ring. By default 30m", Zero::refused)
        ->needs(record);
    group
        ->add_option("--keep-bytes", given.keepBytes,
                     "Keep at most so much in the ring, and as much again in saved files. By default 1G")
        ->type_name("SIZE")
        ->check([](const std::string& text) {
            const auto bytes = bytesFrom(text);
            return bytes && *bytes >= field::FlightRecorder::kLeastBytes
                       ? ""
                       : unexpected(text, "a size from 1M on, such as 500M or 2G");
        })
        ->needs(record);
    addEach(
        *group, "--save-on", given.saveOn,
        "Save what was before and after such a moment in a file that is not removed; repeat it for several: "
        "\"wait > 10s\", \"hold > 5s\", expiry (of a holder's session, or its close), verdict")
        ->type_name("WHEN")
        ->check([](const std::string& text) {
            return saveTriggerFrom(text)
                       ? ""
                       : unexpected(text, "\"wait > 10s\", \"hold > 5s\", expiry or verdict");
        })
        ->needs(record);
    addTime(*group, "--save-before", given.before, "So much before it. By default 5m")->needs(record);
    addTime(*group, "--save-after", given.after, "So much after it. By default 2m")->needs(record);
}

void readRecording(const GivenRecording& given, WatchArguments& arguments)
{
    if (given.folder.empty())
        return;
    field::FlightRecorder::Options& record = arguments.record.emplace();
    record.folder = given.folder;
    record.keep = given.keep.value_or(record.keep);
    record.keepBytes = bytesFrom(given.keepBytes).value_or(record.keepBytes);
    record.before = std::min(given.before.value_or(record.before), record.keep);
    record.after = given.after.value_or(record.after);
    for (const std::string& one : given.saveOn)
        arguments.saveOn.push_back(*saveTriggerFrom(one));
}

Result<void> takeTarget(const CLI::App& command, const GivenTarget& given, FieldTarget& target)
{
    if (const Result<void> sasl = checkSasl(command, target.sasl); !sasl)
        return sasl;
    Result<tls::Security> security = securityFrom(given.tls, target.connect);
    if (!security)
        return security.error();
    target.security = std::move(*security);
    auto credentials = credentialsFrom(given.authFile);
    if (!credentials)
        return credentials.error();
    target.credentials = std::move(*credentials);
    return {};
}

// Of who and free.
template <class Command>
struct GivenOneLock
{
    Command arguments;
    std::string path;
    GivenTarget target;
};

template <class Command>
Result<Arguments> oneLockFrom(const CLI::App& command, GivenOneLock<Command>& given)
{
    Command& arguments = given.arguments;
    arguments.paths = {given.path};
    if (const Result<void> taken = takeTarget(command, given.target, arguments); !taken)
        return taken.error();
    return std::move(arguments);
}

} // namespace

ArgumentsReader declareHistory(CLI::App& command)
{
    const auto given = std::make_shared<GivenHistory>();
    HistoryArguments& history = given->arguments;
    command
        .add_option(
            "LOGS", given->paths,
            "A ZooKeeper's data directory, or some of its files log.* and snapshot.*. They are only read")
        ->type_name("DIR|FILE...")
        ->required();
    command.add_flag("--locks", history.locksOnly, "Only the table of the locks");
    addEach(command, "--lock", history.options.locks, "This lock and those below it; repeat it for several")
        ->type_name("PATH")
        ->check([](const std::string& path) {
            return path.starts_with('/') ? "" : unexpected(path, "a path that begins with /");
        });
    addUtcTime(command, "--since", history.options.sinceMs,
               "Count from this time on, for example 2026-11-23T03:00Z");
    addUtcTime(command, "--until", history.options.untilMs, "Read up to this time");
    command
        .add_option_function<std::string>(
            "--session", [&history](const std::string& text) { history.options.session = sessionFrom(text); },
            "Count only acquisitions by this session")
        ->type_name("0x...")
        ->check([](const std::string& text) {
            return sessionFrom(text) ? "" : unexpected(text, "a session id such as 0x10000012ab0003");
        });
    command.add_flag("--follow", history.options.follow, "Keep reading as the log grows, until interrupted");
    addOutput(command, "--report", history.reportFile, "OUT.json|OUT.csv|-",
              "Write the report here, as JSON or CSV; - is standard output");
    addOutput(command, "--trace", history.traceFile, "OUT.jsonl|-",
              "Write a trace of the locks here, for lockscope; - is standard output");
    command
        .add_option("--names", given->names,
                    "Names of the participants, one per line: a session (0x...) or host, then its name")
        ->type_name("FILE");
    command
        .add_option("--claims", given->claims,
                    "What programs have logged of their holds, beside the log of the server. One per line: a "
                    "time, a node or its czxid, then begins or ends")
        ->type_name("FILE");
    command.add_flag(
        "--worth", history.worth,
        "Say what the locks of --lock cost their clients, and what would be won by holds that are "
        "half as long, or by a lock that is split in two");
    command.add_flag("--with-data", history.options.withData, "Also write the data of the nodes");
    addSessionNaming(command, given->naming);
    command.add_flag("--quiet", history.quiet, "No table");
    return [given] { return historyFrom(*given); };
}

ArgumentsReader declareWatch(CLI::App& command)
{
    struct Given
    {
        WatchArguments arguments;
        std::vector<std::string> locks, trees;
        std::string onVerdict;
        GivenTarget target;
        SessionNaming naming;
        GivenRecording recording;
    };
    const auto given = std::make_shared<Given>();
    WatchArguments& watch = given->arguments;
    command.add_option("HOSTS", watch.connect, "The ensemble's servers, and a chroot")
        ->type_name("[tls://]HOST:PORT,...[/CHROOT]")
        ->required()
        ->check(checkHostsAndChroot);
    CLI::App* paths = addGroup(command, "What to watch");
    addEach(*paths, "--lock", given->locks, "The path of a lock; repeat it for several")
        ->type_name("PATH")
        ->check(checkPath);
    addEach(*paths, "--tree", given->trees, "Every lock below this path; repeat it for several")
        ->type_name("PATH")
        ->check(checkPath);
    paths->require_option(1, 0);
    addTime(command, "--duration", watch.duration, "End after this time; otherwise when interrupted",
            Zero::refused);
    addFieldOptions(command, watch, given->target,
                    "They tell how holds ended, and since when the lock has been held");
    addOutput(command, "--report", watch.reportFile, "OUT.json|-",
              "Write a report here at the end (JSON); - is standard output");
    addOutput(command, "--trace", watch.traceFile, "OUT.jsonl|-",
              "Write a trace here at the end, for lockscope; - is standard output");
    addSessionNaming(command, given->naming);
    CLI::Option* quiet = command.add_flag("--quiet", watch.quiet, "No table and no lines");
    command
        .add_flag("--tui", watch.tui,
                  "Show the locks as a full screen in the terminal, with keys: the queue of a lock, its last "
                  "holders, from a client to its blocker; ? lists the keys")
        ->excludes(quiet);
    addRecording(command, given->recording);
    command
        .add_option(
            "--on-verdict", given->onVerdict,
            "Run this program for each verdict when it begins, with the verdict on its standard input "
            "(JSON). Arguments after it are separated by spaces; no shell is used")
        ->type_name("COMMAND")
        ->check([](const std::string& text) {
            return text.find_first_not_of(" \t\n") != std::string::npos
                       ? ""
                       : unexpected(text, "a program and its arguments");
        });
    command
        .add_option("--metrics", watch.metrics,
                    "Serve measures for Prometheus at http://HOST:PORT/metrics, in numbers: 127.0.0.1:9750")
        ->type_name("HOST:PORT")
        ->check([](const std::string& text) {
            return parseNumericEndpoint(text)
                       ? ""
                       : unexpected(text, "an address in numbers, such as 127.0.0.1:9750");
        });
    return [given, &command]() -> Result<Arguments> {
        WatchArguments& arguments = given->arguments;
        arguments.paths = given->locks;
        arguments.paths.insert(arguments.paths.end(), given->trees.begin(), given->trees.end());
        arguments.realSessionIds = given->naming.realIds;
        for (const auto& [option, file] :
             {std::pair("--report", &arguments.reportFile), std::pair("--trace", &arguments.traceFile)})
            if (arguments.tui && !file->empty() && isSameFile(*file, kStandardOutput))
                return badOption(option, *file, "a file: with --tui, standard output is the screen");
        readRecording(given->recording, arguments);
        std::istringstream words(given->onVerdict);
        for (std::string word; words >> word;)
            arguments.onVerdict.push_back(word);
        Result<std::string> key = keyFrom(given->naming);
        if (!key)
            return key.error();
        arguments.sessionKey = std::move(*key);
        if (const Result<void> taken = takeTarget(command, given->target, arguments); !taken)
            return taken.error();
        std::vector<std::string> read;
        if (!arguments.logs.empty())
            addHistoryFiles({arguments.logs.begin(), arguments.logs.end()}, read);
        if (const Result<void> apart =
                checkOutputs({{"--report", arguments.reportFile}, {"--trace", arguments.traceFile}}, read);
            !apart)
            return apart.error();
        return std::move(arguments);
    };
}

ArgumentsReader declareWho(CLI::App& command)
{
    const auto given = std::make_shared<GivenOneLock<WhoArguments>>();
    WhoArguments& who = given->arguments;
    addOneLock(command, given->path, who.connect, "The lock's path");
    addFieldOptions(command, who, given->target, "They tell since when the lock has been held");
    command.add_flag("--json", who.json, "As JSON");
    return [given, &command] { return oneLockFrom(command, *given); };
}

ArgumentsReader declareFree(CLI::App& command)
{
    const auto given = std::make_shared<GivenOneLock<FreeArguments>>();
    FreeArguments& freed = given->arguments;
    addOneLock(command, given->path, freed.connect,
               "The lock's path, for the node that holds it; or the path of one of its nodes");
    addTarget(command, given->target, "reading and deleting");
    const auto zxidFrom = [](const std::string& text) {
        return parseHex<Zxid>(std::string_view(text).substr(text.starts_with("0x") ? 2 : 0));
    };
    command
        .add_option_function<std::string>(
            "--yes-czxid", [&freed, zxidFrom](const std::string& text) { freed.yes = zxidFrom(text); },
            "For scripts: delete without a question, but only the node with this czxid")
        ->type_name("0x...")
        ->check([zxidFrom](const std::string& text) {
            return zxidFrom(text) ? "" : unexpected(text, "a czxid such as 0x10000012a");
        });
    return [given, &command] { return oneLockFrom(command, *given); };
}

} // namespace lockscope::app
