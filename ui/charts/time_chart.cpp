#include "ui/charts/time_chart.h"

#include "ui/charts/plot_axis.h"
#include "ui/charts/time_columns.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lockscope::ui::time_chart {

namespace {

using Bucket = replay::Series::Bucket;
using replay::Histogram;

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

constexpr int kBetweenTimes = 74; // pixels between two labels
constexpr double kShare = 0.95;   // of what a ratio's axis has to hold
constexpr double kAbove = 1.2;
constexpr int kOneScale = 12; // times as much: what still reads on one linear scale

// One height for each column; where there is none, an area falls to its base and a line goes on.
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

// The highest ratio but for the few columns that would press all others down: a start in which everybody asks
// and nobody has it yet.
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

// A value of all that was so far: from the first of them to the cursor.
PlotRule soFarRule(ChartKind kind, const TimeColumns& columns, const ChartSource& source, double at,
                   const QString& key)
{
    const std::vector<Bucket>& buckets = columns.series.buckets();
    const auto first = std::find_if(buckets.begin(), buckets.end(),
                                    [kind](const Bucket& bucket) { return weightOf(kind, bucket) > 0; });
    const double from =
        static_cast<double>(first - buckets.begin()) * inUnit(columns.unit, columns.series.width());
    PlotRule rule{at, key, from};
    if (!source.following)
        rule.to = inUnit(columns.unit, source.cursor);
    return rule;
}

// Each handoff, or of many so many that lie as they do; the slowest is always there.
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
    PlotLayer dots{PlotLayer::Shape::dots, PlotTone::low, 0, Words::tr("one handoff"), {}};
    const std::vector<Histogram> finest = columns.series.joinedHandoffs(1);
    for (std::size_t i = 0; i < finest.size(); ++i)
        addDots(dots.points, columns.middleOf(i), finest[i], unit);
    plot.layers.push_back(dots);
}

// The slowest and the median of each slice; p95 and p99 where they are not simply the slowest.
void addSlices(Plot& plot, const TimeColumns& columns, const std::vector<Histogram>& handoffs,
               const PlotUnit& unit)
{
    PlotLayer slowest{PlotLayer::Shape::dots, PlotTone::most, 0, Words::tr("max"), {}};
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
        Words::tr("A slice of time with fewer than %1 handoffs has no p95 or p99 that means anything: only "
                  "its p50 and its slowest handoff are drawn.")
            .arg(format::count(kEnough));
}

// So few that their slices say nothing: each handoff as a dot.
void addPercentiles(Plot& plot, const TimeColumns& columns, const ChartSource& source, int most)
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
                 : above(inUnit(unit, highest), most, false);
    plot.measure = unit.name; // the title says of what
    if (columns.slices) {
        addSlices(plot, columns, handoffs, unit);
        return;
    }
    addEachHandoff(plot, columns, unit);
    if (const Histogram& soFar = source.state.statistics.handoff; soFar.count() > 0)
        plot.rules.push_back(soFarRule(ChartKind::percentiles, columns, source,
                                       inUnit(unit, soFar.percentile(50)), Words::tr("p50 of all so far")));
    plot.hint = Words::tr("Fewer than %1 handoffs in a slice of time have no p95 or p99 that means anything: "
                          "each handoff is a dot.")
                    .arg(format::count(kEnough));
}

void addQueue(Plot& plot, const TimeColumns& columns, int most)
{
    const std::vector<Bucket> buckets = columns.series.joined(columns.neighbours);
    std::uint32_t longest = 0;
    for (const Bucket& bucket : buckets)
        longest = std::max(longest, bucket.longestQueue);
    plot.y = above(longest, most, true);
    plot.measure = Words::tr("nodes in the queue");
    const auto add = [&](PlotLayer::Shape shape, PlotTone tone, const QString& key, auto heightOf) {
        plot.layers.push_back({shape, tone, 0, key, steps(columns, buckets.size(), shape, heightOf)});
    };
    add(PlotLayer::Shape::area, PlotTone::soft, Words::tr("average"),
        [&](std::size_t i) -> std::optional<double> { return columns.meanQueue(buckets[i], i); });
    add(PlotLayer::Shape::line, PlotTone::most, Words::tr("longest"),
        [&](std::size_t i) -> std::optional<double> { return buckets[i].longestQueue; });
}

void addOverflow(Plot& plot, ChartKind kind, const TimeColumns& columns, const std::vector<Bucket>& buckets)
{
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const double value = weightOf(kind, buckets[i]) > 0 ? ratioOf(kind, buckets[i]) : 0;
        if (value > plot.y.to)
            plot.overflow.push_back({(columns.begin(i) + columns.endOf(i)) / 2, value, format::ratio(value)});
    }
    std::stable_sort(plot.overflow.begin(), plot.overflow.end(),
                     [](const PlotOverflow& a, const PlotOverflow& b) { return a.value > b.value; });
}

// The mean of each column; where there is none, nothing.
void addRatio(Plot& plot, ChartKind kind, const TimeColumns& columns, const ChartSource& source, int most)
{
    const replay::Statistics& soFar = source.state.statistics;
    const std::vector<Bucket> buckets = columns.series.joined(columns.neighbours);
    double highest = 0;
    for (const Bucket& bucket : buckets)
        highest = std::max(highest, weightOf(kind, bucket) > 0 ? ratioOf(kind, bucket) : 0.0);
    const bool wakeUps = kind == ChartKind::wakeUps;
    const double shown = std::min(highest, typicalRatio(kind, buckets) * kAbove);
    plot.y = wakeUps ? upTo(std::max(2.0, shown), most, true) : above(std::max(1.0, shown), most, false);
    if (highest > plot.y.to)
        plot.hint =
            Words::tr("The highest column is %1 and goes beyond the axis.").arg(format::ratio(highest));
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
        plot.measure = Words::tr("requests");
        plot.hint =
            (Words::tr(
                 "Counted where a client got the lock: all that it sent for that, from its acquire call "
                 "to the end of its release, retries too.") +
             u'\n' + plot.hint)
                .trimmed();
        add(PlotTone::plain, {}, 0, plot.y.to);
        if (soFar.acquired > 0)
            plot.rules.push_back(
                soFarRule(kind, columns, source, soFar.requestsPerAcquisition(),
                          Words::tr("mean %1").arg(format::ratio(soFar.requestsPerAcquisition()))));
        return;
    }
    plot.measure = Words::tr("clients woken");
    if (highest > 1)
        add(PlotTone::overflow, Words::tr("beyond one"), 1, plot.y.to);
    add(PlotTone::wake, Words::tr("first woken"), 0, 1);
    plot.rules.push_back({1, Words::tr("one per release")});
}

// What a step along the axis is, and of percentiles how many handoffs it takes.
QString timeName(ChartKind kind, const TimeColumns& columns)
{
    const QString width = format::duration(columns.width), enough = format::count(kEnough);
    if (kind != ChartKind::percentiles)
        return Words::tr("time, in slices of %1").arg(width) + kVariantSeparator +
               Words::tr("slices of %1").arg(width);
    if (!columns.slices)
        return Words::tr("time, a dot for each handoff") + kVariantSeparator + Words::tr("a dot for each handoff");
    return Words::tr("time, in slices of %1 · p95 and p99 only from %2 handoffs in a slice")
               .arg(width, enough) +
           kVariantSeparator + Words::tr("slices of %1 · p95, p99 from %2 handoffs").arg(width, enough) + kVariantSeparator +
           Words::tr("slices of %1").arg(width);
}

} // namespace

bool empty(ChartKind kind, const ChartSource& source)
{
    const auto& buckets = source.series.buckets();
    return std::none_of(buckets.begin(), buckets.end(), [kind](const Bucket& bucket) {
        return kind == ChartKind::queueLength ? bucket.longestQueue > 0 : weightOf(kind, bucket) > 0;
    });
}

Plot plot(ChartKind kind, const ChartSource& source, QSize room)
{
    Plot plot;
    const TimeColumns columns(kind, source, room.width());
    const int most = stepsWithin(room.height());
    plot.x = timeAxis(columns.end, columns.unit, room.width() / kBetweenTimes);
    if (!source.following)
        plot.cursor = inUnit(columns.unit, source.cursor);
    switch (kind) {
    case ChartKind::percentiles:
        addPercentiles(plot, columns, source, most);
        break;
    case ChartKind::queueLength:
        addQueue(plot, columns, most);
        break;
    default:
        addRatio(plot, kind, columns, source, most);
    }
    plot.x.name = timeName(kind, columns);
    if (plot.y.logarithmic)
        plot.measure = Words::tr("%1 (log)").arg(plot.measure);
    return plot;
}

} // namespace lockscope::ui::time_chart
