// The commands history, watch and who: locks of other programs.
#include "app/lockscope_cli/commands.h"

#include "app/lockscope_cli/utc_time.h"

#include "core/base/numbers.h"

#include <fstream>
#include <string_view>

namespace lockscope::app {

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
    std::string names;
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
    std::vector<std::string> read;
    addHistoryFiles(history.paths, read);
    if (const Result<void> apart =
            checkOutputs({{"--report", history.reportFile}, {"--trace", history.traceFile}}, read);
        !apart)
        return apart.error();
    return std::move(history);
}

// The messages contain nothing from the file.
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

void addFieldOptions(CLI::App& command, FieldTarget& target, std::string& authFile, const std::string& logs)
{
    command
        .add_option(
            "--auth-file", authFile,
            "Credentials for reading, one per line: a scheme and its proof, as in \"digest USER:PASSWORD\"")
        ->type_name("FILE");
    addEach(command, "--history", target.logs,
            "A data directory of one of the servers, or some of its files log.* and snapshot.*; repeat it "
            "for several. " +
                logs)
        ->type_name("DIR|FILE");
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
        std::string authFile;
        SessionNaming naming;
    };
    const auto given = std::make_shared<Given>();
    WatchArguments& watch = given->arguments;
    command.add_option("HOSTS", watch.connect, "The ensemble's servers, and a chroot")
        ->type_name("HOST:PORT,...[/CHROOT]")
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
    addFieldOptions(command, watch, given->authFile,
                    "They tell how holds ended, and since when the lock has been held");
    addOutput(command, "--report", watch.reportFile, "OUT.json|-",
              "Write a report here at the end (JSON); - is standard output");
    addOutput(command, "--trace", watch.traceFile, "OUT.jsonl|-",
              "Write a trace here at the end, for lockscope; - is standard output");
    addSessionNaming(command, given->naming);
    command.add_flag("--quiet", watch.quiet, "No table and no lines");
    return [given]() -> Result<Arguments> {
        WatchArguments& arguments = given->arguments;
        arguments.paths = given->locks;
        arguments.paths.insert(arguments.paths.end(), given->trees.begin(), given->trees.end());
        arguments.realSessionIds = given->naming.realIds;
        Result<std::string> key = keyFrom(given->naming);
        if (!key)
            return key.error();
        arguments.sessionKey = std::move(*key);
        auto credentials = credentialsFrom(given->authFile);
        if (!credentials)
            return credentials.error();
        arguments.credentials = std::move(*credentials);
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
    struct Given
    {
        WhoArguments arguments;
        std::string path, authFile;
    };
    const auto given = std::make_shared<Given>();
    WhoArguments& who = given->arguments;
    command.add_option("PATH", given->path, "The lock's path")
        ->type_name("PATH")
        ->required()
        ->check(checkPath);
    command.add_option("--connect", who.connect, "The ensemble's servers, and a chroot")
        ->type_name("HOST:PORT,...[/CHROOT]")
        ->required()
        ->check(checkHostsAndChroot);
    addFieldOptions(command, who, given->authFile, "They tell since when the lock has been held");
    command.add_flag("--json", who.json, "As JSON");
    return [given]() -> Result<Arguments> {
        WhoArguments& arguments = given->arguments;
        arguments.paths = {given->path};
        auto credentials = credentialsFrom(given->authFile);
        if (!credentials)
            return credentials.error();
        arguments.credentials = std::move(*credentials);
        return std::move(arguments);
    };
}

} // namespace lockscope::app
