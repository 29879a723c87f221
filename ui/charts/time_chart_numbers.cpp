// The numbers of the charts over time: of one place, and of all as a table.
#include "ui/charts/time_chart.h"
#include "ui/charts/time_columns.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui::time_chart {

namespace {

using Bucket = replay::Series::Bucket;
using replay::Histogram;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

QString valueTip(ChartKind kind, const TimeColumns& columns, std::size_t column)
{
    if (kind == ChartKind::percentiles) {
        const Histogram all = columns.series.joinedHandoffs(columns.neighbours)[column];
        if (all.count() == 0)
            return Words::tr("no handoff");
        if (all.count() == 1)
            return Words::tr("one handoff, which took %1").arg(format::duration(all.max()));
        if (all.count() < kEnough)
            return Words::tr("%1 handoffs: p50 %2, slowest %3")
                .arg(format::count(all.count()), format::duration(all.percentile(50)),
                     format::duration(all.max()));
        return Words::tr("%1 handoffs: p50 %2, p95 %3, p99 %4")
            .arg(format::count(all.count()), format::duration(all.percentile(50)),
                 format::duration(all.percentile(95)), format::duration(all.percentile(99)));
    }
    const Bucket bucket = columns.series.joined(columns.neighbours)[column];
    if (kind == ChartKind::queueLength) {
        return Words::tr("%1 nodes on average, %2 at most")
            .arg(format::ratio(columns.meanQueue(bucket, column)), format::count(bucket.longestQueue));
    }
    if (kind == ChartKind::wakeUps)
        return Words::tr("%1 clients woken by %2 nodes that went")
            .arg(format::count(bucket.wakeUps), format::count(static_cast<quint64>(weightOf(kind, bucket))));
    return Words::tr("%1 requests for %2 acquisitions")
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

} // namespace

QString tip(ChartKind kind, const ChartSource& source, QSize room, double x)
{
    const TimeColumns columns(kind, source, room.width());
    const std::optional<std::size_t> column = columns.at(x);
    if (!column)
        return {};
    const TraceTime begin = columns.time(*column);
    return Words::tr("%1 to %2 s").arg(format::timestamp(begin), format::timestamp(begin + columns.width)) +
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
