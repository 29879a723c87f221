#include "core/base/node_path.h"
#include "core/sim/scenario/settings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace lockscope::sim {

namespace {

constexpr std::ptrdiff_t kMaxPathDepth = 1'000;

constexpr std::array<std::string_view, 26> kDefaultClientNames = {
    "ada", "bo",  "cyd", "dee", "eli", "fay", "gus", "hal", "ivy", "jo",  "kim", "lou", "mia",
    "ned", "ora", "pat", "quo", "ray", "sue", "tom", "una", "val", "wes", "xia", "yan", "zoe"};

using Mistake = std::optional<ScenarioMistake>;

Mistake mistake(std::string_view key, Message sentence, const Message& expected)
{
    return ScenarioMistake{
        Error{ErrorCode::badUsage, std::move(sentence), message("Expected %1.", expected)}, key, {}};
}

Mistake badPath(const std::string& path, const Message& why)
{
    return ScenarioMistake{Error{ErrorCode::badUsage, message("The lock path \"%1\" %2.", path, why),
                                 message("Expected something like /locks/well.")},
                           "locks",
                           {}};
}

Mistake checkPath(const std::string& path)
{
    if (path.empty() || path.front() != '/')
        return badPath(path, message("does not begin with a slash"));
    if (path == "/")
        return badPath(path, message("is the root: its children belong to all applications"));
    if (path.back() == '/')
        return badPath(path, message("ends with a slash"));
    std::optional<Error> wrong = checkNodePath(path);
    if (wrong && path.size() > kMaxNodePath)
        return ScenarioMistake{std::move(*wrong), "locks", {}};
    if (std::count(path.begin(), path.end(), '/') > kMaxPathDepth)
        return badPath(path.substr(0, 40) + "...",
                       message("has more than %1 parts, each of which is a node to create", kMaxPathDepth));
    if (path.find("//") != std::string::npos)
        return badPath(path, message("has an empty part"));
    if (path == "/zookeeper" || path.starts_with("/zookeeper/"))
        return badPath(path, message("belongs to ZooKeeper itself"));
    for (const std::string_view part : {"/./", "/../"})
        if ((path + "/").find(part) != std::string::npos)
            return badPath(path, message("has a relative part"));
    return wrong ? Mistake(ScenarioMistake{std::move(*wrong), "locks", {}}) : Mistake();
}

Mistake checkLocks(const Scenario& scenario)
{
    if (scenario.locks.empty())
        return mistake("locks", message("The number of locks is %1.", 0), message("one or more"));
    std::set<std::string_view> names;
    for (const std::string& path : scenario.locks) {
        if (Mistake found = checkPath(path))
            return found;
        if (!names.insert(lockName(path)).second)
            return badPath(path, message("ends with the same name as another path, so that \"takes\" cannot "
                                         "distinguish them"));
    }
    if (scenario.recipe == Recipe::multiLock && scenario.locks.size() < 2)
        return mistake("locks", message("The number of locks of a multi-lock is %1.", 1),
                       message("two or more, in \"locks\""));
    return {};
}

Mistake checkWork(const Work& work, const Scenario& scenario)
{
    if (work.reenterMin > work.reenterMax || work.reenterMax > 100)
        return mistake(
            "reenter",
            message("The number of re-entries is %1.", message("%1 to %2", work.reenterMin, work.reenterMax)),
            message("a range within 0 to 100"));
    const auto isBackwards = [](const Range& range) {
        return range.low < Duration{} || range.low > range.high;
    };
    if (const bool think = isBackwards(work.think); think || isBackwards(work.hold))
        return mistake(think ? "think" : "hold",
                       message("A think or hold time is %1.", message("a range that ends before it begins")),
                       message("the smaller time first"));
    if (work.tries > 1 && !work.acquireTimeout)
        return mistake(
            "tries",
            message("The number of tries is %1.", message("%1 without an acquire_timeout", work.tries)),
            message("acquire_timeout, the time of each try"));
    if (isSemaphore(scenario.recipe) && work.permitsMax > scenario.leases)
        return mistake("permits", message("The number of permits is %1.", work.permitsMax),
                       message("at most the %1 leases of the semaphore", scenario.leases));
    if (scenario.recipe == Recipe::multiLock && !work.takes.empty())
        return mistake("takes", message("A lock of the multi-lock is %1.", message("named in \"takes\"")),
                       message("no \"takes\": a multi-lock takes all its locks"));
    for (const Take& take : work.takes) {
        if (take.lock >= scenario.locks.size())
            return mistake("takes", message("A lock to take is %1.", message("number %1", take.lock)),
                           message("one of the locks"));
        if (take.side.has_value() != isReadWrite(scenario.recipe))
            return mistake(
                "takes",
                message("A lock to take is %1.", !take.side
                                                     ? message("without a side")
                                                     : message("with a side that its recipe does not have")),
                message("\":read\" or \":write\" after the names of read/write locks, and nothing after "
                        "others"));
    }
    return {};
}

// The last of the clients that is, or is numbered to, the name.
std::optional<int> lastNamed(const std::vector<NamedClient>& named, std::string_view name)
{
    for (std::size_t i = named.size(); i-- > 0;)
        if (name.starts_with(named[i].name) &&
            (name.size() == named[i].name.size() || name[named[i].name.size()] == '-'))
            return static_cast<int>(i);
    return std::nullopt;
}

Mistake checkNames(const Scenario& scenario, const std::vector<Participant>& all)
{
    std::set<std::string_view> names;
    for (const Participant& one : all) {
        if (names.insert(one.name).second)
            continue;
        Mistake twice = mistake("name", message("The client \"%1\" is defined twice.", one.name),
                                message("each name once"));
        twice->client = lastNamed(scenario.named, one.name);
        return twice;
    }
    return {};
}

} // namespace

std::string clientName(std::uint32_t index)
{
    return index < kDefaultClientNames.size() ? std::string(kDefaultClientNames[index])
                                              : "c" + std::to_string(index + 1);
}

std::string_view lockName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<Participant> participants(const Scenario& scenario)
{
    std::vector<Participant> all;
    std::set<std::string> names;
    const auto add = [&](const std::string& name, std::uint32_t count, std::string process, const Work& work,
                         std::optional<Duration> start) {
        names.insert(name);
        const std::uint32_t each = count * scenario.workers;
        if (scenario.workers > 1 && process.empty())
            process = name;
        for (std::uint32_t n = 1; n <= each && all.size() < kMaxClients + 1; ++n)
            all.push_back({each == 1 ? name : name + "-" + std::to_string(n), process, work, start});
    };
    for (const NamedClient& client : scenario.named)
        add(client.name, client.count, client.process, client.work, client.start);
    for (std::uint32_t n = 0, index = 0; n < scenario.clients; ++index) {
        const std::string name = clientName(index);
        if (names.contains(name))
            continue;
        ++n;
        add(name, 1, {}, scenario.work, {});
    }
    return all;
}

bool onlyWatches(const Scenario& scenario) { return participants(scenario).empty(); }

void setClientCount(Scenario& scenario, std::uint32_t count)
{
    std::uint32_t named = 0;
    for (NamedClient& client : scenario.named) {
        client.count = std::min(client.count, count - named);
        named += client.count;
    }
    std::erase_if(scenario.named, [](const NamedClient& client) { return client.count == 0; });
    scenario.clients = count - named;
}

std::size_t sessionCount(const std::vector<Participant>& all)
{
    std::set<std::string_view> processes;
    std::size_t alone = 0;
    for (const Participant& one : all) {
        if (one.process.empty())
            ++alone;
        else
            processes.insert(one.process);
    }
    return alone + processes.size();
}

bool needsLinks(const Scenario& scenario)
{
    return scenario.links.value_or(
        std::any_of(scenario.script.begin(), scenario.script.end(),
                    [](const ScriptLine& line) { return concernsLinks(line.action); }));
}

ExpectedOutcome expected(const Scenario& scenario, std::string_view finding)
{
    ExpectedOutcome verdict = ExpectedOutcome::holds;
    for (const Expectation& one : scenario.expect)
        if (one.finding == finding)
            verdict = one.verdict;
    return verdict;
}

Mistake findMistake(const Scenario& scenario)
{
    const std::vector<Participant> all = participants(scenario);
    const bool watches = all.empty() && !scenario.connect.empty(); // a watch-only run
    if ((all.empty() && !watches) || all.size() > kMaxClients)
        return mistake(
            "clients",
            message("The number of clients is %1.", all.empty() ? Message("0") : message("too large")),
            message("1 to %1", kMaxClients));
    if (watches && !(scenario.script.empty() && scenario.steps.empty()))
        return ScenarioMistake{Error{ErrorCode::badUsage,
                                     message("A scenario without clients only watches: its script and "
                                             "steps have no client to act on."),
                                     message("Leave them out, or give it clients.")},
                               "clients",
                               {}};
    if (Mistake names = checkNames(scenario, all))
        return names;
    if (scenario.servers != 1 && scenario.servers != 3)
        return mistake("servers", message("The number of servers is %1.", scenario.servers),
                       message("1 or 3"));
    if (scenario.sessionTimeout < std::chrono::milliseconds(100) ||
        scenario.sessionTimeout > std::chrono::minutes(10))
        return mistake("session_timeout", message("The session timeout is out of range."),
                       message("100ms to 10m"));
    if (scenario.duration && *scenario.duration <= Duration{})
        return mistake("duration", message("The duration is 0."), message("a time longer than 0"));
    if (scenario.pace > std::chrono::seconds(60))
        return mistake("pace", message("The pace is over a minute per step."), message("0 to 60s"));
    if (Mistake locks = checkLocks(scenario))
        return locks;
    if (Mistake work = checkWork(scenario.work, scenario))
        return work;
    for (std::size_t i = 0; i < scenario.named.size(); ++i)
        if (Mistake work = checkWork(scenario.named[i].work, scenario)) {
            work->client = static_cast<int>(i);
            return work;
        }
    return {};
}

Result<void> validate(const Scenario& scenario)
{
    const Mistake found = findMistake(scenario);
    return found ? Result<void>(found->error) : Result<void>{};
}

Result<TomlText> loadToml(const std::string& nameOrPath, const std::vector<BuiltIn>& builtIns,
                          const Message& notFound, const Message& sizeHint)
{
    constexpr std::uintmax_t kMaxFileBytes = 1024 * 1024;
    std::vector<Message> names;
    for (const BuiltIn& builtIn : builtIns) {
        if (builtIn.name == nameOrPath)
            return TomlText{std::string(builtIn.toml), std::string(builtIn.name) + ".toml"};
        names.emplace_back(builtIn.name);
    }
    std::error_code error;
    if (!std::filesystem::is_regular_file(nameOrPath, error))
        return Error{
            ErrorCode::badUsage, notFound,
            message("Expected a readable .toml file, or one of the built-in ones: %1.", listed(names))};
    if (std::filesystem::file_size(nameOrPath, error) > kMaxFileBytes)
        return Error{ErrorCode::badUsage, message("%1 is larger than a megabyte.", nameOrPath), sizeHint};
    std::ifstream file(nameOrPath, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file)
        return Error{ErrorCode::badUsage, message("%1 cannot be read.", nameOrPath),
                     message("Check the permissions.")};
    return TomlText{content.str(), nameOrPath};
}

Result<Scenario> loadScenario(const std::string& nameOrPath)
{
    const Result<TomlText> loaded =
        loadToml(nameOrPath, builtIns(), message("There is no scenario \"%1\".", nameOrPath),
                 message("A scenario is a short TOML file."));
    return loaded ? parseScenario(loaded->text, loaded->fileName) : loaded.error();
}

} // namespace lockscope::sim
