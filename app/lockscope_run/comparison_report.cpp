#include "app/lockscope_run/comparison_report.h"

#include "app/lockscope_run/report.h"

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

std::string threeDigits(double value)
{
    if (value >= 100)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}", value, value >= 10 ? 1 : 2);
}

std::string timeText(double nanoseconds)
{
    if (nanoseconds >= 1e9)
        return threeDigits(nanoseconds / 1e9) + " s";
    return threeDigits(nanoseconds / 1e6) + " ms";
}

std::string valueText(Measure measure, const std::optional<double>& value)
{
    if (!value)
        return kNothing;
    switch (replay::measureUnit(measure)) {
    case MeasureUnit::count:
        return fmt::format("{:.0f}", *value);
    case MeasureUnit::nanoseconds:
        return timeText(*value);
    case MeasureUnit::number:
        break;
    }
    return threeDigits(*value);
}

std::string ratioText(const std::optional<double>& ratio)
{
    if (!ratio)
        return "";
    return *ratio >= 1 ? threeDigits(*ratio) + " x" : "1/" + threeDigits(1 / *ratio) + " x";
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

json::object report(const ComparedRuns& runs)
{
    return {{"a", report(runs.a)}, {"b", report(runs.b)}, {"comparison", comparisonJson(runs.comparison)}};
}

std::string table(const ComparedRuns& runs)
{
    const std::string a = labelOf(runs.a, runs.b, "a");
    const std::string b = labelOf(runs.b, runs.a, "b");
    const std::size_t wide = std::max({a.size(), b.size(), std::size_t{12}});
    std::string text =
        fmt::format("{:<26}  {:>{}}  {:>{}}  {:>9}  {}\n", "", a, wide, b, wide, "ratio", "better");
    for (const ComparisonRow& row : runs.comparison.rows) {
        const std::string& better = row.better == Better::a ? a : b;
        text += fmt::format("{:<26}  {:>{}}  {:>{}}  {:>9}  {}\n", replay::measureTitle(row.measure),
                            valueText(row.measure, row.a), wide, valueText(row.measure, row.b), wide,
                            ratioText(row.ratio), row.better == Better::neither ? "" : better);
    }
    text += fmt::format("\n{}: {}\n{}: {}\n", a, violatedText(runs.comparison.violatedA), b,
                        violatedText(runs.comparison.violatedB));
    return text;
}

} // namespace lockscope::app
