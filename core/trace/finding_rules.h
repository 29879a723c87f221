// The rules that are checked on a run, each described once, as a row: reports, scenarios, lessons, the
// comparison and the window read their names and texts here. replay/findings counts how often each was
// applied and violated. Plain values; any thread.
#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockscope::trace {

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
inline constexpr std::size_t kFindingKinds = 9;

struct FindingRule
{
    Message word;      // "one_holder", as in reports, scenarios and lessons
    Message title;     // "One holder at a time"
    Message meaning;   // the rule as a sentence
    Message violation; // "a herd"
    Message unchecked; // a sentence: why nothing was checked yet
    Message one, many; // what is counted: "1 grant", "%1 grants"
    Message kept;      // a sentence: that so many were checked, with their number as %1

    std::string_view name() const { return word.view().source(); }
};

std::span<const FindingRule, kFindingKinds> findingRules(); // in the order of FindingKind
const FindingRule& findingRule(FindingKind kind);
std::optional<FindingKind> findingNamed(std::string_view name);

} // namespace lockscope::trace
