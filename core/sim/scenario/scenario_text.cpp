#include "core/sim/scenario/scenario_text.h"

#include "core/base/recipe.h"
#include "core/queue/words.h"
#include "core/sim/script/text_scan.h"
#include "core/trace/event_fields.h"
#include "core/trace/finding_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ranges>
#include <span>

namespace lockscope::sim {

namespace {

// In the order of the enums.
constexpr auto kRecipes = enumNames(Recipe{});
std::span<const std::string_view> recipes()
{
    return std::span(kRecipes).first(static_cast<std::size_t>(Recipe::none) + 1);
}
constexpr std::array<std::string_view, 2> kReleaseOrders = {"last first", "first first"};
constexpr std::array<std::string_view, 3> kExpectedOutcomes = {"holds", "violated", "either"};

struct Unit
{
    std::string_view name;
    double nanoseconds;
};
constexpr std::array<Unit, 6> kUnits = {Unit{"ns", 1},  Unit{"us", 1e3}, Unit{"ms", 1e6},
                                        Unit{"s", 1e9}, Unit{"m", 60e9}, Unit{"h", 3600e9}};

template <class Enum, std::size_t N>
std::optional<Enum> oneOf(const std::array<std::string_view, N>& names, std::string_view text)
{
    const auto found = std::find(names.begin(), names.end(), text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

template <class Names>
std::string commaList(const Names& names, std::string_view quote = {})
{
    std::string list;
    for (const std::string_view name : names)
        list.append(list.empty() ? "" : ", ").append(quote).append(name).append(quote);
    return list;
}

std::optional<std::uint32_t> parseCount(std::string_view text, std::uint32_t most)
{
    const auto count = parseNumber(text);
    return count && *count > 0 && *count <= most ? std::optional(static_cast<std::uint32_t>(*count))
                                                 : std::nullopt;
}

} // namespace

// ---- work ----

std::string recipeNames() { return commaList(recipes(), "\""); }
std::optional<Recipe> parseRecipe(std::string_view text)
{
    const std::optional<Recipe> recipe = enumFrom<Recipe>(text);
    return recipe <= Recipe::none ? recipe : std::nullopt;
}

std::string queuePath(Recipe recipe, const std::string& lock)
{
    return isSemaphore(recipe) ? lock + std::string(queue::kLeasesSuffix) : lock;
}
std::string mutexPath(const std::string& semaphore) { return semaphore + std::string(queue::kMutexSuffix); }
std::string semaphoreSizePath(const std::string& semaphore) { return semaphore + "/most"; }

std::optional<ReleaseOrder> parseReleaseOrder(std::string_view text)
{
    return oneOf<ReleaseOrder>(kReleaseOrders, text);
}
std::string_view toString(ReleaseOrder releaseOrder)
{
    return kReleaseOrders[static_cast<std::size_t>(releaseOrder)];
}

std::optional<Duration> parseDuration(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0 || !std::isfinite(number))
        return std::nullopt;
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (unit.empty())
        return number == 0 ? std::optional(Duration{}) : std::nullopt;
    for (const Unit& known : kUnits)
        if (unit == known.name && number * known.nanoseconds <= static_cast<double>(kMaxDuration.count()))
            return Duration{static_cast<std::int64_t>(std::llround(number * known.nanoseconds))};
    return std::nullopt;
}

std::string formatDuration(Duration time)
{
    // The largest unit with a whole number, so that parsing gives the same value.
    for (auto unit = kUnits.rbegin(); unit != kUnits.rend(); ++unit) {
        const auto size = static_cast<std::int64_t>(unit->nanoseconds);
        if (time.count() > 0 && time.count() % size == 0)
            return std::to_string(time.count() / size) + std::string(unit->name);
    }
    return "0";
}

// ---- arrival, resource ----

std::optional<Arrival> parseArrival(std::string_view text)
{
    using Kind = Arrival::Kind;
    if (text == "at once")
        return Arrival{};
    if (text == "together")
        return Arrival{Kind::together};
    if (consumePrefix(text, "together by ")) {
        const auto party = parseCount(text, kMaxClients);
        return party ? std::optional(Arrival{Kind::together, *party}) : std::nullopt;
    }
    const bool staggered = consumePrefix(text, "every ");
    if (!staggered && !consumePrefix(text, "poisson "))
        return std::nullopt;
    const std::optional<Duration> gap = parseDuration(text);
    return gap ? std::optional(Arrival{staggered ? Kind::staggered : Kind::poisson, 0, *gap}) : std::nullopt;
}

std::string formatArrival(const Arrival& arrival)
{
    switch (arrival.kind) {
    case Arrival::Kind::atOnce:
        break;
    case Arrival::Kind::together:
        return arrival.party == 0 ? "together" : "together by " + std::to_string(arrival.party);
    case Arrival::Kind::staggered:
        return "every " + formatDuration(arrival.gap);
    case Arrival::Kind::poisson:
        return "poisson " + formatDuration(arrival.gap);
    }
    return "at once";
}

std::string arrivalForms()
{
    return "\"at once\", \"together\", \"together by 100\", \"every 20ms\" or \"poisson 50ms\"";
}

std::optional<ResourceContent> parseResourceContent(std::string_view text)
{
    if (text == "section")
        return ResourceContent{};
    if (text == "order numbers")
        return ResourceContent{ResourceContent::Kind::orderNumbers};
    const auto start = consumePrefix(text, "stock ") ? parseCount(text, 1'000'000'000) : std::nullopt;
    return start ? std::optional(ResourceContent{ResourceContent::Kind::stock, *start}) : std::nullopt;
}

std::string formatResourceContent(const ResourceContent& resource)
{
    switch (resource.kind) {
    case ResourceContent::Kind::section:
        break;
    case ResourceContent::Kind::stock:
        return "stock " + std::to_string(resource.start);
    case ResourceContent::Kind::orderNumbers:
        return "order numbers";
    }
    return "section";
}

std::string resourceContentForms() { return "\"section\", \"stock 1000\" or \"order numbers\""; }

// ---- takes, steps, expectations ----

std::optional<Take> parseTake(std::string_view text, const std::vector<std::string>& locks)
{
    Take take;
    if (text.ends_with(":read") || text.ends_with(":write")) {
        take.side = text.ends_with(":read") ? Side::shared : Side::exclusive;
        text = text.substr(0, text.rfind(':'));
    }
    const auto lock = std::find_if(locks.begin(), locks.end(),
                                   [text](const std::string& path) { return lockName(path) == text; });
    take.lock = static_cast<std::uint32_t>(lock - locks.begin());
    return lock == locks.end() ? std::nullopt : std::optional(take);
}

std::string formatTake(const Take& take, const std::vector<std::string>& locks)
{
    const std::string name(take.lock < locks.size() ? lockName(locks[take.lock]) : "?");
    return name + (!take.side ? "" : *take.side == Side::shared ? ":read" : ":write");
}

std::string takeForms(const std::vector<std::string>& locks)
{
    std::vector<std::string_view> names;
    for (const std::string& path : locks)
        names.push_back(lockName(path));
    return commaList(names, "\"") + ", of a read/write lock with \":read\" or \":write\" behind it";
}

std::string_view stepName(GateStep step) { return nameOf(step); }
std::string stepNames() { return commaList(enumNames(GateStep{})); }

std::optional<TakenStep> parseTakenStep(std::string_view text)
{
    const std::size_t space = text.rfind(' ');
    if (space == std::string_view::npos || space == 0 || space > 40)
        return std::nullopt;
    const auto step = enumFrom<GateStep>(text.substr(space + 1));
    return step ? std::optional(TakenStep{std::string(text.substr(0, space)), *step}) : std::nullopt;
}

std::optional<Expectation> parseExpectation(std::string_view text)
{
    const std::size_t space = text.find(' ');
    const std::string_view finding = text.substr(0, space);
    if (space == std::string_view::npos || !trace::findingNamed(finding))
        return std::nullopt;
    const auto verdict = oneOf<ExpectedOutcome>(kExpectedOutcomes, text.substr(space + 1));
    return verdict ? std::optional(Expectation{std::string(finding), *verdict}) : std::nullopt;
}

std::string formatExpectation(const Expectation& expectation)
{
    return expectation.finding + " " +
           std::string(kExpectedOutcomes[static_cast<std::size_t>(expectation.verdict)]);
}

std::string findingNames()
{
    return commaList(trace::findingRules() | std::views::transform(&trace::FindingRule::name));
}

} // namespace lockscope::sim
