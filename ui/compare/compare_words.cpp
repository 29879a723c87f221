#include "ui/compare/compare_words.h"

#include "ui/models/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace lockscope::ui::compare_words {

namespace {

using replay::Measure;
using replay::MeasureUnit;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

QString words(const replay::ShownValue& shown)
{
    const QString number = QString::number(shown.value, 'f', shown.decimals);
    return shown.unit.empty()
               ? number
               : number + u' ' +
                     QString::fromLatin1(shown.unit.data(), static_cast<qsizetype>(shown.unit.size()));
}

// By how much, where times as much would say nothing.
QString difference(const replay::ComparisonRow& row)
{
    const double a = replay::shown(row.measure, *row.a).value, b = replay::shown(row.measure, *row.b).value;
    switch (replay::measureUnit(row.measure)) {
    case MeasureUnit::nanoseconds:
        return QStringLiteral("-");
    case MeasureUnit::count: {
        const QString count = format::count(static_cast<quint64>(std::abs(a - b)));
        if (row.measure == Measure::findings)
            return (a > b ? Words::tr("%1 more violated") : Words::tr("%1 fewer violated")).arg(count);
        return (a > b ? Words::tr("%1 more") : Words::tr("%1 fewer")).arg(count);
    }
    case MeasureUnit::number:
        break;
    }
    const QString number = QString::number(std::abs(a - b), 'f', 2);
    return (a > b ? Words::tr("%1 higher") : Words::tr("%1 lower")).arg(number);
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
        return Words::tr("overtakings of one wait, at most");
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
        return format::count(static_cast<quint64>(*value));
    default:
        return words(replay::shown(measure, *value));
    }
}

QString ratio(const replay::ComparisonRow& row)
{
    if (!row.a || !row.b) {
        return QStringLiteral("-");
    }
    if (row.readsEqual()) {
        return row.measure == Measure::findings && *row.a > 0 ? Words::tr("as many violated")
                                                              : Words::tr("equal");
    }
    if (!row.ratio) {
        return difference(row);
    }
    const bool above = *row.ratio >= 1;
    const QString times = words(replay::shownNumber(above ? *row.ratio : 1 / *row.ratio));
    const bool time = replay::measureUnit(row.measure) == MeasureUnit::nanoseconds;
    if (times == words(replay::shownNumber(1))) {
        return time ? Words::tr("equal") : difference(row);
    }
    if (time) {
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

QString broken(replay::FindingKind kind)
{
    switch (kind) {
    case replay::FindingKind::oneHolder:
        return Words::tr("too many holders at once");
    case replay::FindingKind::orderKept:
        return Words::tr("order not kept");
    case replay::FindingKind::noHerd:
        return Words::tr("a herd");
    case replay::FindingKind::noOrphanNode:
        return Words::tr("an orphan node");
    case replay::FindingKind::noLostWakeup:
        return Words::tr("a lost wake-up");
    case replay::FindingKind::tokensIncrease:
        return Words::tr("tokens that do not increase");
    case replay::FindingKind::beliefMatchesServer:
        return Words::tr("belief against the server");
    case replay::FindingKind::noDeadlock:
        return Words::tr("a deadlock");
    case replay::FindingKind::noStrayWatch:
        return Words::tr("a stray watch");
    }
    return {};
}

QString findings(const std::vector<replay::FindingKind>& violated)
{
    if (violated.empty()) {
        return Words::tr("all hold");
    }
    QStringList names;
    for (const replay::FindingKind kind : violated) {
        names.append(broken(kind));
    }
    return QStringLiteral("✗ ") + names.join(Words::tr(", "));
}

} // namespace lockscope::ui::compare_words
