// What a scenario gives its clients to do, part by part: in what the loads of two differ, and how a person
// says it. Pure.
#pragma once

#include "core/sim/scenario/scenario.h"
#include "core/trace/phrase.h"

#include <span>

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
    actions,  // of the script
    writes, // the share of a read/write lock's cycles
    named   // what single clients do
};
inline constexpr std::size_t kWorkloadTraits = 14;

const char* workloadTraitTitle(WorkloadTrait trait); // "re-entries"
// "0–100 ms"; empty: not said in a word or two
trace::Phrase workloadTraitText(WorkloadTrait trait, const Scenario& scenario);
std::vector<WorkloadTrait> workloadDifferences(const Scenario& a, const Scenario& b);

// One of two runs: how many took part, and its scenario if that is known.
struct RunWorkload
{
    std::size_t clients = 0;
    const Scenario* scenario = nullptr;
};
struct WorkloadComparison
{
    bool known = true;                        // both scenarios are
    std::vector<trace::Phrase> differences{}; // "hold 0–100 ms against 2 ms"
    bool same() const { return known && differences.empty(); }
};
WorkloadComparison compareWorkloads(const RunWorkload& a, const RunWorkload& b);
// "Not the same load: ...", with the differences behind each other; empty when it is the same.
trace::Phrase workloadNotice(const WorkloadComparison& loads, std::string differences);

std::span<const char* const> workloadPhrases(); // all sources of the above

} // namespace lockscope::sim
