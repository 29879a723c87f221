#include "core/engine/program_faults.h"

#include "core/sim/script/script_text.h"

#include <algorithm>
#include <string>

namespace lockscope::engine {

Message describe(ProgramMoment moment, const Message& copy)
{
    using enum ProgramMoment;
    switch (moment) {
    case bySeed:
    case any:
        break;
    case holds:
        return message("%1 has said \"acquired\"", copy);
    case waits:
        return message("%1 has read that one node is in front of its own", copy);
    case creates:
        return message("%1 asks for its node", copy);
    case removes:
        return message("%1 deletes its node", copy);
    case lists:
        return message("%1 asks for the list", copy);
    }
    return message("%1 runs", copy);
}

const std::vector<ProgramFault>& programFaults()
{
    static const std::vector<ProgramFault> faults{
        {"slow_link", message("its link is slow"), {"slow the link of @ by 60ms +- 50ms for 1500ms"}},
        {"reset", message("its connection is reset"), {"reset the link of @"}},
        {"cut", message("its link is cut"), {"cut the link of @ for 600ms"}},
        {"lost_reply", message("the reply is lost"), {"lose the next reply to @"}, ProgramMoment::lists},
        {"lost_create_reply",
         message("the reply is lost"),
         {"lose the next create reply to @"},
         ProgramMoment::creates},
        {"lost_delete_reply",
         message("the reply is lost"),
         {"lose the next delete reply to @"},
         ProgramMoment::removes},
        {"pause", message("its process is paused"), {"freeze @ for 500ms"}},
        {"expiry", message("its session ends"), {"kill @"}, ProgramMoment::bySeed, true},
        {"kill",
         message("its process is killed, and another one started"),
         {"remove @"},
         ProgramMoment::bySeed,
         true},
        {"long_pause",
         message("its session ends while its process is paused"),
         {"freeze @ for 1500ms", "kill @"},
         ProgramMoment::bySeed,
         true},
        {"restart",
         message("the server is killed, and comes back"),
         {"kill the server"},
         ProgramMoment::bySeed,
         true},
    };
    return faults;
}

namespace {

constexpr std::int64_t kMostAfterMs = 60; // the examples hold their lock for 50 ms

// The line on "the holder" is parsed; the run puts the copy in.
sim::Action actionOf(std::string_view line)
{
    std::string text(line);
    if (const std::size_t at = text.find('@'); at != std::string::npos)
        text.replace(at, 1, "the holder");
    return *sim::parseAction(text);
}

} // namespace

bool FaultPlan::Rule::does(sim::Action::Kind kind) const
{
    return std::ranges::any_of(actions, [&](const sim::Action& action) { return action.kind == kind; });
}

sim::Scenario judgedScenario(std::uint32_t copies, std::uint64_t seed, Duration duration)
{
    sim::Scenario scenario;
    scenario.name = "judge";
    scenario.title = "A program's own lock";
    sim::setClientCount(scenario, copies);
    scenario.seed = seed;
    scenario.duration = duration;
    scenario.work.cycles = 0; // until the duration is over
    scenario.locks = {"/lockscope/judged/lock"};
    return scenario;
}

FaultPlan::FaultPlan(bool harsh, std::uint64_t seed)
    : m_harsh(harsh)
    , m_random(seed)
{}

FaultPlan::Rule FaultPlan::next()
{
    if (m_left.empty()) {
        for (const ProgramFault& fault : programFaults())
            if (m_harsh || !fault.harsh)
                m_left.push_back(&fault);
        for (std::size_t i = m_left.size(); i > 1; --i)
            std::swap(m_left[i - 1], m_left[pick(i)]);
    }
    Rule rule{m_left.back(), m_left.back()->when, static_cast<int>(1 + pick(3)), {}, {}};
    m_left.pop_back();
    if (rule.when == ProgramMoment::bySeed) { // who holds it has most to lose
        const std::uint64_t roll = pick(10);
        rule.when = roll < 5 ? ProgramMoment::holds : roll < 8 ? ProgramMoment::waits : ProgramMoment::any;
        if (pick(2) == 0)
            rule.after = std::chrono::milliseconds(m_random.uniform(0, kMostAfterMs));
    }
    for (const std::string_view line : rule.fault->lines)
        rule.actions.push_back(actionOf(line));
    return rule;
}

} // namespace lockscope::engine
