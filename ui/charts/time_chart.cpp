// The charts whose lower axis is the time of the run.
#include "ui/charts/chart_parts.h"
#include "ui/charts/plot_axis.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

using Bucket = replay::Series::Bucket;
using replay::Histogram;
using Shape = PlotLayer::Shape;

constexpr int kBetweenTimes = 74;     // pixels between two labels
constexpr int kColumn = 4;            // pixels
constexpr int kSlice = 14;            // pixels of a column of percentiles
constexpr std::size_t kMinSlices = 8; // the fewest that still show a change over time
constexpr std::size_t kMinColumns = 20;
constexpr std::uint64_t kInColumn = 3; // items on average, for a ratio
constexpr double kShare = 0.95;        // of the items, whose ratios the axis must cover
constexpr double kAbove = 1.2;
constexpr int kOneScale = 12; // a linear axis is readable up to this ratio of highest to lowest

// For ChartKind::wakeUps and ChartKind::requests.
double ratioOf(ChartKind kind, const Bucket& bucket)
{
    return kind == ChartKind::wakeUps ? bucket.wakeUpsPerRelease() : bucket.requestsPerAcquisition();
}

// The number of items of a column, for instance handoffs; 0: nothing is drawn for it.
double weightOf(ChartKind kind, const Bucket& bucket)
{
    if (kind == ChartKind::percentiles)
        return static_cast<double>(bucket.handoffs);
    return kind == ChartKind::wakeUps ? static_cast<double>(std::max<std::int64_t>(0, bucket.watchedGone))
                                      : static_cast<double>(bucket.acquired);
}

// Joins as many buckets of the series as are needed to distinguish the columns in `room` pixels, and to have
// data in most of them.
struct TimeColumns
{
    TimeColumns(ChartKind kind, const ChartSource& source, int room)
        : series(source.series)
        , neighbours(series.neighboursFor(static_cast<std::size_t>(
              std::max(1, room / (kind == ChartKind::percentiles ? kSlice : kColumn)))))
        , end(std::max(series.end(), source.cursor))
        , unit(plotUnit(end))
    {
        if (kind != ChartKind::queueLength)
            joinUntilFilled(kind);
        width = series.width() * static_cast<Duration::rep>(neighbours);
    }
    double begin(std::size_t column) const { return inUnit(unit, time(column)); } // in units of the axis
    double endOf(std::size_t column) const // the last one ends with the run
    {
        return std::min(begin(column + 1), inUnit(unit, series.end()));
    }
    double middle(std::size_t column) const { return (begin(column) + endOf(column)) / 2; }
    TraceTime time(std::size_t column) const { return width * static_cast<Duration::rep>(column); }
    double meanQueue(const Bucket& bucket, std::size_t column) const
    {
        return series.meanQueue(bucket, time(column), width);
    }

    const replay::Series& series;
    std::size_t neighbours;
    bool slices = true; // most columns have enough data; false: handoffs are shown individually
    Duration width{};
    TraceTime end;
    PlotUnit unit;

private:
    void joinUntilFilled(ChartKind kind)
    {
        const bool percentiles = kind == ChartKind::percentiles;
        const std::uint64_t wanted = percentiles ? kEnoughHandoffs : kInColumn;
        double all = 0;
        for (const Bucket& bucket : series.buckets())
            all += weightOf(kind, bucket);
        const std::size_t least = neighbours, count = series.buckets().size();
        const auto filled = [&] { return static_cast<std::uint64_t>(all) * neighbours >= wanted * count; };
        while (!filled() && count / neighbours / 2 >= (percentiles ? kMinSlices : kMinColumns))
            neighbours *= 2;
        slices = filled();
        if (percentiles && !slices)
            neighbours = least;
    }
};

// One height for each column. At a column without one, an area falls to its base and a line continues.
template <class Heights>
QList<QPointF> steps(const TimeColumns& columns, std::size_t count, Shape shape, Heights heightOf,
                     double base = 0)
{
    QList<QPointF> points;
    for (std::size_t i = 0; i < count; ++i) {
        const std::optional<double> height = heightOf(i);
        if (height || shape == Shape::area)
            points << QPointF(columns.begin(i), height.value_or(base))
                   << QPointF(columns.endOf(i), height.value_or(base));
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
    std::ranges::sort(ratios);
    double seen = 0;
    for (const auto& [ratio, weight] : ratios)
        if (weight > 0 && (seen += weight) >= all * kShare)
            return ratio;
    return 0;
}

// A dashed line at a value of all data so far: from the first data to the cursor.
void addRuleSoFar(Plot& plot, ChartKind kind, const TimeColumns& columns, double at, const QString& key)
{
    const std::vector<Bucket>& buckets = columns.series.buckets();
    const auto first =
        std::ranges::find_if(buckets, [kind](const Bucket& bucket) { return weightOf(kind, bucket) > 0; });
    const double from =
        static_cast<double>(first - buckets.begin()) * inUnit(columns.unit, columns.series.width());
    plot.layers.push_back({Shape::line,
                           PlotTone::rule,
                           0,
                           key,
                           {{from, at}, {plot.cursor.value_or(inUnit(columns.unit, columns.end)), at}}});
}

// A dot for each handoff; of many, a sample with the same distribution, which contains the slowest.
void addEachHandoff(Plot& plot, const TimeColumns& columns, const PlotUnit& unit)
{
    PlotLayer dots{Shape::dots, PlotTone::low, 0, ChartText::tr("one handoff"), {}};
    const std::vector<Histogram> finest = columns.series.joinedHandoffs(1);
    const double width = inUnit(columns.unit, columns.series.width());
    for (std::size_t i = 0; i < finest.size(); ++i) {
        const double x =
            std::min((static_cast<double>(i) + 0.5) * width, inUnit(columns.unit, columns.series.end()));
        const std::uint64_t count = std::min<std::uint64_t>(finest[i].count(), kEnoughHandoffs);
        for (std::uint64_t each = 0; each < count; ++each) {
            const double percent = each + 1 == count
                                       ? 100
                                       : 100 * (static_cast<double>(each) + 0.5) / static_cast<double>(count);
            dots.points << QPointF(x, inUnit(unit, finest[i].percentile(percent)));
        }
    }
    plot.layers.push_back(dots);
    plot.hint =
        ChartText::tr("p95 and p99 are not meaningful with fewer than %1 handoffs in a slice of time: each "
                      "handoff is drawn as a dot.")
            .arg(format::count(kEnoughHandoffs));
}

// The slowest and the median of each slice; p95 and p99 where they are not simply the slowest.
void addSlices(Plot& plot, const TimeColumns& columns, const std::vector<Histogram>& handoffs,
               const PlotUnit& unit)
{
    //: name of a curve: the largest value
    PlotLayer slowest{Shape::dots, PlotTone::most, 0, ChartText::tr("max"), {}};
    for (std::size_t i = 0; i < handoffs.size(); ++i)
        if (handoffs[i].count() > 0)
            slowest.points << QPointF(columns.middle(i), inUnit(unit, handoffs[i].max()));
    plot.layers.push_back(slowest);
    const auto add = [&](double percent, std::uint64_t least, PlotTone tone) {
        const auto height = [&](std::size_t i) {
            return handoffs[i].count() < least
                       ? std::nullopt
                       : std::optional(std::max(plot.y.from, inUnit(unit, handoffs[i].percentile(percent))));
        };
        plot.layers.push_back({Shape::line, tone, 0, QStringLiteral("p%1").arg(percent),
                               steps(columns, handoffs.size(), Shape::line, height)});
    };
    add(99, kEnoughHandoffs, PlotTone::high);
    add(95, kEnoughHandoffs, PlotTone::middle);
    add(50, 1, PlotTone::low);
    plot.hint =
        ChartText::tr("p95 and p99 are not meaningful for a slice of time with fewer than %1 handoffs: only "
                      "its p50 and its slowest handoff are drawn.")
            .arg(format::count(kEnoughHandoffs));
}

// Draws slices or, if there are too few handoffs for them, a dot for each handoff.
void addPercentiles(Plot& plot, const TimeColumns& columns, const ChartSource& source, int maxSteps)
{
    const std::vector<Histogram> handoffs = columns.series.joinedHandoffs(columns.neighbours);
    Duration least = kForever, highest{};
    for (const Histogram& each : handoffs)
        if (each.count() > 0) {
            least = std::min(least, each.percentile(0));
            highest = std::max(highest, each.max());
        }
    const PlotUnit unit = plotUnit(highest);
    const bool farApart = highest / kOneScale > least;
    plot.y = farApart ? logarithmicAxis(inUnit(unit, std::max<Duration>(least, std::chrono::microseconds(1))),
                                        inUnit(unit, highest))
                      : axisAbove(inUnit(unit, highest), maxSteps, false);
    plot.y.title =
        farApart ? ChartText::tr("%1 (log)").arg(unit.name) : unit.name; // the heading names the quantity
    if (columns.slices)
        return addSlices(plot, columns, handoffs, unit);
    addEachHandoff(plot, columns, unit);
    if (const Histogram& soFar = source.state.statistics.handoff; soFar.count() > 0)
        addRuleSoFar(plot, ChartKind::percentiles, columns, inUnit(unit, soFar.percentile(50)),
                     ChartText::tr("p50 of all so far"));
}

void addQueue(Plot& plot, const TimeColumns& columns, int maxSteps)
{
    const std::vector<Bucket> buckets = columns.series.joined(columns.neighbours);
    std::uint32_t longest = 0;
    for (const Bucket& bucket : buckets)
        longest = std::max(longest, bucket.longestQueue);
    plot.y = axisAbove(longest, maxSteps, true);
    plot.y.title = ChartText::tr("nodes in the queue");
    const auto mean = [&](std::size_t i) { return std::optional(columns.meanQueue(buckets[i], i)); };
    const auto most = [&](std::size_t i) { return std::optional<double>(buckets[i].longestQueue); };
    //: name of a curve: the mean length of the queue
    plot.layers.push_back({Shape::area, PlotTone::soft, 0, ChartText::tr("average"),
                           steps(columns, buckets.size(), Shape::area, mean)});
    //: name of a curve: the greatest length of the queue
    plot.layers.push_back({Shape::line, PlotTone::most, 0, ChartText::tr("longest"),
                           steps(columns, buckets.size(), Shape::line, most)});
}

// Arrow heads on the columns that exceed the axis, and how high these are.
void addOverflow(Plot& plot, ChartKind kind, const TimeColumns& columns, const std::vector<Bucket>& buckets)
{
    PlotLayer heads{Shape::cut, PlotTone::rule, 0, {}, {}};
    std::vector<double> values;
    for (std::size_t i = 0; i < buckets.size(); ++i)
        if (weightOf(kind, buckets[i]) > 0 && ratioOf(kind, buckets[i]) > plot.y.to) {
            heads.points << QPointF(columns.middle(i), plot.y.to);
            values.push_back(ratioOf(kind, buckets[i]));
        }
    if (values.empty())
        return;
    const auto [least, most] = std::ranges::minmax(values);
    const QString range = values.size() == 1
                              ? format::ratio(most)
                              : ChartText::tr("%1 to %2").arg(format::ratio(least), format::ratio(most));
    //: in the legend: how high the columns are that are cut off at the top
    heads.key = ChartText::tr("beyond the axis: %1").arg(range);
    plot.layers.push_back(heads);
    plot.hint = (plot.hint + u'\n' +
                 ChartText::tr("The highest column is %1 and goes beyond the axis.").arg(format::ratio(most)))
                    .trimmed();
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
    const auto add = [&](PlotTone tone, const QString& key, double base, double limit) {
        const auto height = [&](std::size_t i) {
            return weightOf(kind, buckets[i]) > 0
                       ? std::optional(std::clamp(ratioOf(kind, buckets[i]), base, limit))
                       : std::nullopt;
        };
        plot.layers.push_back(
            {Shape::area, tone, 0, key, steps(columns, buckets.size(), Shape::area, height, base), base});
    };
    if (wakeUps) {
        plot.y.title = ChartText::tr("clients woken");
        if (highest > 1)
            add(PlotTone::overflow, ChartText::tr("beyond one"), 1, plot.y.to);
        add(PlotTone::wake, ChartText::tr("first woken"), 0, 1);
        plot.layers.push_back(
            {Shape::line, PlotTone::rule, 0, ChartText::tr("one per release"), {{0, 1}, {plot.x.to, 1}}});
    } else {
        //: what the height of a curve means: requests for one acquisition
        plot.y.title = ChartText::tr("requests");
        plot.hint = ChartText::tr(
            "Counts all requests of a successful acquisition, from the acquire call to the end of "
            "the release, including retries.");
        add(PlotTone::plain, {}, 0, plot.y.to);
        if (soFar.acquired > 0)
            addRuleSoFar(plot, kind, columns, soFar.requestsPerAcquisition(),
                         ChartText::tr("mean %1").arg(format::ratio(soFar.requestsPerAcquisition())));
    }
    addOverflow(plot, kind, columns, buckets);
}

// Names the time axis: the length of a slice, and the number of handoffs that percentiles need.
QString timeTitle(ChartKind kind, const TimeColumns& columns)
{
    const QString width = format::duration(columns.width), enough = format::count(kEnoughHandoffs);
    QStringList variants;
    if (kind != ChartKind::percentiles)
        variants << ChartText::tr("time, in slices of %1").arg(width);
    else if (columns.slices)
        variants << ChartText::tr("time, in slices of %1 · p95 and p99 only from %2 handoffs in a slice")
                        .arg(width, enough)
                 << ChartText::tr("slices of %1 · p95, p99 from %2 handoffs").arg(width, enough);
    else
        return ChartText::tr("time, a dot for each handoff") + kVariantSeparator +
               ChartText::tr("a dot for each handoff");
    variants << ChartText::tr("slices of %1").arg(width);
    return variants.join(kVariantSeparator);
}

QString valueTip(ChartKind kind, const TimeColumns& columns, std::size_t column)
{
    if (kind == ChartKind::percentiles) {
        const Histogram all = columns.series.joinedHandoffs(columns.neighbours)[column];
        const QString count = format::count(all.count()), p50 = format::duration(all.percentile(50));
        if (all.count() == 0)
            return ChartText::tr("no handoff");
        if (all.count() == 1)
            return ChartText::tr("one handoff, which took %1").arg(format::duration(all.max()));
        return all.count() < kEnoughHandoffs ? ChartText::tr("%1 handoffs: p50 %2, slowest %3")
                                                   .arg(count, p50, format::duration(all.max()))
                                             : ChartText::tr("%1 handoffs: p50 %2, p95 %3, p99 %4")
                                                   .arg(count, p50, format::duration(all.percentile(95)),
                                                        format::duration(all.percentile(99)));
    }
    const Bucket bucket = columns.series.joined(columns.neighbours)[column];
    if (kind == ChartKind::queueLength)
        return ChartText::tr("%1 nodes on average, %2 at most")
            .arg(format::ratio(columns.meanQueue(bucket, column)), format::count(bucket.longestQueue));
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

// Calls `visit` with each bucket up to the cursor and its begin.
template <class Visit>
void forEachBucket(const ChartSource& source, Visit visit)
{
    const replay::Series& series = source.series;
    for (std::size_t i = 0; i < series.buckets().size(); ++i)
        if (const TraceTime begin = series.width() * static_cast<Duration::rep>(i); begin <= source.cursor)
            visit(series.buckets()[i], begin, i);
}

} // namespace

bool isTimeEmpty(ChartKind kind, const ChartSource& source)
{
    return std::ranges::none_of(source.series.buckets(), [kind](const Bucket& bucket) {
        return kind == ChartKind::queueLength ? bucket.longestQueue > 0
               : kind == ChartKind::requests  ? bucket.requests > 0 // unknown for clients of other programs
                                              : weightOf(kind, bucket) > 0;
    });
}

Plot timePlot(ChartKind kind, const ChartSource& source, QSize room)
{
    Plot plot;
    const TimeColumns columns(kind, source, room.width());
    const int maxSteps = stepsWithin(room.height());
    plot.unit = columns.unit.length;
    plot.slice = columns.width;
    plot.x = timeAxis(columns.end, columns.unit, room.width() / kBetweenTimes, source.grows);
    plot.x.title = timeTitle(kind, columns);
    if (!source.following)
        plot.cursor = inUnit(columns.unit, source.cursor);
    if (kind == ChartKind::percentiles)
        addPercentiles(plot, columns, source, maxSteps);
    else if (kind == ChartKind::queueLength)
        addQueue(plot, columns, maxSteps);
    else
        addRatio(plot, kind, columns, source, maxSteps);
    if (plot.cursor) {
        const double at = *plot.cursor;
        plot.layers.push_back(
            {Shape::area, PlotTone::veil, 0, {}, {{at, plot.y.to}, {plot.x.to, plot.y.to}}, plot.y.from});
        plot.layers.push_back({Shape::line, PlotTone::cursor, 0, {}, {{at, plot.y.from}, {at, plot.y.to}}});
    }
    return plot;
}

QString timeCaption(ChartKind kind, const ChartSource& source)
{
    const replay::Statistics& soFar = source.state.statistics;
    if (kind == ChartKind::queueLength) {
        const int now = static_cast<int>(soFar.queued);
        return ChartText::tr("%Ln nodes now, %1 at most", nullptr, now)
                   .arg(format::count(soFar.longestQueue)) +
               kVariantSeparator + ChartText::tr("%Ln nodes now", nullptr, now);
    }
    const bool wakeUps = kind == ChartKind::wakeUps;
    if (wakeUps ? soFar.watchedGone == 0 : soFar.requestsPerAcquisition() == 0)
        return {};
    const QString number =
        format::ratio(wakeUps ? soFar.wakeUpsPerRelease() : soFar.requestsPerAcquisition());
    const QString whole = wakeUps            ? ChartText::tr("%1 woken per release")
                          : source.following ? ChartText::tr("%1 on average")
                                             : ChartText::tr("%1 on average so far");
    return whole.arg(number) + kVariantSeparator + number;
}

QString chartTip(ChartKind kind, const ChartSource& source, QSize room, double x)
{
    const TimeColumns columns(kind, source, room.width());
    const double column = std::floor(x / inUnit(columns.unit, columns.width));
    if (column < 0 || column * static_cast<double>(columns.neighbours) >=
                          static_cast<double>(source.series.buckets().size()))
        return {};
    const auto index = static_cast<std::size_t>(column);
    const TraceTime begin = columns.time(index);
    return ChartText::tr("%1 to %2 s")
               .arg(format::timestamp(begin), format::timestamp(begin + columns.width)) +
           u'\n' + valueTip(kind, columns, index);
}

std::vector<double> timeValues(ChartKind kind, const ChartSource& source)
{
    std::vector<double> values;
    forEachBucket(source, [&](const Bucket& bucket, TraceTime begin, std::size_t) {
        if (kind == ChartKind::queueLength)
            values.push_back(source.series.meanQueue(bucket, begin, source.series.width()));
        else if (weightOf(kind, bucket) > 0)
            values.push_back(ratioOf(kind, bucket));
    });
    return values;
}

ChartTable timeTable(ChartKind kind, const ChartSource& source)
{
    ChartTable table;
    const replay::Series& series = source.series;
    const std::vector<Histogram> handoffs =
        kind == ChartKind::percentiles ? series.joinedHandoffs(1) : std::vector<Histogram>();
    const auto microseconds = [](Duration value) {
        return QString::number(static_cast<double>(value.count()) / 1000, 'f', 3);
    };
    table.titles =
        kind == ChartKind::percentiles   ? QStringList{"handoffs", "p50_us", "p95_us", "p99_us", "max_us"}
        : kind == ChartKind::queueLength ? QStringList{"nodes_mean", "nodes_most"}
        : kind == ChartKind::wakeUps     ? QStringList{"watched_nodes_gone", "woken", "woken_per_release"}
                                         : QStringList{"requests", "acquired", "requests_per_acquisition"};
    table.titles = QStringList{"from_us", "to_us"} + table.titles;
    forEachBucket(source, [&](const Bucket& bucket, TraceTime begin, std::size_t i) {
        QStringList row{microseconds(begin), microseconds(begin + series.width())};
        if (kind == ChartKind::percentiles) {
            row << QString::number(handoffs[i].count());
            for (const double percent : {50.0, 95.0, 99.0, 100.0})
                row << microseconds(handoffs[i].percentile(percent));
        } else if (kind == ChartKind::queueLength) {
            row << QString::number(series.meanQueue(bucket, begin, series.width()), 'f', 3)
                << QString::number(bucket.longestQueue);
        } else {
            const bool wakeUps = kind == ChartKind::wakeUps;
            row << (wakeUps ? QString::number(bucket.watchedGone) : QString::number(bucket.requests))
                << QString::number(wakeUps ? bucket.wakeUps : bucket.acquired)
                << QString::number(ratioOf(kind, bucket), 'f', 3);
        }
        table.rows.push_back(row);
    });
    return table;
}

} // namespace lockscope::ui
