// The verdicts on a run, checked at every event. A finding counts how often its rule was applied and
// violated, and names the events that prove the violations. Plain values, part of RunState; the sentence is
// made when it is read.
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
    oneHolder, // at most one valid holder (as many as there are permits): its node exists, its session lives
    orderKept, // a grant goes to the lowest live sequence number (leases: by the order of the acquire mutex)
    noHerd,    // a release wakes at most one waiter
    noOrphanNode,        // at the end, every node of ours belongs to a client that knows of it
    noLostWakeup,        // a waiter whose watched node is gone is woken or lists again
    tokensIncrease,      // the fencing tokens of the grants of a lock increase
    beliefMatchesServer, // no client believes that it holds what the server took away
    noDeadlock,          // clients do not wait for each other in a circle, over all locks
    noStrayWatch,        // no exists watch is set on a node that will never be created
};
inline constexpr std::size_t kFindingKinds = trace::kFindingNames.size();

std::string_view findingName(FindingKind kind);  // "one_holder", as in reports
std::string_view findingTitle(FindingKind kind); // "One holder at a time" (untranslated source text)

// Who may hold together, and whether the waiters queue: what the rules mean for the locks of a run.
enum class LockSharing : std::uint8_t { exclusive, readers, leases, unordered };

struct Violation
{
    EventIndex at;                           // the event that shows it
    EventIndex against = EventIndex::none(); // the one it contradicts, if there is one
    TraceTime time{};
    ClientId client = ClientId::none();

    bool operator==(const Violation&) const = default;
};

struct Finding
{
    FindingKind kind{};
    LockSharing sharing{};     // of the run's locks
    bool watchOnly = false;    // the run has a lock that it only watches
    std::uint64_t checked = 0; // how many times the rule was applied
    std::uint64_t violated = 0;
    std::uint32_t maxWoken = 0;        // noHerd: by one cause, readers that go in together counted
    std::vector<Violation> violations; // the first 100
    Message lastViolation;

    bool ok() const { return violated == 0; }
    // One sentence: the last violation, or what was checked. Makes it at each call.
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
