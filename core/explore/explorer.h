// Runs many schedules and stops at the first that violates an invariant. One thread.
#pragma once

#include "core/explore/schedule.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::explore {

struct Exploration
{
    std::size_t schedules = 0;
    std::size_t steps = 0;
    std::size_t grants = 0;
    std::size_t faults = 0;
    struct Found
    {
        std::uint64_t seed = 0;
        Violation violation;
        std::string scheduleLog;
    };
    std::optional<Found> found;

    std::string text() const; // the violation with its seed and story, or how much was explored
};

// The seeds first, first + 1, ...
Exploration explore(const ScheduleOptions& options, std::uint64_t first, std::size_t schedules);

std::optional<Handoff> handoffNamed(std::string_view name); // curator, announced, mixed

} // namespace lockscope::explore
