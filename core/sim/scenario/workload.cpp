#include "core/sim/scenario/workload.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/trace/plain_text.h"

#include <algorithm>
#include <cctype>

namespace lockscope::sim {

namespace {

using trace::groupDigits;

// In full precision, with a space before the unit.
std::string timeText(Duration time)
{
    std::string text = formatDuration(time);
    const auto unit = std::find_if(text.begin(), text.end(),
                                   [](unsigned char letter) { return std::isalpha(letter) != 0; });
    if (unit != text.end())
        text.insert(unit, ' ');
    return text;
}

Message range(const std::string& low, const std::string& high)
{
    return low == high ? low : low + "–" + high;
}

Message times(const Range& range)
{
    return range.exponential ? message("%1 on average", timeText(range.low))
                             : sim::range(timeText(range.low), timeText(range.high));
}

Message counts(std::uint32_t least, std::uint32_t most)
{
    return range(groupDigits(least), groupDigits(most));
}

Message limit(const std::optional<Duration>& limit) { return limit ? timeText(*limit) : message("no limit"); }

Message arrivals(const Arrival& arrival)
{
    switch (arrival.kind) {
    case Arrival::Kind::atOnce:
        break;
    case Arrival::Kind::together:
        return arrival.party == 0 ? message("all together")
                                  : message("%1 together", groupDigits(arrival.party));
    case Arrival::Kind::staggered:
        return message("one every %1", timeText(arrival.gap));
    case Arrival::Kind::poisson:
        return message("one every %1 on average", timeText(arrival.gap));
    }
    return message("at once");
}

bool differ(WorkloadTrait trait, const Scenario& a, const Scenario& b)
{
    switch (trait) {
    case WorkloadTrait::named:
        return a.named != b.named;
    case WorkloadTrait::writes: // only read/write recipes have writes
        return isReadWrite(a.recipe) && isReadWrite(b.recipe) && a.work.writePercent != b.work.writePercent;
    default:
        return workloadTraitText(trait, a) != workloadTraitText(trait, b);
    }
}

Message difference(WorkloadTrait trait, const Scenario& a, const Scenario& b)
{
    const Message title = workloadTraitTitle(trait);
    const Message one = workloadTraitText(trait, a), other = workloadTraitText(trait, b);
    return one.empty() ? title : message("%1 %2 against %3", title, one, other);
}

} // namespace

Message workloadTraitTitle(WorkloadTrait trait)
{
    switch (trait) {
    case WorkloadTrait::hold:
        //: a noun, in "hold 20 ms against 50 ms": how long a client holds the lock
        return message("hold");
    case WorkloadTrait::think:
        //: a noun, in "think 20 ms against 50 ms": the time before a client asks for the lock
        return message("think");
    case WorkloadTrait::cycles:
        //: in "cycles 10 against 20": how often each client acquires and releases the lock
        return message("cycles");
    case WorkloadTrait::runTime:
        return message("run time");
    case WorkloadTrait::reentries:
        return message("re-entries");
    case WorkloadTrait::waitsAtMost:
        return message("waits at most");
    case WorkloadTrait::permits:
        //: in "permits 1 against 2": how many leases a client takes at once
        return message("permits");
    case WorkloadTrait::arrival:
        //: in "arrival at once against all together": how the clients start
        return message("arrival");
    case WorkloadTrait::pace:
        //: in "pace 0 ms against 20 ms": the delay before every step
        return message("pace");
    case WorkloadTrait::locks:
        //: a noun, in "locks 1 against 2": how many there are
        return message("locks");
    case WorkloadTrait::servers:
        //: in "servers 1 against 3": how many there are
        return message("servers");
    case WorkloadTrait::actions:
        return message("actions of the script");
    case WorkloadTrait::writes:
        //: a noun, in "writes 10 % against 50 %": the share of cycles that write
        return message("writes");
    case WorkloadTrait::named:
        return message("work of single clients");
    }
    return {};
}

Message workloadTraitText(WorkloadTrait trait, const Scenario& scenario)
{
    const Work& work = scenario.work;
    switch (trait) {
    case WorkloadTrait::hold:
        return times(work.hold);
    case WorkloadTrait::think:
        return times(work.think);
    case WorkloadTrait::cycles:
        return work.cycles == 0 ? message("no limit") : groupDigits(work.cycles);
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
        return timeText(scenario.pace);
    case WorkloadTrait::locks:
        return groupDigits(scenario.locks.size());
    case WorkloadTrait::servers:
        return groupDigits(scenario.servers);
    case WorkloadTrait::actions:
        return groupDigits(scenario.script.size());
    case WorkloadTrait::writes:
        return std::to_string(work.writePercent) + " %";
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
        loads.differences.push_back(message("%1 %2 against %3",
                                            //: in "clients 5 against 10": how many there are
                                            message("clients"), groupDigits(a.clients),
                                            groupDigits(b.clients)));
    loads.known = a.scenario && b.scenario;
    if (loads.known)
        for (const WorkloadTrait trait : workloadDifferences(*a.scenario, *b.scenario))
            loads.differences.push_back(difference(trait, *a.scenario, *b.scenario));
    return loads;
}

Message workloadNotice(const WorkloadComparison& loads)
{
    if (!loads.differences.empty())
        return message("Not the same load: %1.", listed(loads.differences));
    return loads.known ? Message()
                       : message("A trace does not say what its load was: it may not be the same.");
}

} // namespace lockscope::sim
