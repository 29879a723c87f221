#include "ui/charts/time_chart.h"

#include "ui/charts/chart_text.h"
#include "ui/charts/plot_axis.h"
#include "ui/charts/time_columns.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"

#include <algorithm>
#include <functional>

namespace lockscope::ui::time_chart {

namespace {

using Bucket = replay::Series::Bucket;
using replay::Histogram;

constexpr int kBetweenTimes = 74; // pixels between two labels
constexpr double kShare = 0.95;   // of the items, whose ratios the axis must cover
constexpr double kAbove = 1.2;
constexpr int kOneScale = 12; // a linear axis is readable up to this ratio of highest to lowest

// One height for each column. At a column without one, an area falls to its base and a line continues.
template <class Heights>
QList<QPointF> steps(const TimeColumns& columns, std::size_t count, PlotLayer::Shape shape, Heights heightOf,
                     double base = 0)
{
    QList<QPointF> points;
    for (std::size_t i = 0; i < count; ++i) {
        const std::optional<double> height = heightOf(i);
        if (!height && shape == PlotLayer::Shape::line)
            continue;
        points.append({columns.begin(i), height.value_or(base)});
        points.append({columns.endOf(i), height.value_or(base)});
    }
    return points;
}

// The highest ratio except for a few outliers, which would flatten all other columns, such as the start, when
// all clients send requests and none holds yet.
double typicalRatio(ChartKind kind, const std::vector<Bucket>& buckets)
{
    std::vector<std::pair<double, double>> ratios;
    double all = 0;
    for (const Bucket& bucket : buckets) {
        ratios.emplace_back(ratioOf(kind, bucket), weightOf(kind, bucket));
        all += ratios.back().second;
    }
    std::sort(ratios.begin(), ratios.end());
    double seen = 0;
    for (const auto& [ratio, weight] : ratios)
        if (weight > 0 && (seen += weight) >= all * kShare)
            return ratio;
    return 0;
}

// A dashed line at a value of all data so far: from the first data to the cursor.
PlotRule soFarRule(ChartKind kind, const TimeColumns& columns, const ChartSource& source, double at,
                   const QString& key)
{
    const std::vector<Bucket>& buckets = columns.series.buckets();
    const auto first =
        std::ranges::find_if(buckets, [kind](const Bucket& bucket) { return weightOf(kind, bucket) > 0; });
    const double from =
        static_cast<double>(first - buckets.begin()) * inUnit(columns.unit, columns.series.width());
    PlotRule rule{at, key, from};
    if (!source.following)
        rule.to = inUnit(columns.unit, source.cursor);
    return rule;
}

// A dot for each handoff; of many, a sample with the same distribution, which contains the slowest.
void addDots(QList<QPointF>& dots, double x, const Histogram& handoffs, const PlotUnit& unit)
{
    const std::uint64_t count = std::min<std::uint64_t>(handoffs.count(), kEnough);
    for (std::uint64_t i = 0; i < count; ++i) {
        const double percent =
            i + 1 == count ? 100 : 100 * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        dots.append({x, inUnit(unit, handoffs.percentile(percent))});
    }
}

void addEachHandoff(Plot& plot, const TimeColumns& columns, const PlotUnit& unit)
{
    PlotLayer dots{PlotLayer::Shape::dots, PlotTone::low, 0, ChartText::tr("one handoff"), {}};
    const std::vector<Histogram> finest = columns.series.joinedHandoffs(1);
    for (std::size_t i = 0; i < finest.size(); ++i)
        addDots(dots.points, columns.middleOf(i), finest[i], unit);
    plot.layers.push_back(dots);
}

// The slowest and the median of each slice; p95 and p99 where they are not simply the slowest.
void addSlices(Plot& plot, const TimeColumns& columns, const std::vector<Histogram>& handoffs,
               const PlotUnit& unit)
{
    //: name of a curve: the largest value
    PlotLayer slowest{PlotLayer::Shape::dots, PlotTone::most, 0, ChartText::tr("max"), {}};
    for (std::size_t i = 0; i < handoffs.size(); ++i)
        if (handoffs[i].count() > 0)
            slowest.points.append(
                {(columns.begin(i) + columns.endOf(i)) / 2, inUnit(unit, handoffs[i].max())});
    plot.layers.push_back(slowest);
    const auto add = [&](double percent, std::uint64_t least, PlotTone tone) {
        plot.layers.push_back({PlotLayer::Shape::line, tone, 0, QStringLiteral("p%1").arg(percent),
                               steps(columns, handoffs.size(), PlotLayer::Shape::line,
                                     [&](std::size_t i) -> std::optional<double> {
                                         if (handoffs[i].count() < least)
                                             return std::nullopt;
                                         return std::max(plot.y.from,
                                                         inUnit(unit, handoffs[i].percentile(percent)));
                                     })});
    };
    add(99, kEnough, PlotTone::high);
    add(95, kEnough, PlotTone::middle);
    add(50, 1, PlotTone::low);
    plot.hint =
        ChartText::tr("p95 and p99 are not meaningful for a slice of time with fewer than %1 handoffs: only "
                      "its p50 and its slowest handoff are drawn.")
            .arg(format::count(kEnough));
}

// Draws slices or, if there are too few handoffs for them, a dot for each handoff.
void addPercentiles(Plot& plot, const TimeColumns& columns, const ChartSource& source, int maxSteps)
{
    const std::vector<Histogram> handoffs = columns.series.joinedHandoffs(columns.neighbours);
    Duration least = kForever;
    Duration highest{};
    for (const Histogram& each : handoffs) {
        if (each.count() == 0)
            continue;
        least = std::min(least, each.percentile(0));
        highest = std::max(highest, each.max());
    }
    const PlotUnit unit = plotUnit(highest);
    plot.y = highest / kOneScale > least
                 ? logarithmicAxis(inUnit(unit, std::max<Duration>(least, std::chrono::microseconds(1))),
                                   inUnit(unit, highest))
                 : axisAbove(inUnit(unit, highest), maxSteps, false);
    plot.measure = unit.name; // the title names the quantity
    if (columns.slices) {
        addSlices(plot, columns, handoffs, unit);
        return;
    }
    addEachHandoff(plot, columns, unit);
    if (const Histogram& soFar = source.state.statistics.handoff; soFar.count() > 0)
        plot.rules.push_back(soFarRule(ChartKind::percentiles, columns, source,
                                       inUnit(unit, soFar.percentile(50)),
                                       ChartText::tr("p50 of all so far")));
    plot.hint =
        ChartText::tr("p95 and p99 are not meaningful with fewer than %1 handoffs in a slice of time: each "
                      "handoff is drawn as a dot.")
            .arg(format::count(kEnough));
}

void addQueue(Plot& plot, const TimeColumns& columns, int maxSteps)
{
    const std::vector<Bucket> buckets = columns.series.joined(columns.neighbours);
    std::uint32_t longest = 0;
    for (const Bucket& bucket : buckets)
        longest = std::max(longest, bucket.longestQueue);
    plot.y = axisAbove(longest, maxSteps, true);
    plot.measure = ChartText::tr("nodes in the queue");
    const auto add = [&](PlotLayer::Shape shape, PlotTone tone, const QString& key, auto heightOf) {
        plot.layers.push_back({shape, tone, 0, key, steps(columns, buckets.size(), shape, heightOf)});
    };
    //: name of a curve: the mean length of the queue
    add(PlotLayer::Shape::area, PlotTone::soft, ChartText::tr("average"),
        [&](std::size_t i) -> std::optional<double> { return columns.meanQueue(buckets[i], i); });
    //: name of a curve: the greatest length of the queue
    add(PlotLayer::Shape::line, PlotTone::most, ChartText::tr("longest"),
        [&](std::size_t i) -> std::optional<double> { return buckets[i].longestQueue; });
}

void addOverflow(Plot& plot, ChartKind kind, const TimeColumns& columns, const std::vector<Bucket>& buckets)
{
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const double value = weightOf(kind, buckets[i]) > 0 ? ratioOf(kind, buckets[i]) : 0;
        if (value > plot.y.to)
            plot.overflow.push_back({(columns.begin(i) + columns.endOf(i)) / 2, value, format::ratio(value)});
    }
    std::ranges::stable_sort(plot.overflow, std::greater(), &PlotOverflow::value);
}

// The mean of each column; nothing for a column without data.
void addRatio(Plot& plot, ChartKind kind, const TimeColumns& columns, const ChartSource& source, int maxSteps)
{
    const replay::Statistics& soFar = source.state.statistics;
    const std::vector<Bucket> buckets = columns.series.joined(columns.neighbours);
    double highest = 0;
    for (const Bucket& bucket : buckets)
        highest = std::max(highest, weightOf(kind, bucket) > 0 ? ratioOf(kind, bucket) : 0.0);
    const bool wakeUps = kind == ChartKind::wakeUps;
    const double shown = std::min(highest, typicalRatio(kind, buckets) * kAbove);
    plot.y = wakeUps ? axisUpTo(std::max(2.0, shown), maxSteps, true)
                     : axisAbove(std::max(1.0, shown), maxSteps, false);
    if (highest > plot.y.to)
        plot.hint =
            ChartText::tr("The highest column is %1 and goes beyond the axis.").arg(format::ratio(highest));
    addOverflow(plot, kind, columns, buckets);
    const auto add = [&](PlotTone tone, const QString& key, double base, double limit) {
        plot.layers.push_back({PlotLayer::Shape::area, tone, 0, key,
                               steps(
                                   columns, buckets.size(), PlotLayer::Shape::area,
                                   [&](std::size_t i) -> std::optional<double> {
                                       if (weightOf(kind, buckets[i]) <= 0)
                                           return std::nullopt;
                                       return std::clamp(ratioOf(kind, buckets[i]), base, limit);
                                   },
                                   base),
                               base});
    };
    if (!wakeUps) {
        //: what the height of a curve means: requests for one acquisition
        plot.measure = ChartText::tr("requests");
        plot.hint =
            (ChartText::tr(
                 "Counts all requests of a successful acquisition, from the acquire call to the end of the "
                 "release, including retries.") +
             u'\n' + plot.hint)
                .trimmed();
        add(PlotTone::plain, {}, 0, plot.y.to);
        if (soFar.acquired > 0)
            plot.rules.push_back(
                soFarRule(kind, columns, source, soFar.requestsPerAcquisition(),
                          ChartText::tr("mean %1").arg(format::ratio(soFar.requestsPerAcquisition()))));
        return;
    }
    plot.measure = ChartText::tr("clients woken");
    if (highest > 1)
        add(PlotTone::overflow, ChartText::tr("beyond one"), 1, plot.y.to);
    add(PlotTone::wake, ChartText::tr("first woken"), 0, 1);
    plot.rules.push_back({1, ChartText::tr("one per release")});
}

// Names the time axis: the length of a slice, and the number of handoffs that percentiles need.
QString timeName(ChartKind kind, const TimeColumns& columns)
{
    const QString width = format::duration(columns.width), enough = format::count(kEnough);
    if (kind != ChartKind::percentiles)
        return ChartText::tr("time, in slices of %1").arg(width) + kVariantSeparator +
               ChartText::tr("slices of %1").arg(width);
    if (!columns.slices)
        return ChartText::tr("time, a dot for each handoff") + kVariantSeparator +
               ChartText::tr("a dot for each handoff");
    return ChartText::tr("time, in slices of %1 · p95 and p99 only from %2 handoffs in a slice")
               .arg(width, enough) +
           kVariantSeparator + ChartText::tr("slices of %1 · p95, p99 from %2 handoffs").arg(width, enough) +
           kVariantSeparator + ChartText::tr("slices of %1").arg(width);
}

QString valueTip(ChartKind kind, const TimeColumns& columns, std::size_t column)
{
    if (kind == ChartKind::percentiles) {
        const Histogram all = columns.series.joinedHandoffs(columns.neighbours)[column];
        if (all.count() == 0)
            return ChartText::tr("no handoff");
        if (all.count() == 1)
            return ChartText::tr("one handoff, which took %1").arg(format::duration(all.max()));
        if (all.count() < kEnough)
            return ChartText::tr("%1 handoffs: p50 %2, slowest %3")
                .arg(format::count(all.count()), format::duration(all.percentile(50)),
                     format::duration(all.max()));
        return ChartText::tr("%1 handoffs: p50 %2, p95 %3, p99 %4")
            .arg(format::count(all.count()), format::duration(all.percentile(50)),
                 format::duration(all.percentile(95)), format::duration(all.percentile(99)));
    }
    const Bucket bucket = columns.series.joined(columns.neighbours)[column];
    if (kind == ChartKind::queueLength) {
        return ChartText::tr("%1 nodes on average, %2 at most")
            .arg(format::ratio(columns.meanQueue(bucket, column)), format::count(bucket.longestQueue));
    }
    if (kind == ChartKind::wakeUps)
        //: "3 clients woken" by "2 deleted nodes"
        return ChartText::tr("%1 by %2")
            .arg(ChartText::tr("%Ln clients woken", nullptr, static_cast<int>(bucket.wakeUps)),
                 ChartText::tr("%Ln deleted nodes", nullptr, static_cast<int>(weightOf(kind, bucket))));
    //: "12 requests" for "3 acquisitions"
    return ChartText::tr("%1 for %2")
        .arg(ChartText::tr("%Ln requests", nullptr, static_cast<int>(bucket.requests)),
             ChartText::tr("%Ln acquisitions", nullptr, static_cast<int>(bucket.acquired)));
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

// Keeps the unit only after the last time if all have the same one: headers are narrow.
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

bool empty(ChartKind kind, const ChartSource& source)
{
    const auto& buckets = source.series.buckets();
    return std::none_of(buckets.begin(), buckets.end(), [kind](const Bucket& bucket) {
        return kind == ChartKind::queueLength ? bucket.longestQueue > 0
               : kind == ChartKind::requests  ? bucket.requests > 0 // unknown for clients of other programs
                                              : weightOf(kind, bucket) > 0;
    });
}

Plot plot(ChartKind kind, const ChartSource& source, QSize room)
{
    Plot plot;
    const TimeColumns columns(kind, source, room.width());
    const int maxSteps = stepsWithin(room.height());
    plot.x = timeAxis(columns.end, columns.unit, room.width() / kBetweenTimes);
    if (!source.following)
        plot.cursor = inUnit(columns.unit, source.cursor);
    switch (kind) {
    case ChartKind::percentiles:
        addPercentiles(plot, columns, source, maxSteps);
        break;
    case ChartKind::queueLength:
        addQueue(plot, columns, maxSteps);
        break;
    default:
        addRatio(plot, kind, columns, source, maxSteps);
    }
    plot.x.name = timeName(kind, columns);
    if (plot.y.logarithmic)
        plot.measure = ChartText::tr("%1 (log)").arg(plot.measure);
    return plot;
}

QString percentilesCaption(const replay::Histogram& handoff)
{
    if (handoff.count() == 0)
        return {};
    const QString p50 = format::duration(handoff.percentile(50));
    const QString p99 = format::duration(handoff.percentile(99));
    const QString most = format::duration(handoff.max());
    const QStringList two = sameUnitOnce({p50, most});
    const QString shortest = ChartText::tr("p50 %1").arg(p50);
    if (handoff.count() < kEnough) // p99 would be the slowest one
        return ChartText::tr("p50 %1 · max %2").arg(two[0], two[1]) + kVariantSeparator + shortest;
    const QStringList all = sameUnitOnce({p50, p99, most}), usual = sameUnitOnce({p50, p99});
    return ChartText::tr("p50 %1 · p99 %2 · max %3").arg(all[0], all[1], all[2]) + kVariantSeparator +
           ChartText::tr("p50 %1 · p99 %2").arg(usual[0], usual[1]) + kVariantSeparator + shortest;
}

QString caption(ChartKind kind, const ChartSource& source)
{
    const replay::Statistics& statistics = source.state.statistics;
    switch (kind) {
    case ChartKind::percentiles:
        return percentilesCaption(statistics.handoff);
    case ChartKind::queueLength:
        return ChartText::tr("%Ln nodes now, %1 at most", nullptr, static_cast<int>(statistics.queued))
                   .arg(format::count(statistics.longestQueue)) +
               kVariantSeparator +
               ChartText::tr("%Ln nodes now", nullptr, static_cast<int>(statistics.queued));
    case ChartKind::wakeUps:
        return statistics.watchedGone == 0
                   ? QString()
                   : variants({ChartText::tr("%1 woken per release"), QStringLiteral("%1")},
                              format::ratio(statistics.wakeUpsPerRelease()));
    default:
        if (statistics.requestsPerAcquisition() == 0)
            return {};
        return variants(
            {source.following ? ChartText::tr("%1 on average") : ChartText::tr("%1 on average so far"),
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
    return ChartText::tr("%1 to %2 s")
               .arg(format::timestamp(begin), format::timestamp(begin + columns.width)) +
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
