#include "core/sim/scenario/workload.h"

#include "core/sim/scenario/scenario_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockscope::sim {

namespace {

using trace::groupDigits;
using trace::literal;
using trace::Phrase;

// Behind the titles of the traits, in their order.
enum class WorkloadPhrase : std::size_t {
    clients = kWorkloadTraits,
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
constexpr std::array<const char*, static_cast<std::size_t>(WorkloadPhrase::count)> kWorkloadPhrases{
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

Phrase makePhrase(WorkloadPhrase words, std::vector<Phrase> values = {})
{
    return {kWorkloadPhrases[static_cast<std::size_t>(words)], std::move(values), {}};
}

// As exact as the scenario says it, with a space before the unit.
std::string timeText(Duration time)
{
    std::string text = formatDuration(time);
    const auto unit = std::find_if(text.begin(), text.end(),
                                   [](unsigned char letter) { return std::isalpha(letter) != 0; });
    if (unit != text.end())
        text.insert(unit, ' ');
    return text;
}

Phrase range(std::string low, std::string high) { return literal(low == high ? low : low + "–" + high); }

Phrase times(const Range& range)
{
    return range.exponential ? makePhrase(WorkloadPhrase::onAverage, {literal(timeText(range.low))})
                             : sim::range(timeText(range.low), timeText(range.high));
}

Phrase counts(std::uint32_t least, std::uint32_t most) { return range(groupDigits(least), groupDigits(most)); }

Phrase limit(const std::optional<Duration>& limit)
{
    return limit ? literal(timeText(*limit)) : makePhrase(WorkloadPhrase::noLimit);
}

Phrase arrivals(const Arrival& arrival)
{
    switch (arrival.kind) {
    case Arrival::Kind::atOnce:
        break;
    case Arrival::Kind::together:
        return arrival.party == 0 ? makePhrase(WorkloadPhrase::allTogether)
                                  : makePhrase(WorkloadPhrase::together, {literal(groupDigits(arrival.party))});
    case Arrival::Kind::staggered:
        return makePhrase(WorkloadPhrase::oneEvery, {literal(timeText(arrival.gap))});
    case Arrival::Kind::poisson:
        return makePhrase(WorkloadPhrase::oneEveryOnAverage, {literal(timeText(arrival.gap))});
    }
    return makePhrase(WorkloadPhrase::atOnce);
}

bool differ(WorkloadTrait trait, const Scenario& a, const Scenario& b)
{
    switch (trait) {
    case WorkloadTrait::named:
        return a.named != b.named;
    case WorkloadTrait::writes: // else nobody writes
        return isReadWrite(a.recipe) && isReadWrite(b.recipe) && a.work.writePercent != b.work.writePercent;
    default:
        return workloadTraitText(trait, a) != workloadTraitText(trait, b);
    }
}

Phrase difference(WorkloadTrait trait, const Scenario& a, const Scenario& b)
{
    const Phrase title{workloadTraitTitle(trait), {}, {}};
    const Phrase one = workloadTraitText(trait, a), other = workloadTraitText(trait, b);
    return one.empty() ? title : makePhrase(WorkloadPhrase::against, {title, one, other});
}

} // namespace

const char* workloadTraitTitle(WorkloadTrait trait) { return kWorkloadPhrases[static_cast<std::size_t>(trait)]; }

Phrase workloadTraitText(WorkloadTrait trait, const Scenario& scenario)
{
    const Work& work = scenario.work;
    switch (trait) {
    case WorkloadTrait::hold:
        return times(work.hold);
    case WorkloadTrait::think:
        return times(work.think);
    case WorkloadTrait::cycles:
        return work.cycles == 0 ? makePhrase(WorkloadPhrase::noLimit) : literal(groupDigits(work.cycles));
    case WorkloadTrait::runTime:
        return limit(scenario.duration);
    case WorkloadTrait::reentries:
        return counts(work.reenterMin, work.reenterMax);
    case WorkloadTrait::waitsAtMost:
        return limit(work.acquireTimeout);
    case WorkloadTrait::permits:
        return counts(work.permitsMin, work.permitsMax);
    case WorkloadTrait::arrival:
        return arrivals(scenario.arrival);
    case WorkloadTrait::pace:
        return literal(timeText(scenario.pace));
    case WorkloadTrait::locks:
        return literal(groupDigits(scenario.locks.size()));
    case WorkloadTrait::servers:
        return literal(groupDigits(scenario.servers));
    case WorkloadTrait::actions:
        return literal(groupDigits(scenario.script.size()));
    case WorkloadTrait::writes:
        return literal(std::to_string(work.writePercent) + " %");
    case WorkloadTrait::named:
        break;
    }
    return {};
}

std::vector<WorkloadTrait> workloadDifferences(const Scenario& a, const Scenario& b)
{
    std::vector<WorkloadTrait> found;
    for (std::size_t i = 0; i < kWorkloadTraits; ++i)
        if (const auto trait = static_cast<WorkloadTrait>(i); differ(trait, a, b))
            found.push_back(trait);
    return found;
}

WorkloadComparison compareWorkloads(const RunWorkload& a, const RunWorkload& b)
{
    WorkloadComparison loads;
    if (a.clients != b.clients)
        loads.differences.push_back(makePhrase(WorkloadPhrase::against, {makePhrase(WorkloadPhrase::clients), literal(groupDigits(a.clients)),
                                                          literal(groupDigits(b.clients))}));
    loads.known = a.scenario && b.scenario;
    if (loads.known)
        for (const WorkloadTrait trait : workloadDifferences(*a.scenario, *b.scenario))
            loads.differences.push_back(difference(trait, *a.scenario, *b.scenario));
    return loads;
}

Phrase workloadNotice(const WorkloadComparison& loads, std::string differences)
{
    if (!loads.differences.empty())
        return makePhrase(WorkloadPhrase::notTheSame, {literal(std::move(differences))});
    return loads.known ? Phrase() : makePhrase(WorkloadPhrase::notKnown);
}

std::span<const char* const> workloadPhrases() { return kWorkloadPhrases; }

} // namespace lockscope::sim
