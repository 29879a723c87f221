// In which traits the workloads of two scenarios differ, as texts. Pure.
#pragma once

#include "core/sim/scenario/scenario.h"

#include <vector>

namespace lockscope::sim {

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
