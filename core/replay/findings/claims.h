// Whether the lock of a program is right, by what its copies said and what the server said beside it. The
// trace is that of engine/program_run.h. A rule that the findings of any run have is read from them; the
// others allow what no program can prevent: a process that is paused cannot know that its session ends, and
// one that was told needs a moment. Pure; any thread.
#pragma once

#include "core/replay/findings/findings.h"
#include "core/trace/store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::replay {

enum class ClaimRule : std::uint8_t {
    exclusion,  // no two copies say at once that they have the lock, unless the server has taken it from one
    staleClaim, // a copy gives up the lock when it can know that its session has ended
    leftover,   // no node that no client will delete stands in front
    progress,   // a copy gets the lock when none has it
    herd,       // a release wakes no more copies than can continue
    tokens,     // the tokens that the copies report increase
    strayWatch, // no exists watch is set on a node that will never be created
};
inline constexpr std::size_t kClaimRules = 7;

struct ClaimRuleText
{
    std::string_view word; // "mutual_exclusion", as in reports
    Message title;         // "One at a time"
    Message advice;        // what to do when it is violated
};
std::span<const ClaimRuleText, kClaimRules> claimRules(); // in the order of ClaimRule

struct ClaimVerdict
{
    std::uint64_t checked = 0, violated = 0;
    // Of the first violation: the event that shows it, and the one that it contradicts.
    EventIndex event = EventIndex::none(), against = EventIndex::none();
    TraceTime at{};
    ClientId client = ClientId::none();
    Message what;
};

// The codes of a run's notices about the rules of its plan: these, and the name of the fault.
inline constexpr std::string_view kFaultMet = "fault_met:", kFaultMissed = "fault_missed:";

struct ClaimsJudged
{
    enum class Verdict : std::uint8_t { sound, violated, notJudged }; // sound: under the faults that were met
    struct Planned
    {
        std::uint64_t met = 0, missed = 0; // a rule of the plan met a copy, or none came to its moment
    };

    std::array<ClaimVerdict, kClaimRules> rules; // in the order of ClaimRule
    std::uint64_t claims = 0;                    // how often a copy said that it has the lock
    // Claims that outlived their session in a process that was paused: not violations.
    std::uint64_t excused = 0;
    EventIndex firstExcused = EventIndex::none();
    std::map<std::string, Planned, std::less<>> plan; // by the names of the faults, without those not tried
    Message whyNot;          // the program ended early, or did not keep to its lines; empty: it did neither
    bool brokenLine = false; // so that nothing that it said counts

    Verdict verdict() const;
    const ClaimVerdict& of(ClaimRule rule) const { return rules[static_cast<std::size_t>(rule)]; }
    bool ok() const;
};
ClaimsJudged judgeClaims(const trace::TraceStore& store);

} // namespace lockscope::replay
