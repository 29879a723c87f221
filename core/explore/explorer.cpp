#include "core/explore/explorer.h"

#include <fmt/core.h>

#include <array>
#include <utility>

namespace lockscope::explore {

Exploration explore(const ScheduleOptions& options, std::uint64_t first, std::size_t schedules)
{
    Exploration result;
    for (std::uint64_t seed = first; result.schedules < schedules; ++seed) {
        const Outcome outcome = runSchedule(options, seed, false);
        ++result.schedules;
        result.steps += outcome.steps;
        result.grants += outcome.grants;
        result.faults += outcome.faults;
        if (outcome.violation) {
            const Outcome again = runSchedule(options, seed, true); // the same, with its log
            result.found =
                Exploration::Found{seed, again.violation.value_or(*outcome.violation), again.scheduleLog};
            break;
        }
    }
    return result;
}

std::string Exploration::text() const
{
    const std::string amount =
        fmt::format("{} schedules, {} steps, {} grants, {} faults", schedules, steps, grants, faults);
    if (!found)
        return amount + ": no violation";
    return fmt::format("{}Seed {} violates {}: {}\n({})", found->scheduleLog, found->seed,
                       found->violation.invariant, found->violation.what.english(), amount);
}

std::optional<Handoff> handoffNamed(std::string_view name)
{
    if (name == "curator")
        return Handoff::curator;
    if (name == "announced")
        return Handoff::announced;
    if (name == "mixed")
        return Handoff::mixed;
    return std::nullopt;
}

} // namespace lockscope::explore
