#include "ui/texts/compare_words.h"

#include "core/replay/compare/comparison_text.h"
#include "ui/texts/core_messages.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockscope::ui::compare_words {

namespace {

struct ComparisonText // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

} // namespace

QString title(replay::Measure measure) { return translateMessage(replay::measureTitle(measure)); }

QString value(replay::Measure measure, const std::optional<double>& value)
{
    return QString::fromStdString(replay::valueText(measure, value));
}

QString value(const replay::Comparison& comparison, const replay::ComparisonRow& row, replay::Better side)
{
    const bool a = side == replay::Better::a;
    return row.measure == replay::Measure::findings
               ? findings(a ? comparison.violatedA : comparison.violatedB)
               : value(row.measure, a ? row.a : row.b);
}

QString ratio(const replay::ComparisonRow& row, const replay::WorkloadMatch& load)
{
    return translateMessage(replay::describeRatio(row, load));
}

QString finding(replay::FindingKind kind) { return translateMessage(trace::findingRule(kind).title); }

QString violation(replay::FindingKind kind) { return translateMessage(trace::findingRule(kind).violation); }

QString findings(const std::vector<replay::FindingKind>& violated)
{
    if (violated.empty()) {
        return translateMessage(replay::noViolationTitle());
    }
    QStringList names;
    for (const replay::FindingKind kind : violated) {
        names.append(violation(kind));
    }
    return QStringLiteral("✗ ") + names.join(ComparisonText::tr(", "));
}

} // namespace lockscope::ui::compare_words
