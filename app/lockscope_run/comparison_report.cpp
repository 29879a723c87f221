#include "app/lockscope_run/comparison_report.h"

#include "app/lockscope_run/report.h"
#include "core/sim/load.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace lockscope::app {

namespace json = boost::json;

using replay::Better;
using replay::ComparisonRow;
using replay::Measure;
using replay::MeasureUnit;

namespace {

constexpr const char* kNothing = "-";

std::string text(const replay::ShownValue& shown)
{
    const std::string number = fmt::format("{:.{}f}", shown.value, shown.decimals);
    return shown.unit.empty() ? number : fmt::format("{} {}", number, shown.unit);
}

std::string valueText(Measure measure, const std::optional<double>& value)
{
    return value ? text(replay::shown(measure, *value)) : kNothing;
}

std::string ratioText(const ComparedRuns& runs, const ComparisonRow& row)
{
    if (runs.load.decides(row.measure))
        return "not compared";
    if (row.readsEqual())
        return "equal";
    if (!row.ratio)
        return "";
    return *row.ratio >= 1 ? text(replay::shownNumber(*row.ratio)) + " x"
                           : "1/" + text(replay::shownNumber(1 / *row.ratio)) + " x";
}

std::string loadText(const ComparedRuns& runs)
{
    if (runs.load.same)
        return "";
    if (runs.loadDifferences.empty())
        return "A trace does not say what its load was: it may not be the same.\n";
    return fmt::format("Not the same load: {}.\n", fmt::join(runs.loadDifferences, ", "));
}

std::string labelOf(const RunOutcome& run, const RunOutcome& other, const char* which)
{
    return run.scenario.name == other.scenario.name ? fmt::format("{} ({})", run.scenario.name, which)
                                                    : run.scenario.name;
}

std::string violatedText(const std::vector<replay::FindingKind>& kinds)
{
    std::string text;
    for (const replay::FindingKind kind : kinds)
        text += (text.empty() ? "" : ", ") + std::string(replay::findingName(kind));
    return text.empty() ? "all hold" : "violated: " + text;
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
    ComparedRuns runs{a, b, {}, {}, {}};
    const std::size_t clientsA = a.folded.state.clients.size();
    const std::size_t clientsB = b.folded.state.clients.size();
    runs.load.sameClients = clientsA == clientsB;
    if (!runs.load.sameClients)
        runs.loadDifferences.push_back(fmt::format("clients {} against {}", clientsA, clientsB));
    if (a.scenarioKnown && b.scenarioKnown)
        for (const sim::LoadTrait trait : sim::loadDifferences(a.scenario, b.scenario)) {
            const std::string title(sim::loadTraitTitle(trait));
            const std::string one = sim::loadTraitText(trait, a.scenario);
            runs.loadDifferences.push_back(one.empty() ? title
                                                       : fmt::format("{} {} against {}", title, one,
                                                                     sim::loadTraitText(trait, b.scenario)));
        }
    runs.load.same = a.scenarioKnown && b.scenarioKnown && runs.loadDifferences.empty();
    runs.comparison = judged(replay::compare(a.folded, b.folded), runs.load);
    return runs;
}

json::object report(const ComparedRuns& runs)
{
    const json::object load{
        {"same", runs.load.same},
        {"differences", json::array(runs.loadDifferences.begin(), runs.loadDifferences.end())}};
    return {{"a", report(runs.a)},
            {"b", report(runs.b)},
            {"load", load},
            {"comparison", comparisonJson(runs.comparison)}};
}

std::string table(const ComparedRuns& runs)
{
    const std::string a = labelOf(runs.a, runs.b, "a");
    const std::string b = labelOf(runs.b, runs.a, "b");
    const std::size_t wide = std::max({a.size(), b.size(), std::size_t{12}});
    std::string text = loadText(runs) + fmt::format("{:<26}  {:>{}}  {:>{}}  {:>12}  {}\n", "", a, wide, b,
                                                    wide, "ratio", "better");
    for (const ComparisonRow& row : runs.comparison.rows) {
        const std::string& better = row.better == Better::a ? a : b;
        text += fmt::format("{:<26}  {:>{}}  {:>{}}  {:>12}  {}\n", replay::measureTitle(row.measure),
                            valueText(row.measure, row.a), wide, valueText(row.measure, row.b), wide,
                            ratioText(runs, row), row.better == Better::neither ? "" : better);
    }
    text += fmt::format("\n{}: {}\n{}: {}\n", a, violatedText(runs.comparison.violatedA), b,
                        violatedText(runs.comparison.violatedB));
    return text;
}

} // namespace lockscope::app
