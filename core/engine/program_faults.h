// Which faults are tried on a program, and in which order: rows with the lines of a script, so that the one
// table of faults (sim/script) says what they are. Plain values; any thread.
#pragma once

#include "core/base/random.h"
#include "core/sim/script/script.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::engine {

struct ProgramFault
{
    std::string_view name;               // "expiry"
    std::string_view does;               // "its session ends"
    std::vector<std::string_view> lines; // of a script; @ is its target
    bool harsh = false;                  // a session or a process does not survive it
};
const std::vector<ProgramFault>& programFaults();

// All faults again and again, in a random order each time, so that a short run tries many.
class FaultPlan
{
public:
    struct Step
    {
        const ProgramFault* fault;
        sim::Action::Target target; // the holder, the first waiter, or unspecified: any copy
        Duration after;             // since somebody got the lock
        std::vector<sim::Action> actions;
    };
    FaultPlan(bool harsh, std::uint64_t seed);
    Step next();
    std::uint64_t pick(std::uint64_t below)
    {
        return static_cast<std::uint64_t>(m_random.uniform(0, static_cast<std::int64_t>(below) - 1));
    }

private:
    bool m_harsh;
    Random m_random;
    std::vector<const ProgramFault*> m_left;
};

} // namespace lockscope::engine
