// Which faults are tried on a program, and when: a plan of rules, each a fault and the moment at which it
// comes, so that it meets what it is meant for whatever the pace of the machine is. The lines are those of a
// script: the one table of faults (sim/script) says what they are. Plain values; any thread.
#pragma once

#include "core/base/message.h"
#include "core/base/random.h"
#include "core/sim/scenario/scenario.h"
#include "core/sim/script/script.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::engine {

// Where a copy is. bySeed: holds, waits or any.
enum class ProgramMoment : std::uint8_t { bySeed, any, holds, waits, creates, removes, lists };
Message describe(ProgramMoment moment, const Message& copy); // "ada has said \"acquired\""

struct ProgramFault
{
    std::string_view name;               // "expiry"
    Message does;                        // "its session ends"
    std::vector<std::string_view> lines; // of a script; @ is its target
    ProgramMoment when = ProgramMoment::bySeed;
    bool harsh = false; // a session or a process does not survive it
};
const std::vector<ProgramFault>& programFaults();

// The run's scenario: so many copies, and no new fault when this time has passed.
sim::Scenario judgedScenario(std::uint32_t copies, std::uint64_t seed, Duration duration);

// Rules without end: all faults again and again, in a random order each time, so that a short run tries many.
class FaultPlan
{
public:
    struct Rule
    {
        const ProgramFault* fault;
        ProgramMoment when; // never bySeed
        int times;          // the moment counts when it has come this often, from 1
        Duration after;     // from the moment
        std::vector<sim::Action> actions;
        bool does(sim::Action::Kind kind) const;
    };
    FaultPlan(bool harsh, std::uint64_t seed);
    Rule next();
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
