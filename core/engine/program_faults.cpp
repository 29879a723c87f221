#include "core/engine/program_faults.h"

#include "core/sim/script/script_text.h"

#include <algorithm>
#include <string>

namespace lockscope::engine {

const std::vector<ProgramFault>& programFaults()
{
    static const std::vector<ProgramFault> faults{
        {"slow_link", "its link is slow", {"slow the link of @ by 60ms +- 50ms for 1500ms"}},
        {"reset", "its connection is reset", {"reset the link of @"}},
        {"cut", "its link is cut", {"cut the link of @ for 600ms"}},
        {"lost_reply", "the reply to its next request is lost", {"lose the next reply to @"}},
        {"lost_create_reply", "the reply to its next create is lost", {"lose the next create reply to @"}},
        {"lost_delete_reply", "the reply to its next delete is lost", {"lose the next delete reply to @"}},
        {"pause", "its process is paused", {"freeze @ for 500ms"}},
        {"expiry", "its session ends", {"kill @"}, true},
        {"kill", "its process is killed, and another one started", {"remove @"}, true},
        {"long_pause",
         "its session ends while its process is paused",
         {"freeze @ for 1500ms", "kill @"},
         true},
        {"restart", "the server is killed, and comes back", {"kill the server"}, true},
    };
    return faults;
}

namespace {

// The line on "the holder" is parsed; the run puts the copy in.
sim::Action actionOf(std::string_view line)
{
    std::string text(line);
    if (const std::size_t at = text.find('@'); at != std::string::npos)
        text.replace(at, 1, "the holder");
    return *sim::parseAction(text);
}

} // namespace

FaultPlan::FaultPlan(bool harsh, std::uint64_t seed)
    : m_harsh(harsh)
    , m_random(seed)
{}

FaultPlan::Step FaultPlan::next()
{
    if (m_left.empty()) {
        for (const ProgramFault& fault : programFaults())
            if (m_harsh || !fault.harsh)
                m_left.push_back(&fault);
        for (std::size_t i = m_left.size(); i > 1; --i)
            std::swap(m_left[i - 1], m_left[pick(i)]);
    }
    using Target = sim::Action::Target;
    Step step{m_left.back(), Target::unspecified, std::chrono::milliseconds(m_random.uniform(0, 400)), {}};
    m_left.pop_back();
    // A reply can be lost to whoever asks next; a holder is the one who has most to lose.
    const std::uint64_t roll = pick(10);
    step.target = roll < 5 ? Target::holder : roll < 8 ? Target::firstWaiter : Target::unspecified;
    for (const std::string_view line : step.fault->lines)
        step.actions.push_back(actionOf(line));
    return step;
}

} // namespace lockscope::engine
