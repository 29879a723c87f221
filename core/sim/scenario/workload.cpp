#include "core/sim/scenario/workload.h"

#include "core/sim/scenario/scenario_text.h"
#include "core/trace/plain_text.h"

#include <algorithm>
#include <array>
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

// A trait of the workload: a row of a comparison.
struct Trait
{
    Message title;
    Message (*text)(const Scenario&); // "0–100 ms"; null: it has no short text
    bool (*differ)(const Scenario& a, const Scenario& b) = nullptr; // null: when the texts do
};

const auto& traits()
{
    using Of = const Scenario&;
    static const std::array all{
        //: a noun, in "hold 20 ms against 50 ms": how long a client holds the lock
        Trait{message("hold"), [](Of one) { return times(one.work.hold); }},
        //: a noun, in "think 20 ms against 50 ms": the time before a client asks for the lock
        Trait{message("think"), [](Of one) { return times(one.work.think); }},
        //: in "cycles 10 against 20": how often each client acquires and releases the lock
        Trait{message("cycles"),
              [](Of one) {
                  return one.work.cycles == 0 ? message("no limit") : Message(groupDigits(one.work.cycles));
              }},
        Trait{message("run time"), [](Of one) { return limit(one.duration); }},
        Trait{message("re-entries"), [](Of one) { return counts(one.work.reenterMin, one.work.reenterMax); }},
        Trait{message("waits at most"), [](Of one) { return limit(one.work.acquireTimeout); }},
        //: in "permits 1 against 2": how many leases a client takes at once
        Trait{message("permits"), [](Of one) { return counts(one.work.permitsMin, one.work.permitsMax); }},
        //: in "arrival at once against all together": how the clients start
        Trait{message("arrival"), [](Of one) { return arrivals(one.arrival); }},
        //: in "pace 0 ms against 20 ms": the delay before every step
        Trait{message("pace"), [](Of one) { return Message(timeText(one.pace)); }},
        //: a noun, in "locks 1 against 2": how many there are
        Trait{message("locks"), [](Of one) { return Message(groupDigits(one.locks.size())); }},
        //: in "servers 1 against 3": how many there are
        Trait{message("servers"), [](Of one) { return Message(groupDigits(one.servers)); }},
        Trait{message("actions of the script"),
              [](Of one) { return Message(groupDigits(one.script.size())); }},
        //: a noun, in "writes 10 % against 50 %": the share of cycles that write
        Trait{message("writes"), [](Of one) { return Message(std::to_string(one.work.writePercent) + " %"); },
              [](Of a, Of b) { // only read/write recipes have writes
                  return isReadWrite(a.recipe) && isReadWrite(b.recipe) &&
                         a.work.writePercent != b.work.writePercent;
              }},
        Trait{message("work of single clients"), nullptr, [](Of a, Of b) { return a.named != b.named; }},
    };
    return all;
}

} // namespace

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
        for (const Trait& trait : traits()) {
            const Message one = trait.text ? trait.text(*a.scenario) : Message(),
                          other = trait.text ? trait.text(*b.scenario) : Message();
            if (trait.differ ? trait.differ(*a.scenario, *b.scenario) : one != other)
                loads.differences.push_back(
                    one.empty() ? trait.title : message("%1 %2 against %3", trait.title, one, other));
        }
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
