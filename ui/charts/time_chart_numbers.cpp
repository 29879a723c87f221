// The numbers of the charts over time: of the whole in a line, of one place, and of all as a table.
#include "ui/charts/time_chart.h"
#include "ui/charts/time_columns.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui::time_chart {

namespace {

using Bucket = replay::Series::Bucket;
using replay::Histogram;

struct TimeChartNumbersWords // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

QString valueTip(ChartKind kind, const TimeColumns& columns, std::size_t column)
{
    if (kind == ChartKind::percentiles) {
        const Histogram all = columns.series.joinedHandoffs(columns.neighbours)[column];
        if (all.count() == 0)
            return TimeChartNumbersWords::tr("no handoff");
        if (all.count() == 1)
            return TimeChartNumbersWords::tr("one handoff, which took %1").arg(format::duration(all.max()));
        if (all.count() < kEnough)
            return TimeChartNumbersWords::tr("%1 handoffs: p50 %2, slowest %3")
                .arg(format::count(all.count()), format::duration(all.percentile(50)),
                     format::duration(all.max()));
        return TimeChartNumbersWords::tr("%1 handoffs: p50 %2, p95 %3, p99 %4")
            .arg(format::count(all.count()), format::duration(all.percentile(50)),
                 format::duration(all.percentile(95)), format::duration(all.percentile(99)));
    }
    const Bucket bucket = columns.series.joined(columns.neighbours)[column];
    if (kind == ChartKind::queueLength) {
        return TimeChartNumbersWords::tr("%1 nodes on average, %2 at most")
            .arg(format::ratio(columns.meanQueue(bucket, column)), format::count(bucket.longestQueue));
    }
    if (kind == ChartKind::wakeUps)
        return TimeChartNumbersWords::tr("%1 clients woken by %2 deleted nodes")
            .arg(format::count(bucket.wakeUps), format::count(static_cast<quint64>(weightOf(kind, bucket))));
    return TimeChartNumbersWords::tr("%1 requests for %2 acquisitions")
        .arg(format::count(bucket.requests), format::count(bucket.acquired));
}

QString microseconds(Duration value)
{
    return QString::number(static_cast<double>(value.count()) / 1000, 'f', 3);
}

QStringList titlesOf(ChartKind kind)
{
    switch (kind) {
    case ChartKind::percentiles:
        return {"from_us", "to_us", "handoffs", "p50_us", "p95_us", "p99_us", "max_us"};
    case ChartKind::queueLength:
        return {"from_us", "to_us", "nodes_mean", "nodes_most"};
    case ChartKind::wakeUps:
        return {"from_us", "to_us", "watched_nodes_gone", "woken", "woken_per_release"};
    default:
        return {"from_us", "to_us", "requests", "acquired", "requests_per_acquisition"};
    }
}

QString variants(const QStringList& texts, const QString& number)
{
    return texts.join(kVariantSeparator).replace(QStringLiteral("%1"), number);
}

// Behind the last one, when all have the same: headers are narrow.
QStringList sameUnitOnce(QStringList times)
{
    const QString unit = times.back().mid(std::max<qsizetype>(0, times.back().lastIndexOf(u' ')));
    const bool same =
        std::all_of(times.begin(), times.end(), [&](const QString& time) { return time.endsWith(unit); });
    for (qsizetype i = 0; same && i + 1 < times.size(); ++i)
        times[i].chop(unit.size());
    return times;
}

} // namespace

QString percentilesCaption(const replay::Histogram& handoff)
{
    if (handoff.count() == 0)
        return {};
    const QString p50 = format::duration(handoff.percentile(50));
    const QString p99 = format::duration(handoff.percentile(99));
    const QString most = format::duration(handoff.max());
    const QStringList two = sameUnitOnce({p50, most});
    const QString shortest = TimeChartNumbersWords::tr("p50 %1").arg(p50);
    if (handoff.count() < kEnough) // p99 is the slowest
        return TimeChartNumbersWords::tr("p50 %1 · max %2").arg(two[0], two[1]) + kVariantSeparator + shortest;
    const QStringList all = sameUnitOnce({p50, p99, most}), usual = sameUnitOnce({p50, p99});
    return TimeChartNumbersWords::tr("p50 %1 · p99 %2 · max %3").arg(all[0], all[1], all[2]) + kVariantSeparator +
           TimeChartNumbersWords::tr("p50 %1 · p99 %2").arg(usual[0], usual[1]) + kVariantSeparator + shortest;
}

QString caption(ChartKind kind, const ChartSource& source)
{
    const replay::Statistics& statistics = source.state.statistics;
    switch (kind) {
    case ChartKind::percentiles:
        return percentilesCaption(statistics.handoff);
    case ChartKind::queueLength:
        return (statistics.queued == 1 ? TimeChartNumbersWords::tr("%1 node now, %2 at most")
                                       : TimeChartNumbersWords::tr("%1 nodes now, %2 at most"))
                   .arg(format::count(statistics.queued), format::count(statistics.longestQueue)) +
               kVariantSeparator +
               (statistics.queued == 1 ? TimeChartNumbersWords::tr("%1 node now") : TimeChartNumbersWords::tr("%1 nodes now"))
                   .arg(format::count(statistics.queued));
    case ChartKind::wakeUps:
        return statistics.watchedGone == 0
                   ? QString()
                   : variants({TimeChartNumbersWords::tr("%1 woken per release"), QStringLiteral("%1")},
                              format::ratio(statistics.wakeUpsPerRelease()));
    default:
        if (statistics.acquired == 0)
            return {};
        return variants({source.following ? TimeChartNumbersWords::tr("%1 on average") : TimeChartNumbersWords::tr("%1 on average so far"),
                         QStringLiteral("%1")},
                        format::ratio(statistics.requestsPerAcquisition()));
    }
}

QString tip(ChartKind kind, const ChartSource& source, QSize room, double x)
{
    const TimeColumns columns(kind, source, room.width());
    const std::optional<std::size_t> column = columns.at(x);
    if (!column)
        return {};
    const TraceTime begin = columns.time(*column);
    return TimeChartNumbersWords::tr("%1 to %2 s").arg(format::timestamp(begin), format::timestamp(begin + columns.width)) +
           u'\n' + valueTip(kind, columns, *column);
}

std::optional<TraceTime> timeAt(const ChartSource& source, double x)
{
    const TraceTime end = std::max(source.series.end(), source.cursor);
    const PlotUnit unit = plotUnit(end);
    if (x < 0 || x > inUnit(unit, end))
        return std::nullopt;
    return TraceTime(static_cast<Duration::rep>(x * static_cast<double>(unit.length.count())));
}

Duration step(ChartKind kind, const ChartSource& source, QSize room)
{
    return TimeColumns(kind, source, room.width()).width;
}

ChartTable table(ChartKind kind, const ChartSource& source)
{
    ChartTable table{titlesOf(kind), {}};
    const replay::Series& series = source.series;
    const auto& buckets = series.buckets();
    const std::vector<Histogram> handoffs =
        kind == ChartKind::percentiles ? series.joinedHandoffs(1) : std::vector<Histogram>();
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const TraceTime begin = series.width() * static_cast<Duration::rep>(i);
        if (begin > source.cursor)
            break;
        QStringList row{microseconds(begin), microseconds(begin + series.width())};
        const Bucket& bucket = buckets[i];
        if (kind == ChartKind::percentiles) {
            row << QString::number(handoffs[i].count());
            for (const double percent : {50.0, 95.0, 99.0, 100.0})
                row << microseconds(handoffs[i].percentile(percent));
        } else if (kind == ChartKind::queueLength) {
            row << QString::number(series.meanQueue(bucket, begin, series.width()), 'f', 3)
                << QString::number(bucket.longestQueue);
        } else if (kind == ChartKind::wakeUps) {
            row << QString::number(bucket.watchedGone) << QString::number(bucket.wakeUps)
                << QString::number(bucket.wakeUpsPerRelease(), 'f', 3);
        } else {
            row << QString::number(bucket.requests) << QString::number(bucket.acquired)
                << QString::number(bucket.requestsPerAcquisition(), 'f', 3);
        }
        table.rows.push_back(row);
    }
    return table;
}

} // namespace lockscope::ui::time_chart
