// Two folded runs side by side: the same numbers of both, how many times the one is the other, and which is
// better. Pure values; any thread.
// Invariants: every Measure has one row, in the order of the enum; a value that a run does not have (a
// handoff time without a handoff) is nullopt, and then the row has neither a ratio nor a better run.
#pragma once

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
    Duration took{};                // from then to the last event

    void apply(const trace::TraceStore& store, std::size_t index); // the next event
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
    findings // how many are violated
};
inline constexpr std::size_t kMeasures = 12;

enum class MeasureUnit : std::uint8_t { number, count, nanoseconds };
enum class Better : std::uint8_t { neither, a, b };

std::string_view measureName(Measure measure); // "wakeups_per_release", as in reports
MeasureUnit measureUnit(Measure measure);

// A value as it is shown: rates and times with three digits, times in ms or s.
struct DisplayValue
{
    double value = 0;
    int decimals = 0;
    std::string_view unit{}; // "ms", "s"; empty for a number
    bool operator==(const DisplayValue&) const = default;
};
DisplayValue shown(Measure measure, double value);
DisplayValue displayNumber(double value); // with three digits, no unit: of ratios

struct ComparisonRow
{
    Measure measure{};
    std::optional<double> a, b; // in measureUnit()
    // a / b, of the values as they are shown: who divides what stands there gets it. Only for rates and
    // times, and only when neither is 0.
    std::optional<double> ratio;
    Better better = Better::neither;

    bool displaysEqual() const; // both are there and are shown by the same text
    bool operator==(const ComparisonRow&) const = default;
};

struct Comparison
{
    std::array<ComparisonRow, kMeasures> rows;
    std::vector<FindingKind> violatedA, violatedB;

    const ComparisonRow& of(Measure measure) const { return rows[static_cast<std::size_t>(measure)]; }
    bool operator==(const Comparison&) const = default;
};

// Times that differ by less than a tenth are called equal: so much is noise. Durations are judged only when
// both runs acquired as often.
Comparison compare(const WholeRun& a, const WholeRun& b);

// Whether two runs had the same workload, as far as their traces contain it.
struct WorkloadMatch
{
    bool same = true;
    bool sameClients = true; // as many
    // Whether a difference between the loads may be all that this measure shows.
    bool affects(Measure measure) const;
    bool operator==(const WorkloadMatch&) const = default;
};
// The comparison without the better run and the ratio of each measure that a difference of the loads affects.
Comparison withoutWorkloadEffects(Comparison comparison, const WorkloadMatch& load);

} // namespace lockscope::replay
