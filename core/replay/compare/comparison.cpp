#include "core/replay/compare/comparison.h"

#include "core/replay/fold/reducer.h"

#include <algorithm>
#include <cmath>

namespace lockscope::replay {

namespace {

constexpr double kNoise = 0.1; // values with a ratio count as equal if they differ by at most this share

constexpr double kMillisecond = 1e6; // nanoseconds
constexpr double kSecond = 1e9;
constexpr double kLongMilliseconds = 999.5; // longer times would be displayed as 1000 ms

enum class Preference : std::uint8_t { less, more };

// The value in the measure's unit, rounded as it is displayed.
double asShown(Measure measure, double value)
{
    const DisplayValue shown = replay::shown(measure, value);
    return shown.unit.empty() ? shown.value : shown.value * (shown.unit == "s" ? kSecond : kMillisecond);
}

std::optional<double> percentile(const Histogram& histogram, double p)
{
    if (histogram.count() == 0)
        return {};
    return histogram.percentile(p).count();
}

std::vector<FindingKind> violatedOf(const RunState& state)
{
    std::vector<FindingKind> kinds;
    for (const Finding& finding : state.findings.all)
        if (!finding.ok())
            kinds.push_back(finding.kind);
    return kinds;
}

using Value = std::optional<double>;

struct MeasureFacts
{
    std::string_view name;
    Message title;
    MeasureUnit unit;
    Preference preference;
    bool hasRatio;
    Value (*of)(const WholeRun& run); // none: the run does not have it
};

const MeasureFacts& factsOf(Measure measure)
{
    using enum MeasureUnit;
    using enum Preference;
    using Run = const WholeRun&;
    static const std::array<MeasureFacts, kMeasures> facts{{
        {"wakeups_per_release", message("clients woken per release, mean of the run"), number, less, true,
         [](Run run) {
             const Statistics& all = run.state.statistics;
             return all.watchedGone > 0 ? Value(all.wakeUpsPerRelease()) : Value();
         }},
        {"requests_per_acquisition", message("requests per acquisition"), number, less, true,
         [](Run run) { // the requests of other programs are not known
             const Statistics& all = run.state.statistics;
             return all.acquired > 0 && !onlyWatches(run.state) ? Value(all.requestsPerAcquisition())
                                                                : Value();
         }},
        {"handoff_p50", message("handoff p50"), nanoseconds, less, true,
         [](Run run) { return percentile(run.state.statistics.handoff, 50); }},
        {"handoff_p99", message("handoff p99"), nanoseconds, less, true,
         [](Run run) { return percentile(run.state.statistics.handoff, 99); }},
        {"wait_p50", message("wait p50"), nanoseconds, less, true,
         [](Run run) { return percentile(run.state.statistics.wait, 50); }},
        {"wait_p99", message("wait p99"), nanoseconds, less, true,
         [](Run run) { return percentile(run.state.statistics.wait, 99); }},
        //: head of a row that compares two runs: how often the lock was acquired
        {"acquisitions", message("acquisitions"), count, more, true,
         [](Run run) { return Value(run.state.statistics.acquired); }},
        //: head of a row that compares two runs: how long the run took
        {"duration", message("duration"), nanoseconds, less, true,
         [](Run run) { return Value(run.took.count()); }},
        {"fairness", message("fairness (Jain)"), number, more, false,
         [](Run run) {
             const Statistics& all = run.state.statistics;
             return all.acquired > 0 ? Value(all.fairness()) : Value();
         }},
        {"longest_overtaking", message("overtakings of one wait, at most"), count, less, false,
         [](Run run) { return Value(run.state.statistics.longestOvertaking); }},
        {"timed_out", message("waits that timed out"), count, less, false,
         [](Run run) { return onlyWatches(run.state) ? Value() : Value(run.state.statistics.timedOut); }},
        //: head of a row that compares two runs: how many findings are violated
        {"findings_violated", message("findings"), count, less, false,
         [](Run run) { return Value(violatedOf(run.state).size()); }},
    }};
    return facts[static_cast<std::size_t>(measure)];
}

Better betterOf(Measure measure, double a, double b)
{
    const MeasureFacts& facts = factsOf(measure);
    const double noise = facts.hasRatio ? kNoise * std::max(a, b) : 1e-9;
    if (std::abs(a - b) <= noise)
        return Better::neither;
    return (a < b) == (facts.preference == Preference::less) ? Better::a : Better::b;
}

} // namespace

std::string_view measureName(Measure measure) { return factsOf(measure).name; }

Message measureTitle(Measure measure) { return factsOf(measure).title; }

MeasureUnit measureUnit(Measure measure) { return factsOf(measure).unit; }

DisplayValue displayNumber(double value)
{
    // A value that rounds up to 1, 10 or 100 gets the decimals of that number.
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 || value == 0 ? 2 : 3;
    const double scale = std::pow(10.0, decimals);
    return {std::round(value * scale) / scale, decimals, {}};
}

DisplayValue shown(Measure measure, double value)
{
    switch (factsOf(measure).unit) {
    case MeasureUnit::count:
        return {value, 0, {}};
    case MeasureUnit::nanoseconds: {
        const bool seconds = value >= kLongMilliseconds * kMillisecond;
        DisplayValue time = displayNumber(value / (seconds ? kSecond : kMillisecond));
        time.unit = seconds ? "s" : "ms";
        return time;
    }
    case MeasureUnit::number:
        break;
    }
    if (measure == Measure::fairness) // an index up to 1
        return {std::round(value * 100) / 100, 2, {}};
    return displayNumber(value);
}

bool ComparisonRow::displaysEqual() const { return a && b && shown(measure, *a) == shown(measure, *b); }

void WholeRun::apply(const trace::TraceStore& store, std::size_t index, Facts& facts)
{
    replay::apply(state, store, index, facts);
    noteTime(state);
}

void WholeRun::noteTime(const RunState& now)
{
    if (!began && now.phase == trace::RunPhase::running)
        began = now.now;
    if (began)
        took = now.now - *began;
}

WholeRun wholeRun(const trace::TraceStore& store, std::size_t count)
{
    WholeRun run;
    Facts facts;
    for (std::size_t i = 0; i < count; ++i)
        run.apply(store, i, facts);
    return run;
}

Comparison compare(const WholeRun& a, const WholeRun& b)
{
    Comparison comparison;
    for (std::size_t i = 0; i < kMeasures; ++i) {
        ComparisonRow& row = comparison.rows[i];
        row.measure = static_cast<Measure>(i);
        row.a = factsOf(row.measure).of(a);
        row.b = factsOf(row.measure).of(b);
        if (!row.a || !row.b)
            continue;
        if (factsOf(row.measure).hasRatio && *row.a > 0 && *row.b > 0)
            row.ratio = asShown(row.measure, *row.a) / asShown(row.measure, *row.b);
        row.better = betterOf(row.measure, *row.a, *row.b);
    }
    // A run that acquired less finished sooner; that does not make it better.
    if (a.state.statistics.acquired != b.state.statistics.acquired)
        comparison.rows[static_cast<std::size_t>(Measure::duration)].better = Better::neither;
    comparison.violatedA = violatedOf(a.state);
    comparison.violatedB = violatedOf(b.state);
    return comparison;
}

bool WorkloadMatch::affects(Measure measure) const
{
    switch (measure) {
    case Measure::findings:
        return false;
    case Measure::wakeUpsPerRelease:
    case Measure::requestsPerAcquisition:
        return !sameClients; // depends on the recipe and the number of clients, not on their times
    default:
        return !same;
    }
}

Comparison withoutWorkloadEffects(Comparison comparison, const WorkloadMatch& load)
{
    for (ComparisonRow& row : comparison.rows) {
        if (!load.affects(row.measure))
            continue;
        row.ratio.reset();
        row.better = Better::neither;
    }
    return comparison;
}

} // namespace lockscope::replay
