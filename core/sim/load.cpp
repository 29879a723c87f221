#include "core/sim/load.h"

#include "core/sim/scenario_words.h"

namespace lockscope::sim {

namespace {

std::string rangeText(const Range& range)
{
    if (range.exponential)
        return durationText(range.low) + " on average";
    return range.low == range.high ? durationText(range.low)
                                   : durationText(range.low) + "-" + durationText(range.high);
}

std::string countsText(std::uint32_t least, std::uint32_t most)
{
    return least == most ? std::to_string(least) : std::to_string(least) + "-" + std::to_string(most);
}

std::string limitText(const std::optional<Duration>& limit)
{
    return limit ? durationText(*limit) : "no limit";
}

bool differ(LoadTrait trait, const Scenario& a, const Scenario& b)
{
    switch (trait) {
    case LoadTrait::named:
        return a.named != b.named;
    case LoadTrait::writes: // else nobody writes
        return isReadWrite(a.recipe) && isReadWrite(b.recipe) && a.work.writePercent != b.work.writePercent;
    default:
        return loadTraitText(trait, a) != loadTraitText(trait, b);
    }
}

} // namespace

std::string_view loadTraitTitle(LoadTrait trait)
{
    static constexpr std::array<std::string_view, kLoadTraits> titles{"hold",       "think",
                                                                      "cycles",     "run time",
                                                                      "re-entries", "waits at most",
                                                                      "permits",    "arrival",
                                                                      "pace",       "locks",
                                                                      "servers",    "deeds of the script",
                                                                      "writes",     "what single clients do"};
    return titles[static_cast<std::size_t>(trait)];
}

std::string loadTraitText(LoadTrait trait, const Scenario& scenario)
{
    const Work& work = scenario.work;
    switch (trait) {
    case LoadTrait::hold:
        return rangeText(work.hold);
    case LoadTrait::think:
        return rangeText(work.think);
    case LoadTrait::cycles:
        return work.cycles == 0 ? "no limit" : std::to_string(work.cycles);
    case LoadTrait::runTime:
        return limitText(scenario.duration);
    case LoadTrait::reentries:
        return countsText(work.reenterMin, work.reenterMax);
    case LoadTrait::waitsAtMost:
        return limitText(work.acquireTimeout);
    case LoadTrait::permits:
        return countsText(work.permitsMin, work.permitsMax);
    case LoadTrait::arrival:
        return arrivalText(scenario.arrival);
    case LoadTrait::pace:
        return durationText(scenario.pace);
    case LoadTrait::locks:
        return std::to_string(scenario.locks.size());
    case LoadTrait::servers:
        return std::to_string(scenario.servers);
    case LoadTrait::deeds:
        return std::to_string(scenario.script.size());
    case LoadTrait::writes:
        return std::to_string(work.writePercent) + "%";
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

} // namespace lockscope::sim
