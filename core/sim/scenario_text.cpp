// Words of scenarios: names of recipes, durations, clients' names, and what a scenario must satisfy.
#include "core/sim/scenario.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lockscope::sim {

namespace {

constexpr std::array<std::string_view, 26> kNames = {
    "ada", "bo",  "cyd", "dee", "eli", "fay", "gus", "hal", "ivy", "jo",  "kim", "lou", "mia",
    "ned", "ora", "pat", "quo", "ray", "sue", "tom", "una", "val", "wes", "xia", "yan", "zoe"};

// In the order of the enum.
constexpr std::array<std::string_view, 6> kRecipes = {"mutex",           "read-write",   "herd",
                                                      "herd-read-write", "exists-mutex", "unprotected-mutex"};

struct Unit
{
    std::string_view name;
    double nanoseconds;
};
constexpr std::array<Unit, 6> kUnits = {
    Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}, Unit{"m", 60e9}, Unit{"h", 3600e9}};

Error badPath(const std::string& path, const std::string& why)
{
    return Error{ErrorCode::badUsage, "The lock path \"" + path + "\" " + why + ".",
                 "Expected something like /locks/well."};
}

Result<void> checkPath(const std::string& path)
{
    if (path.empty() || path.front() != '/')
        return badPath(path, "does not begin with a slash");
    if (path == "/")
        return badPath(path, "is the root: its children belong to everybody");
    if (path.back() == '/')
        return badPath(path, "ends with a slash");
    if (path.find("//") != std::string::npos)
        return badPath(path, "has an empty part");
    if (path == "/zookeeper" || path.starts_with("/zookeeper/"))
        return badPath(path, "belongs to ZooKeeper itself");
    for (const char character : path)
        if (static_cast<unsigned char>(character) < 0x20 || character == 0x7F)
            return badPath(path, "has a control character");
    for (const std::string_view part : {"/./", "/../"})
        if ((path + "/").find(part) != std::string::npos)
            return badPath(path, "has a relative part");
    return {};
}

} // namespace

std::string_view toString(Recipe recipe) { return kRecipes[static_cast<std::size_t>(recipe)]; }

std::string recipeNames()
{
    std::string names;
    for (const std::string_view recipe : kRecipes)
        names.append(names.empty() ? "\"" : ", \"").append(recipe).append("\"");
    return names;
}

std::string_view toString(Handoff handoff) { return handoff == Handoff::curator ? "curator" : "announced"; }

std::optional<Recipe> recipeFrom(std::string_view text)
{
    const auto found = std::find(kRecipes.begin(), kRecipes.end(), text);
    return found == kRecipes.end() ? std::nullopt
                                   : std::optional(static_cast<Recipe>(found - kRecipes.begin()));
}

std::optional<Handoff> handoffFrom(std::string_view text)
{
    if (text == "curator")
        return Handoff::curator;
    if (text == "announced")
        return Handoff::announced;
    return std::nullopt;
}

std::optional<Duration> durationFrom(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0 || !std::isfinite(number))
        return std::nullopt;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (unit.empty())
        return number == 0 ? std::optional(Duration{}) : std::nullopt;
    for (const Unit& known : kUnits)
        if (unit == known.name && number * known.nanoseconds < 9e18)
            return Duration{static_cast<std::int64_t>(std::llround(number * known.nanoseconds))};
    return std::nullopt;
}

std::string clientName(const Scenario& scenario, std::uint32_t index)
{
    if (index < scenario.clientNames.size())
        return scenario.clientNames[index];
    if (index < kNames.size())
        return std::string(kNames[index]);
    return "c" + std::to_string(index + 1);
}

Result<void> validate(const Scenario& scenario)
{
    const auto outOfRange = [](const std::string& what, const std::string& found, const std::string& expected) {
        return Error{ErrorCode::badUsage, what + " is " + found + ".", "Expected " + expected + "."};
    };
    if (scenario.clients < 1 || scenario.clients > kMaxClients)
        return outOfRange("The number of clients", std::to_string(scenario.clients),
                          "1 to " + std::to_string(kMaxClients));
    if (scenario.reenterMin > scenario.reenterMax || scenario.reenterMax > 100)
        return outOfRange("The number of re-entries",
                          std::to_string(scenario.reenterMin) + " to " + std::to_string(scenario.reenterMax),
                          "a range within 0 to 100");
    for (const Range& range : {scenario.think, scenario.hold})
        if (range.low < Duration{} || range.low > range.high)
            return outOfRange("A time to think or hold", "a range that ends before it begins",
                              "the smaller time first");
    if (scenario.sessionTimeout < std::chrono::milliseconds(100) || scenario.sessionTimeout > std::chrono::minutes(10))
        return outOfRange("The session timeout", "out of range", "100ms to 10m");
    if (scenario.pace > std::chrono::seconds(60))
        return outOfRange("The pace", "over a minute a step", "0 to 60s");
    return checkPath(scenario.lockPath);
}

} // namespace lockscope::sim
