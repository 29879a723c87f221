// The verdicts on a run, checked at every event. A finding counts how often its rule was applied and
// violated, and names the events that prove the violations. Plain values, part of RunState; detail() makes
// the sentence.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"
#include "core/trace/finding_names.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::replay {

enum class FindingKind : std::uint8_t {
    oneHolder, // at most one valid holder (or one per permit): one whose node and session exist on the server
    orderKept, // a grant goes to the lowest live sequence number (leases: in the order of the acquire mutex)
    noHerd,    // a release wakes at most one waiter
    noOrphanNode,        // at the end, every node of this run belongs to a client that knows of it
    noLostWakeup,        // a waiter whose watched node is gone is woken or reads the list again
    tokensIncrease,      // the fencing tokens of the grants of a lock increase
    beliefMatchesServer, // no client believes that it holds a lock that the server has taken away
    noDeadlock,          // clients do not wait for each other in a circle, across all locks
    noStrayWatch,        // no exists watch is set on a node that will never be created
};
inline constexpr std::size_t kFindingKinds = trace::kFindingNames.size();

std::string_view findingName(FindingKind kind);  // "one_holder", as in reports
std::string_view findingTitle(FindingKind kind); // "One holder at a time" (untranslated source text)

// Which clients may hold a lock at the same time, and whether waiters queue: decides how findings are worded.
enum class LockSharing : std::uint8_t { exclusive, readers, leases, unordered };

struct Violation
{
    EventIndex at;                           // the event that shows it
    EventIndex against = EventIndex::none(); // the event that it contradicts, if any
    TraceTime time{};
    ClientId client = ClientId::none();

    bool operator==(const Violation&) const = default;
};

struct Finding
{
    FindingKind kind{};
    LockSharing sharing{};     // how the run's locks are shared
    bool watchOnly = false;    // the run has a watched lock
    std::uint64_t checked = 0; // how many times the rule was applied
    std::uint64_t violated = 0;
    std::uint32_t maxWoken = 0; // noHerd: clients woken by one cause, including readers that enter together
    // In their order. Of more than twice kViolationsKept, those between the first and the last of them are
    // dropped.
    std::vector<Violation> violations;
    Message lastViolation; // about violations.back()
    static constexpr std::size_t kViolationsKept = 100;

    bool ok() const { return violated == 0; }
    // One sentence about the last violation or, without one, the checks. Built at each call.
    Message detail() const;
    bool operator==(const Finding&) const = default;
};

struct Findings
{
    std::array<Finding, kFindingKinds> all;
    Findings();
    Finding& of(FindingKind kind) { return all[static_cast<std::size_t>(kind)]; }
    const Finding& of(FindingKind kind) const { return all[static_cast<std::size_t>(kind)]; }
    bool operator==(const Findings&) const = default;
};

} // namespace lockscope::replay
