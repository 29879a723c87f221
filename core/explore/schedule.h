// One schedule: a few clients on one lock on a simulated ensemble, every message, timer and fault in an order
// that a seed decides, and the invariants checked after every step. The same seed is the same schedule to the
// last step.
#pragma once

#include "core/explore/client.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::explore {

enum class Handoff { curator, announced, mixed }; // mixed: each client has its own

struct ScheduleOptions
{
    const Recipe* recipe = nullptr;
    Handoff handoff = Handoff::curator;
    Flaws flaws;
    bool lastNumbers = false; // the queue soon uses up its 2^31 numbers
};

struct Outcome
{
    std::optional<Violation> violation;
    std::string scheduleLog; // when it was asked for
    std::vector<std::uint16_t> choices;
    std::size_t steps = 0;
    std::size_t grants = 0;
    std::size_t faults = 0;
};

Outcome runSchedule(const ScheduleOptions& options, std::uint64_t seed, bool keepLog);
// With the choices of an earlier run instead of a seed.
Outcome runSchedule(const ScheduleOptions& options, std::vector<std::uint16_t> choices, bool keepLog);

} // namespace lockscope::explore
