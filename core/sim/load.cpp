#include "core/sim/load.h"

#include "core/sim/scenario_words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockscope::sim {

namespace {

using trace::grouped;
using trace::literal;
using trace::Phrase;

// Behind the titles of the traits, in their order.
enum class Words : std::size_t {
    clients = kLoadTraits,
    against,
    noLimit,
    onAverage,
    atOnce,
    allTogether,
    together,
    oneEvery,
    oneEveryOnAverage,
    notTheSame,
    notKnown,
    count
};
constexpr std::array<const char*, static_cast<std::size_t>(Words::count)> kWords{
    "hold",
    "think",
    "cycles",
    "run time",
    "re-entries",
    "waits at most",
    "permits",
    "arrival",
    "pace",
    "locks",
    "servers",
    "deeds of the script",
    "writes",
    "what single clients do",
    "clients",
    "%1 %2 against %3",
    "no limit",
    "%1 on average",
    "at once",
    "all together",
    "%1 together",
    "one every %1",
    "one every %1 on average",
    "Not the same load: %1.",
    "A trace does not say what its load was: it may not be the same."};

Phrase said(Words words, std::vector<Phrase> values = {})
{
    return {kWords[static_cast<std::size_t>(words)], std::move(values), {}};
}

// As exact as the scenario says it, with a space before the unit.
std::string timeText(Duration time)
{
    std::string text = durationText(time);
    const auto unit = std::find_if(text.begin(), text.end(),
                                   [](unsigned char letter) { return std::isalpha(letter) != 0; });
    if (unit != text.end())
        text.insert(unit, ' ');
    return text;
}

Phrase range(std::string low, std::string high) { return literal(low == high ? low : low + "–" + high); }

Phrase times(const Range& range)
{
    return range.exponential ? said(Words::onAverage, {literal(timeText(range.low))})
                             : sim::range(timeText(range.low), timeText(range.high));
}

Phrase counts(std::uint32_t least, std::uint32_t most) { return range(grouped(least), grouped(most)); }

Phrase limit(const std::optional<Duration>& limit)
{
    return limit ? literal(timeText(*limit)) : said(Words::noLimit);
}

Phrase arrivals(const Arrival& arrival)
{
    switch (arrival.kind) {
    case Arrival::Kind::atOnce:
        break;
    case Arrival::Kind::together:
        return arrival.party == 0 ? said(Words::allTogether)
                                  : said(Words::together, {literal(grouped(arrival.party))});
    case Arrival::Kind::staggered:
        return said(Words::oneEvery, {literal(timeText(arrival.gap))});
    case Arrival::Kind::poisson:
        return said(Words::oneEveryOnAverage, {literal(timeText(arrival.gap))});
    }
    return said(Words::atOnce);
}

bool differ(LoadTrait trait, const Scenario& a, const Scenario& b)
{
    switch (trait) {
    case LoadTrait::named:
        return a.named != b.named;
    case LoadTrait::writes: // else nobody writes
        return isReadWrite(a.recipe) && isReadWrite(b.recipe) && a.work.writePercent != b.work.writePercent;
    default:
        return loadTraitWords(trait, a) != loadTraitWords(trait, b);
    }
}

Phrase difference(LoadTrait trait, const Scenario& a, const Scenario& b)
{
    const Phrase title{loadTraitTitle(trait), {}, {}};
    const Phrase one = loadTraitWords(trait, a), other = loadTraitWords(trait, b);
    return one.empty() ? title : said(Words::against, {title, one, other});
}

} // namespace

const char* loadTraitTitle(LoadTrait trait) { return kWords[static_cast<std::size_t>(trait)]; }

Phrase loadTraitWords(LoadTrait trait, const Scenario& scenario)
{
    const Work& work = scenario.work;
    switch (trait) {
    case LoadTrait::hold:
        return times(work.hold);
    case LoadTrait::think:
        return times(work.think);
    case LoadTrait::cycles:
        return work.cycles == 0 ? said(Words::noLimit) : literal(grouped(work.cycles));
    case LoadTrait::runTime:
        return limit(scenario.duration);
    case LoadTrait::reentries:
        return counts(work.reenterMin, work.reenterMax);
    case LoadTrait::waitsAtMost:
        return limit(work.acquireTimeout);
    case LoadTrait::permits:
        return counts(work.permitsMin, work.permitsMax);
    case LoadTrait::arrival:
        return arrivals(scenario.arrival);
    case LoadTrait::pace:
        return literal(timeText(scenario.pace));
    case LoadTrait::locks:
        return literal(grouped(scenario.locks.size()));
    case LoadTrait::servers:
        return literal(grouped(scenario.servers));
    case LoadTrait::deeds:
        return literal(grouped(scenario.script.size()));
    case LoadTrait::writes:
        return literal(std::to_string(work.writePercent) + " %");
    case LoadTrait::named:
        break;
    }
    return {};
}

std::vector<LoadTrait> loadDifferences(const Scenario& a, const Scenario& b)
{
    std::vector<LoadTrait> found;
    for (std::size_t i = 0; i < kLoadTraits; ++i)
        if (const auto trait = static_cast<LoadTrait>(i); differ(trait, a, b))
            found.push_back(trait);
    return found;
}

LoadComparison compareLoads(const Loaded& a, const Loaded& b)
{
    LoadComparison loads;
    if (a.clients != b.clients)
        loads.differences.push_back(said(Words::against, {said(Words::clients), literal(grouped(a.clients)),
                                                          literal(grouped(b.clients))}));
    loads.known = a.scenario && b.scenario;
    if (loads.known)
        for (const LoadTrait trait : loadDifferences(*a.scenario, *b.scenario))
            loads.differences.push_back(difference(trait, *a.scenario, *b.scenario));
    return loads;
}

Phrase loadWords(const LoadComparison& loads, std::string differences)
{
    if (!loads.differences.empty())
        return said(Words::notTheSame, {literal(std::move(differences))});
    return loads.known ? Phrase() : said(Words::notKnown);
}

std::span<const char* const> loadPhrases() { return kWords; }

} // namespace lockscope::sim
