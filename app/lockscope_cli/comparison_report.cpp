#include "app/lockscope_cli/comparison_report.h"

#include "app/lockscope_cli/report.h"
#include "core/replay/compare/comparison_text.h"
#include "core/sim/scenario/workload.h"

#include <boost/json.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace lockscope::app {

namespace json = boost::json;

using replay::Better;
using replay::ComparisonRow;
using replay::Measure;
using replay::MeasureUnit;

namespace {

std::string labelOf(const RunOutcome& run, const RunOutcome& other, const char* which)
{
    return run.scenario.name == other.scenario.name ? fmt::format("{} ({})", run.scenario.name, which)
                                                    : run.scenario.name;
}

std::string violatedText(const std::vector<replay::FindingKind>& kinds)
{
    std::string text;
    for (const replay::FindingKind kind : kinds)
        text += (text.empty() ? "✗ " : ", ") + trace::findingRule(kind).violation.english();
    return text.empty() ? replay::noViolationTitle().english() : text;
}

json::value number(const std::optional<double>& value, MeasureUnit unit)
{
    if (!value)
        return nullptr;
    if (unit == MeasureUnit::count)
        return static_cast<std::int64_t>(*value);
    return unit == MeasureUnit::nanoseconds ? *value / 1000 : *value;
}

json::array comparisonJson(const replay::Comparison& comparison)
{
    json::array rows;
    for (const ComparisonRow& row : comparison.rows) {
        const MeasureUnit unit = replay::measureUnit(row.measure);
        const std::string name(replay::measureName(row.measure));
        rows.push_back(json::object{{"measure", unit == MeasureUnit::nanoseconds ? name + "_us" : name},
                                    {"a", number(row.a, unit)},
                                    {"b", number(row.b, unit)},
                                    {"ratio", number(row.ratio, MeasureUnit::number)},
                                    {"better", row.better == Better::a   ? json::value("a")
                                               : row.better == Better::b ? json::value("b")
                                                                         : json::value(nullptr)}});
    }
    return rows;
}

} // namespace

ComparedRuns compared(const RunOutcome& a, const RunOutcome& b)
{
    const sim::RunWorkload one{a.folded.state.clients.size(), a.scenarioKnown ? &a.scenario : nullptr};
    const sim::RunWorkload other{b.folded.state.clients.size(), b.scenarioKnown ? &b.scenario : nullptr};
    const sim::WorkloadComparison loads = sim::compareWorkloads(one, other);
    ComparedRuns runs{a, b, {loads.same(), one.clients == other.clients}, {}, {}, {}};
    for (const Message& difference : loads.differences)
        runs.workloadDifferences.push_back(difference.english());
    runs.workloadNotice = sim::workloadNotice(loads).english();
    runs.comparison = replay::withoutWorkloadEffects(replay::compare(a.folded, b.folded), runs.load);
    return runs;
}

json::object report(const ComparedRuns& runs)
{
    const json::object load{
        {"same", runs.load.same},
        {"differences", json::array(runs.workloadDifferences.begin(), runs.workloadDifferences.end())}};
    return {{"a", report(runs.a)},
            {"b", report(runs.b)},
            {"load", load},
            {"comparison", comparisonJson(runs.comparison)}};
}

std::string table(const ComparedRuns& runs)
{
    using Cells = std::array<std::string, 5>;
    const std::string a = labelOf(runs.a, runs.b, "a");
    const std::string b = labelOf(runs.b, runs.a, "b");
    std::vector<Cells> rows{{"", a, b, "left compared with right", "better"}};
    for (const ComparisonRow& row : runs.comparison.rows) {
        const bool findings = row.measure == Measure::findings;
        rows.push_back(
            {replay::measureTitle(row.measure).english(),
             findings ? violatedText(runs.comparison.violatedA) : replay::valueText(row.measure, row.a),
             findings ? violatedText(runs.comparison.violatedB) : replay::valueText(row.measure, row.b),
             replay::describeRatio(row, runs.load).english(),
             row.better == Better::neither || row.displaysEqual() ? ""
             : row.better == Better::a                            ? a
                                                                  : b});
    }
    const auto wide = [&](std::size_t column) {
        std::size_t most = 0;
        for (const Cells& row : rows)
            most = std::max(most, row[column].size());
        return most;
    };
    std::string text = runs.workloadNotice.empty() ? std::string() : runs.workloadNotice + '\n';
    for (const Cells& row : rows) {
        text += fmt::format("{:<{}}  {:>{}}  {:>{}}  {:>{}}", row[0], wide(0), row[1], wide(1), row[2],
                            wide(2), row[3], wide(3));
        text += (row[4].empty() ? "" : "  " + row[4]) + '\n';
    }
    return text;
}

} // namespace lockscope::app
