#include "core/replay/compare/comparison_text.h"

#include "core/trace/plain_text.h"

#include <fmt/core.h>

#include <cmath>

namespace lockscope::replay {

namespace {

std::string text(const DisplayValue& shown)
{
    const std::string number = fmt::format("{:.{}f}", shown.value, shown.decimals);
    return shown.unit.empty() ? number : fmt::format("{} {}", number, shown.unit);
}

// The difference, for a row without a ratio.
Message difference(const ComparisonRow& row)
{
    const double a = shown(row.measure, *row.a).value, b = shown(row.measure, *row.b).value;
    switch (measureUnit(row.measure)) {
    case MeasureUnit::nanoseconds:
        return "-";
    case MeasureUnit::count: {
        const std::string count = trace::groupDigits(static_cast<std::uint64_t>(std::abs(a - b)));
        if (row.measure == Measure::findings)
            return a > b ? message("%1 more violated", count) : message("%1 fewer violated", count);
        return a > b ? message("%1 more", count) : message("%1 fewer", count);
    }
    case MeasureUnit::number:
        break;
    }
    const std::string by = fmt::format("{:.2f}", std::abs(a - b));
    return a > b ? message("%1 higher", by) : message("%1 lower", by);
}

} // namespace

Message noViolationTitle() { return message("all hold"); }

std::string valueText(Measure measure, const std::optional<double>& value)
{
    if (!value)
        return "-";
    return measureUnit(measure) == MeasureUnit::count ? trace::groupDigits(static_cast<std::uint64_t>(*value))
                                                      : text(shown(measure, *value));
}

Message describeRatio(const ComparisonRow& row, const WorkloadMatch& load)
{
    if (load.affects(row.measure))
        return message("not compared");
    if (!row.a || !row.b)
        return "-";
    if (row.displaysEqual())
        return row.measure == Measure::findings && *row.a > 0 ? message("as many violated")
                                                              //: of two runs: the same value
                                                              : message("equal");
    if (!row.ratio)
        return difference(row);
    const bool above = *row.ratio >= 1;
    const std::string times = text(displayNumber(above ? *row.ratio : 1 / *row.ratio));
    const bool isTime = measureUnit(row.measure) == MeasureUnit::nanoseconds;
    if (times == text(displayNumber(1)))
        return isTime ? message("equal") : difference(row);
    if (isTime)
        return above ? message("%1 × longer", times) : message("%1 × shorter", times);
    return above ? message("%1 × more", times) : message("%1 × fewer", times);
}

} // namespace lockscope::replay
