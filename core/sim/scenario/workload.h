// The workload of a scenario, trait by trait: which traits of two scenarios differ, and the texts for a
// comparison. Pure.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <vector>

namespace lockscope::sim {

enum class WorkloadTrait : std::uint8_t {
    hold,
    think,
    cycles,
    runTime,
    reentries,
    waitsAtMost,
    permits,
    arrival,
    pace,
    locks,
    servers,
    actions, // of the script
    writes,  // the share of write cycles on read/write locks
    named    // the work of single clients
};
inline constexpr std::size_t kWorkloadTraits = 14;

Message workloadTraitTitle(WorkloadTrait trait); // "re-entries"
// "0–100 ms"; empty for a trait without a short text.
Message workloadTraitText(WorkloadTrait trait, const Scenario& scenario);
std::vector<WorkloadTrait> workloadDifferences(const Scenario& a, const Scenario& b);

// One of two runs.
struct RunWorkload
{
    std::size_t clients = 0;
    const Scenario* scenario = nullptr; // null: not known
};
struct WorkloadComparison
{
    bool known = true;                  // both scenarios are known
    std::vector<Message> differences{}; // "hold 0–100 ms against 2 ms"
    bool same() const { return known && differences.empty(); }
};
WorkloadComparison compareWorkloads(const RunWorkload& a, const RunWorkload& b);
// "Not the same load: ...", with all differences; empty when both are known and the same.
Message workloadNotice(const WorkloadComparison& loads);

} // namespace lockscope::sim
