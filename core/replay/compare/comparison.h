// Compares two folded runs: the values of each measure in both runs, their ratio, and which run is better.
// Pure values; any thread. Invariants: every Measure has one row, in the order of the enum. A value that a
// run does not have (the handoff time of a run without handoffs) is nullopt; the row then has neither a ratio
// nor a better run.
#pragma once

#include "core/replay/fold/facts.h"
#include "core/replay/state/run_state.h"
#include "core/trace/store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::replay {

// A trace folded to its end.
struct WholeRun
{
    RunState state;
    std::optional<TraceTime> began; // the first running state, once the server was ready
    Duration took{};                // from `began` to the last event

    // For each event, in order.
    void apply(const trace::TraceStore& store, std::size_t index, Facts& facts);
    void noteTime(const RunState& now); // instead, when `state` is folded elsewhere
};
WholeRun wholeRun(const trace::TraceStore& store, std::size_t count);

enum class Measure : std::uint8_t {
    wakeUpsPerRelease,
    requestsPerAcquisition,
    handoffP50,
    handoffP99,
    waitP50,
    waitP99,
    acquisitions,
    duration,
    fairness, // Jain's index of the acquisitions per client
    longestOvertaking,
    timedOut,
    findings // the number of violated findings
};
inline constexpr std::size_t kMeasures = 12;

enum class MeasureUnit : std::uint8_t { number, count, nanoseconds };
enum class Better : std::uint8_t { neither, a, b };

std::string_view measureName(Measure measure); // "wakeups_per_release", as in reports
MeasureUnit measureUnit(Measure measure);
Message measureTitle(Measure measure); // "clients woken per release, mean of the run"

// A value as it is displayed: rates and times with three digits, times in ms or s.
struct DisplayValue
{
    double value = 0;
    int decimals = 0;
    std::string_view unit{}; // "ms", "s"; empty for a plain number
    bool operator==(const DisplayValue&) const = default;
};
DisplayValue shown(Measure measure, double value);
DisplayValue displayNumber(double value); // with three digits and no unit: for ratios

struct ComparisonRow
{
    Measure measure{};
    std::optional<double> a, b; // in measureUnit()
    // a / b, computed from the displayed values, so that a reader who divides them gets the same ratio. Only
    // for rates, times and the number of acquisitions, and only if neither value is 0.
    std::optional<double> ratio;
    Better better = Better::neither;

    bool displaysEqual() const; // both runs have a value, and both are displayed as the same text
    bool operator==(const ComparisonRow&) const = default;
};

struct Comparison
{
    std::array<ComparisonRow, kMeasures> rows;
    std::vector<FindingKind> violatedA, violatedB;

    const ComparisonRow& of(Measure measure) const { return rows[static_cast<std::size_t>(measure)]; }
    bool operator==(const Comparison&) const = default;
};

// Values that can have a ratio count as equal when they differ by at most a tenth of the greater, because
// such differences are noise. The durations are judged only if both runs had the same number of acquisitions.
Comparison compare(const WholeRun& a, const WholeRun& b);

// Whether two runs had the same workload, as far as their traces contain it.
struct WorkloadMatch
{
    bool same = true;
    bool sameClients = true; // the same number of clients
    // Whether a difference in this measure may come from a difference between the workloads alone.
    bool affects(Measure measure) const;
    bool operator==(const WorkloadMatch&) const = default;
};
// Removes the better run and the ratio of each measure that a difference between the workloads affects.
Comparison withoutWorkloadEffects(Comparison comparison, const WorkloadMatch& load);

} // namespace lockscope::replay
