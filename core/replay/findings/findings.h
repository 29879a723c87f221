// The verdicts on a run, checked at every event. A finding counts how often its rule was applied and
// violated, and names the events that prove the violations. Plain values, part of RunState; detail() makes
// the sentence.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"
#include "core/trace/finding_rules.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::replay {

using trace::FindingKind;
using trace::kFindingKinds;

// Which clients may hold a lock at the same time, and whether waiters queue: decides how findings are worded.
enum class LockSharing : std::uint8_t { exclusive, readers, leases, unordered };

// "Lease limit respected": the rule's title, on locks that are shared like this.
Message findingTitle(FindingKind kind, LockSharing sharing);

struct Violation
{
    EventIndex at;                           // the event that shows it
    EventIndex against = EventIndex::none(); // the event that it contradicts, if any
    TraceTime time{};
    ClientId client = ClientId::none();

    bool operator==(const Violation&) const = default;
};

// Why a rule was never applied. It counts only for a finding without a check.
enum class NotChecked : std::uint8_t {
    noOccasion,
    watchesOnly, // the run has a watched lock
    inParts      // the clients' parts of the run were judged one by one: what spans them was not
};

struct Finding
{
    FindingKind kind{};
    LockSharing sharing{}; // how the run's locks are shared
    NotChecked notChecked{};
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
