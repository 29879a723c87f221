// The histogram of handoff latencies, and the acquisitions per client.
#include "ui/canvas/ticks.h"
#include "ui/charts/chart_parts.h"
#include "ui/charts/plot_axis.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <algorithm>
#include <functional>

namespace lockscope::ui {

namespace {

using namespace std::chrono_literals;

constexpr int kBetweenBarLabels = 54; // pixels
constexpr int kNamedBar = 44;         // pixels that a bar with a name below it needs
constexpr int kUnnamedBar = 6;        // pixels that a bar without a name needs
constexpr int kBarsInStep = 5;        // of the histogram, between two round numbers

// Its axis ends at a round number near the 99th percentile, so that one slow handoff does not squeeze all
// others into the first bar.
struct LatencyBins
{
    explicit LatencyBins(const replay::Histogram& handoff)
    {
        const Duration wanted =
            std::max<Duration>(10us, handoff.percentile(99) * 11 / 10); // finer is not measured
        step = roundStep(Duration(wanted / 5));
        end = (wanted + step - Duration(1)) / step * step;
        counts = handoff.bins(end, static_cast<std::size_t>(end / step * kBarsInStep));
        slower = handoff.count();
        for (const std::uint64_t count : counts)
            slower -= std::min(slower, count);
    }
    Duration edge(std::size_t bar) const { return step * static_cast<Duration::rep>(bar) / kBarsInStep; }

    Duration step{}, end{}; // between round numbers; of the axis
    std::vector<std::uint64_t> counts;
    std::uint64_t slower = 0; // that took longer than the axis reaches
};

using ClientRows = std::vector<const replay::ClientRow*>;

// Most acquisitions first; ties in the order of the clients.
ClientRows sortedClients(const replay::RunState& state)
{
    ClientRows rows;
    for (const replay::ClientRow& row : state.clients)
        if (row.id.valid())
            rows.push_back(&row);
    std::ranges::stable_sort(rows, std::greater(), &replay::ClientRow::acquired);
    return rows;
}

// Keeps the unit only after the last time if all have the same one: headers are narrow.
QStringList sameUnitOnce(QStringList times)
{
    const QString unit = times.back().mid(std::max<qsizetype>(0, times.back().lastIndexOf(u' ')));
    if (std::ranges::all_of(times, [&](const QString& time) { return time.endsWith(unit); }))
        for (qsizetype i = 0; i + 1 < times.size(); ++i)
            times[i].chop(unit.size());
    return times;
}

} // namespace

QString latencyCaption(const replay::Histogram& handoff)
{
    if (handoff.count() == 0)
        return {};
    const QString p50 = format::duration(handoff.percentile(50));
    const QString p99 = format::duration(handoff.percentile(99));
    const QString most = format::duration(handoff.max());
    const QStringList two = sameUnitOnce({p50, most});
    const QString shortest = ChartText::tr("p50 %1").arg(p50);
    if (handoff.count() < kEnoughHandoffs) // p99 would be the slowest one
        return ChartText::tr("p50 %1 · max %2").arg(two[0], two[1]) + kVariantSeparator + shortest;
    const QStringList all = sameUnitOnce({p50, p99, most}), usual = sameUnitOnce({p50, p99});
    return ChartText::tr("p50 %1 · p99 %2 · max %3").arg(all[0], all[1], all[2]) + kVariantSeparator +
           ChartText::tr("p50 %1 · p99 %2").arg(usual[0], usual[1]) + kVariantSeparator + shortest;
}

Plot latencyPlot(const replay::Histogram& handoff, QSize room)
{
    const LatencyBins bins(handoff);
    Plot plot;
    PlotLayer layer{PlotLayer::Shape::bars, PlotTone::plain, 0, {}, {}};
    std::uint64_t highest = std::max<std::uint64_t>(1, bins.slower);
    for (std::size_t i = 0; i < bins.counts.size(); ++i) {
        layer.points << QPointF(static_cast<double>(i), static_cast<double>(bins.counts[i]));
        highest = std::max(highest, bins.counts[i]);
        plot.bars.push_back({ChartText::tr("%1 to %2")
                                 .arg(format::duration(bins.edge(i)), format::duration(bins.edge(i + 1))),
                             bins.counts[i],
                             {}});
    }
    const PlotUnit unit = plotUnit(bins.end);
    const int places = static_cast<int>(bins.counts.size()) + (bins.slower > 0 ? 2 : 0);
    const int steps = static_cast<int>(bins.end / bins.step);
    int every = 1;
    while (every < steps && room.width() * every * kBarsInStep < kBetweenBarLabels * places)
        ++every;
    const int decimals = axisUpTo(inUnit(unit, bins.step), 1, false).decimals;
    for (int i = 0; i <= steps; i += every)
        plot.x.names.emplace_back(i * kBarsInStep - 0.5,
                                  format::decimal(inUnit(unit, bins.step * i), decimals) + u' ' + unit.name);
    const QString width = format::duration(bins.edge(1));
    plot.x.title = ChartText::tr("from the release to the next hold, in steps of %1").arg(width) +
                   kVariantSeparator + ChartText::tr("steps of %1").arg(width);
    plot.hint = ChartText::tr("%1 handoffs, the slowest took %2")
                    .arg(format::count(handoff.count()), format::duration(handoff.max()));
    plot.layers.push_back(layer);
    if (bins.slower > 0) { // a bar apart, for all of them
        const QString longer = ChartText::tr("longer than %1").arg(format::duration(bins.end));
        const QString count = format::count(bins.slower);
        plot.bars.push_back({longer, bins.slower, {}});
        plot.layers.push_back(
            {PlotLayer::Shape::bars,
             PlotTone::overflow,
             0,
             ChartText::tr("%1: %2").arg(longer, count),
             {{static_cast<double>(bins.counts.size()), static_cast<double>(bins.slower)}}});
        plot.hint += u'\n' + ChartText::tr("%1 of them took longer than %2: the bar at the right")
                                 .arg(count, format::duration(bins.end));
    }
    plot.x.from = -0.5;
    plot.x.to = static_cast<double>(plot.bars.size()) - 0.5;
    plot.y = axisUpTo(static_cast<double>(highest), stepsWithin(room.height()), true);
    //: what the height of a bar means: how many handoffs took so long
    plot.y.title = ChartText::tr("handoffs");
    return plot;
}

ChartTable latencyTable(const replay::Histogram& handoff)
{
    ChartTable table{{"from_us", "to_us", "handoffs"}, {}};
    const LatencyBins bins(handoff);
    const auto edge = [&](std::size_t bar) {
        return QString::number(static_cast<double>(bins.edge(bar).count()) / 1000, 'f', 3);
    };
    for (std::size_t i = 0; i < bins.counts.size(); ++i)
        table.rows.push_back({edge(i), edge(i + 1), QString::number(bins.counts[i])});
    if (bins.slower > 0)
        table.rows.push_back({edge(bins.counts.size()), QString(), QString::number(bins.slower)});
    return table;
}

QString clientsCaption(const ChartSource& source)
{
    const replay::Statistics& soFar = source.state.statistics;
    if (soFar.acquired == 0)
        return {};
    const ClientRows rows = sortedClients(source.state);
    // With fewer acquisitions than clients, even the index of the fairest lock looks unfair.
    if (soFar.acquired < rows.size()) {
        const auto served = std::ranges::count_if(rows, [](const auto* row) { return row->acquired > 0; });
        const QString had = format::count(static_cast<quint64>(served)), all = format::count(rows.size());
        return ChartText::tr("%1 of %2 clients had it so far").arg(had, all) + kVariantSeparator +
               ChartText::tr("%1 of %2 so far").arg(had, all);
    }
    const QString index = format::ratio(soFar.fairness()), most = format::count(rows.front()->acquired);
    const QString whole = rows.back()->acquired == rows.front()->acquired
                              ? ChartText::tr("fairness (Jain) %1 · %2 each").arg(index, most)
                              : ChartText::tr("fairness (Jain) %1 · %2 to %3 each")
                                    .arg(index, format::count(rows.back()->acquired), most);
    return whole + kVariantSeparator + ChartText::tr("fairness %1").arg(index);
}

// Bars, or the profile of many: adjacent clients joined into steps that are wide enough to be seen. A step is
// as high as its first client, which has the most: neighbors in this order are similar, and a single
// acquisition does not get lost among clients without any.
Plot clientsPlot(const ChartSource& source, QSize room)
{
    const ClientRows rows = sortedClients(source.state);
    const int count = static_cast<int>(rows.size());
    Plot plot;
    if (count == 0)
        return plot;
    plot.x.from = -0.5;
    plot.x.to = count - 0.5;
    plot.x.title = ChartText::tr("clients, most acquisitions first");
    plot.y = axisAbove(rows.front()->acquired, stepsWithin(room.height()), true);
    //: what the height of a bar means: how often a client got the lock
    plot.y.title = ChartText::tr("acquisitions");
    plot.hint = ChartText::tr(
        "Jain's index is 1 when all clients acquired the lock equally often. It is shown as soon "
        "as there are as many acquisitions as clients.");
    const bool named = room.width() / count >= kNamedBar;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const QString name = format::plain(rows[i]->name, 40);
        const QPointF point(static_cast<double>(i), rows[i]->acquired);
        plot.bars.push_back({name, rows[i]->acquired, rows[i]->id});
        if (named || plot.layers.empty())
            plot.layers.push_back({PlotLayer::Shape::bars,
                                   named ? PlotTone::client : PlotTone::plain,
                                   rows[i]->colour,
                                   {},
                                   {}});
        plot.layers.back().points << point;
        if (named)
            plot.x.names.emplace_back(point.x(), name);
    }
    if (!named) {
        const int step =
            static_cast<int>(std::max(1.0, axisUpTo(count, room.width() / kBetweenBarLabels, true).step));
        for (int rank = 1; rank <= count; rank = rank == 1 && step > 1 ? step : rank + step)
            plot.x.names.emplace_back(rank - 1, format::count(static_cast<quint64>(rank)));
    }
    if (room.width() / count < kUnnamedBar) {
        QList<QPointF> profile;
        const std::size_t steps =
            std::clamp<std::size_t>(static_cast<std::size_t>(room.width()) / 2, 1, rows.size());
        for (std::size_t step = 0; step < steps; ++step) {
            const std::size_t from = rows.size() * step / steps, to = rows.size() * (step + 1) / steps;
            const double height = rows[from]->acquired;
            profile << QPointF(static_cast<double>(from) - 0.5, height)
                    << QPointF(static_cast<double>(to) - 0.5, height);
        }
        plot.layers = {{PlotLayer::Shape::area, PlotTone::plain, 0, {}, profile}};
    }
    const double share = static_cast<double>(source.state.statistics.acquired) / count;
    plot.layers.push_back({PlotLayer::Shape::line,
                           PlotTone::rule,
                           0,
                           ChartText::tr("equal share %1").arg(format::ratio(share)),
                           {{plot.x.from, share}, {plot.x.to, share}}});
    return plot;
}

ChartTable clientsTable(const ChartSource& source)
{
    ChartTable table{{"rank", "client", "name", "acquired"}, {}};
    for (const replay::ClientRow* row : sortedClients(source.state))
        table.rows.push_back({QString::number(table.rows.size() + 1), QString::number(row->id.value),
                              QString::fromUtf8(row->name.data(), static_cast<qsizetype>(row->name.size())),
                              QString::number(row->acquired)});
    return table;
}

} // namespace lockscope::ui
