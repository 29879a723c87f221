#include "ui/compare/compare_words.h"

#include "ui/models/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockscope::ui::compare_words {

namespace {

using replay::Measure;
using replay::MeasureUnit;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

QString threeDigits(double value)
{
    return QString::number(value, 'f', value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

} // namespace

QString title(Measure measure)
{
    switch (measure) {
    case Measure::wakeUpsPerRelease:
        return Words::tr("clients woken per release, mean of the run");
    case Measure::requestsPerAcquisition:
        return Words::tr("requests per acquisition");
    case Measure::handoffP50:
        return Words::tr("handoff p50");
    case Measure::handoffP99:
        return Words::tr("handoff p99");
    case Measure::waitP50:
        return Words::tr("wait p50");
    case Measure::waitP99:
        return Words::tr("wait p99");
    case Measure::acquisitions:
        return Words::tr("acquisitions");
    case Measure::duration:
        return Words::tr("duration");
    case Measure::fairness:
        return Words::tr("fairness (Jain)");
    case Measure::longestOvertaking:
        return Words::tr("one wait was overtaken at most");
    case Measure::timedOut:
        return Words::tr("waits that timed out");
    case Measure::findings:
        return Words::tr("findings");
    }
    return {};
}

QString value(Measure measure, const std::optional<double>& value)
{
    if (!value) {
        return QStringLiteral("-");
    }
    switch (replay::measureUnit(measure)) {
    case MeasureUnit::count:
        if (measure == Measure::longestOvertaking) {
            return *value == 1 ? Words::tr("once")
                               : Words::tr("%1 times").arg(format::count(static_cast<quint64>(*value)));
        }
        return format::count(static_cast<quint64>(*value));
    case MeasureUnit::nanoseconds:
        return format::duration(Duration(static_cast<std::int64_t>(*value)));
    case MeasureUnit::number:
        break;
    }
    return threeDigits(*value);
}

QString ratio(const replay::ComparisonRow& row)
{
    if (!row.ratio) {
        return {};
    }
    const bool above = *row.ratio >= 1;
    const QString times = threeDigits(above ? *row.ratio : 1 / *row.ratio);
    if (times == threeDigits(1)) {
        return Words::tr("equal");
    }
    if (replay::measureUnit(row.measure) == MeasureUnit::nanoseconds) {
        return (above ? Words::tr("%1 × longer") : Words::tr("%1 × shorter")).arg(times);
    }
    return (above ? Words::tr("%1 × more") : Words::tr("%1 × fewer")).arg(times);
}

QString finding(replay::FindingKind kind)
{
    const std::string_view title = replay::findingTitle(kind);
    return QCoreApplication::translate("Findings",
                                       QByteArray(title.data(), static_cast<qsizetype>(title.size())));
}

QString findings(const std::vector<replay::FindingKind>& violated)
{
    if (violated.empty()) {
        return Words::tr("all hold");
    }
    QStringList names;
    for (const replay::FindingKind kind : violated) {
        names.append(QStringLiteral("✗ ") + finding(kind));
    }
    return names.join(QStringLiteral("  "));
}

} // namespace lockscope::ui::compare_words
