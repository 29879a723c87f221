#include "core/replay/compare/comparison_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace lockscope::replay {

namespace {

using trace::groupDigits;
using trace::literal;
using trace::Phrase;

// Behind the titles of the measures and what is broken, in their order.
enum class ComparisonText : std::size_t {
    allHold = kMeasures + kFindingKinds,
    longer,
    shorter,
    timesMore,
    timesFewer,
    more,
    fewer,
    moreViolated,
    fewerViolated,
    asManyViolated,
    higher,
    lower,
    equal,
    notCompared,
    count
};
constexpr std::array<const char*, static_cast<std::size_t>(ComparisonText::count)> kComparisonTexts{
    "clients woken per release, mean of the run",
    "requests per acquisition",
    "handoff p50",
    "handoff p99",
    "wait p50",
    "wait p99",
    "acquisitions",
    "duration",
    "fairness (Jain)",
    "overtakings of one wait, at most",
    "waits that timed out",
    "findings",
    "too many holders at once",
    "order not kept",
    "a herd",
    "an orphan node",
    "a lost wake-up",
    "tokens that do not increase",
    "belief against the server",
    "a deadlock",
    "a stray watch",
    "all hold",
    "%1 × longer",
    "%1 × shorter",
    "%1 × more",
    "%1 × fewer",
    "%1 more",
    "%1 fewer",
    "%1 more violated",
    "%1 fewer violated",
    "as many violated",
    "%1 higher",
    "%1 lower",
    "equal",
    "not compared"};

Phrase said(ComparisonText words, std::vector<Phrase> values = {})
{
    return {kComparisonTexts[static_cast<std::size_t>(words)], std::move(values), {}};
}

std::string text(const DisplayValue& shown)
{
    const std::string number = fmt::format("{:.{}f}", shown.value, shown.decimals);
    return shown.unit.empty() ? number : fmt::format("{} {}", number, shown.unit);
}

// By how much, where times as much would say nothing.
Phrase difference(const ComparisonRow& row)
{
    const double a = shown(row.measure, *row.a).value, b = shown(row.measure, *row.b).value;
    switch (measureUnit(row.measure)) {
    case MeasureUnit::nanoseconds:
        return literal("-");
    case MeasureUnit::count: {
        std::vector<Phrase> count{literal(groupDigits(static_cast<std::uint64_t>(std::abs(a - b))))};
        if (row.measure == Measure::findings)
            return said(a > b ? ComparisonText::moreViolated : ComparisonText::fewerViolated, std::move(count));
        return said(a > b ? ComparisonText::more : ComparisonText::fewer, std::move(count));
    }
    case MeasureUnit::number:
        break;
    }
    return said(a > b ? ComparisonText::higher : ComparisonText::lower, {literal(fmt::format("{:.2f}", std::abs(a - b)))});
}

} // namespace

const char* measureTitle(Measure measure) { return kComparisonTexts[static_cast<std::size_t>(measure)]; }

const char* violationTitle(FindingKind kind) { return kComparisonTexts[kMeasures + static_cast<std::size_t>(kind)]; }

const char* noViolationTitle() { return kComparisonTexts[static_cast<std::size_t>(ComparisonText::allHold)]; }

std::string valueText(Measure measure, const std::optional<double>& value)
{
    if (!value)
        return "-";
    return measureUnit(measure) == MeasureUnit::count ? groupDigits(static_cast<std::uint64_t>(*value))
                                                      : text(shown(measure, *value));
}

Phrase describeRatio(const ComparisonRow& row, const WorkloadMatch& load)
{
    if (load.affects(row.measure))
        return said(ComparisonText::notCompared);
    if (!row.a || !row.b)
        return literal("-");
    if (row.displaysEqual())
        return said(row.measure == Measure::findings && *row.a > 0 ? ComparisonText::asManyViolated : ComparisonText::equal);
    if (!row.ratio)
        return difference(row);
    const bool above = *row.ratio >= 1;
    const std::string times = text(displayNumber(above ? *row.ratio : 1 / *row.ratio));
    const bool time = measureUnit(row.measure) == MeasureUnit::nanoseconds;
    if (times == text(displayNumber(1)))
        return time ? said(ComparisonText::equal) : difference(row);
    return time ? said(above ? ComparisonText::longer : ComparisonText::shorter, {literal(times)})
                : said(above ? ComparisonText::timesMore : ComparisonText::timesFewer, {literal(times)});
}

std::span<const char* const> comparisonPhrases() { return kComparisonTexts; }

} // namespace lockscope::replay
