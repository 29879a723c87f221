#include "tests/explore/explorer.h"

#include <fmt/core.h>

#include <array>
#include <utility>

namespace lockscope::explore {

namespace {

using lock::RecipeBugs;
constexpr std::array<std::pair<std::string_view, bool RecipeBugs::*>, 11> kFlaws{{
    {"noGuidSearch", &RecipeBugs::noGuidSearch},
    {"existsInsteadOfGet", &RecipeBugs::existsInsteadOfGet},
    {"noOwnerCheck", &RecipeBugs::noOwnerCheck},
    {"forgetfulRelease", &RecipeBugs::forgetfulRelease},
    {"wrongNeighbour", &RecipeBugs::watchesLastNode},
    {"announcesEarly", &RecipeBugs::announcesEarly},
    {"acceptsAnySync", &RecipeBugs::acceptsAnySync},
    {"unwatchedHold", &RecipeBugs::noHoldRewatch},
    {"acceptsOverflow", &RecipeBugs::acceptsOverflow},
    {"noOwnWatch", &RecipeBugs::noOwnWatch},
    {"grantsLostHold", &RecipeBugs::grantsLostHold},
}};

} // namespace

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
                       found->violation.invariant, found->violation.what, amount);
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

std::optional<RecipeBugs> recipeBugNamed(std::string_view name)
{
    for (const auto& [flawName, member] : kFlaws)
        if (flawName == name) {
            RecipeBugs bugs;
            bugs.*member = true;
            return bugs;
        }
    return std::nullopt;
}

std::vector<std::string> recipeBugNames()
{
    std::vector<std::string> names;
    for (const auto& [name, member] : kFlaws)
        names.emplace_back(name);
    return names;
}

} // namespace lockscope::explore
