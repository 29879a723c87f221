#include "ui/charts/latency_chart.h"

#include "ui/charts/chart_text.h"
#include "ui/charts/latency_scale.h"
#include "ui/charts/plot_axis.h"
#include "ui/models/format.h"
#include "ui/models/text_cache.h"

#include <algorithm>
#include <numeric>

namespace lockscope::ui::latency_chart {

namespace {

constexpr int kBetweenLabels = 54;
constexpr double kBarShare = 0.78; // of its place
constexpr int kSlowerRoom = 72;    // pixels of the bar of slower handoffs and the gap before it

// The number of handoffs of each bar, and the number that took longer than the axis reaches.
struct Bars
{
    explicit Bars(const replay::Histogram& handoff)
        : scale(latencyScale(handoff.percentile(99)))
        , counts(handoff.bins(scale.axisEnd, static_cast<std::size_t>(scale.bars)))
        , slower(
              handoff.count() -
              std::min<quint64>(handoff.count(), std::accumulate(counts.begin(), counts.end(), quint64{0})))
        , unit{scale.unit, latencyUnit(scale)}
        , to(inUnit(unit, scale.axisEnd))
        , place(to / static_cast<double>(counts.size()))
    {}
    Duration edge(std::size_t bar) const
    {
        return Duration(scale.axisEnd.count() * static_cast<Duration::rep>(bar) / scale.bars);
    }
    // The room of the bar of slower handoffs beyond the end of the axis, in units of the axis.
    double apart(int room) const { return to * kSlowerRoom / std::max(kSlowerRoom, room - kSlowerRoom); }
    double middle(std::size_t bar, int room) const
    {
        return bar < counts.size() ? (static_cast<double>(bar) + 0.5) * place : to + apart(room) * 0.6;
    }
    double half() const { return place * kBarShare / 2; } // of a bar's width
    std::size_t all() const { return counts.size() + (slower > 0 ? 1 : 0); }

    LatencyScale scale;
    std::vector<std::uint64_t> counts;
    quint64 slower;
    PlotUnit unit;
    double to, place;
};

// Adds a separate bar for all handoffs that took longer than the axis reaches.
void addSlower(Plot& plot, const Bars& bars, int room)
{
    const double apart = bars.apart(room);
    const double at = bars.middle(bars.counts.size(), room);
    plot.x.labelsTo = plot.x.to;
    plot.x.to += apart;
    PlotLayer bar;
    bar.tone = PlotTone::overflow;
    bar.addBar(at - bars.half(), at + bars.half(), static_cast<double>(bars.slower));
    plot.layers.push_back(bar);
    //: name of the last bar: all longer latencies
    plot.names.push_back({at, apart * 0.8, ChartText::tr("more")});
    plot.notes.push_back({at, static_cast<double>(bars.slower), format::count(bars.slower)});
    plot.hint += u'\n' + ChartText::tr("%1 of them took longer than %2: the bar at the right")
                             .arg(format::count(bars.slower), format::duration(bars.scale.axisEnd));
}

} // namespace

Plot plot(const replay::Histogram& handoff, QSize room)
{
    Plot plot;
    const Bars bars(handoff);
    plot.x.to = bars.to;
    plot.x.step =
        plot.x.to / (bars.scale.labels - 1) *
        latencyLabelEvery(bars.scale, room.width() - (bars.slower > 0 ? kSlowerRoom : 0), kBetweenLabels);
    plot.x.decimals = latencyDecimals(bars.scale);
    plot.x.unit = bars.unit.name;
    const QString width = format::duration(bars.edge(1));
    plot.x.name = ChartText::tr("from the release to the next hold, in steps of %1").arg(width) +
                  kVariantSeparator + ChartText::tr("steps of %1").arg(width);
    //: what the height of a bar means: how many handoffs took so long
    plot.measure = ChartText::tr("handoffs");
    plot.hint = ChartText::tr("%1 handoffs, the slowest took %2")
                    .arg(format::count(handoff.count()), format::duration(handoff.max()));
    PlotLayer layer;
    for (std::size_t i = 0; i < bars.counts.size(); ++i) {
        const double middle = bars.middle(i, room.width());
        layer.addBar(middle - bars.half(), middle + bars.half(), static_cast<double>(bars.counts[i]));
    }
    plot.layers.push_back(layer);
    const quint64 highest =
        std::max<quint64>({1, bars.slower, *std::max_element(bars.counts.begin(), bars.counts.end())});
    plot.y = axisUpTo(static_cast<double>(highest), stepsWithin(room.height()), true);
    if (bars.slower > 0)
        addSlower(plot, bars, room.width());
    return plot;
}

std::optional<int> barAt(const replay::Histogram& handoff, QSize room, double x)
{
    if (handoff.count() == 0)
        return std::nullopt;
    const Bars bars(handoff);
    for (std::size_t bar = 0; bar < bars.all(); ++bar)
        if (std::abs(x - bars.middle(bar, room.width())) <= bars.place / 2)
            return static_cast<int>(bar);
    return std::nullopt;
}

std::optional<PlotMark> mark(const replay::Histogram& handoff, QSize room, int bar)
{
    if (handoff.count() == 0)
        return std::nullopt;
    const Bars bars(handoff);
    const auto index = static_cast<std::size_t>(bar);
    if (bar < 0 || index >= bars.all())
        return std::nullopt;
    const bool slower = index == bars.counts.size();
    const quint64 count = slower ? bars.slower : bars.counts[index];
    const QString counted = ChartText::tr("%Ln handoffs", nullptr, static_cast<int>(count));
    const QString range =
        slower ? ChartText::tr("longer than %1").arg(format::duration(bars.scale.axisEnd))
               : ChartText::tr("%1 to %2")
                     .arg(format::duration(bars.edge(index)), format::duration(bars.edge(index + 1)));
    const double middle = bars.middle(index, room.width());
    return PlotMark{middle - bars.half(), middle + bars.half(), static_cast<double>(count),
                    ChartText::tr("%1: %2").arg(range, counted)};
}

ChartTable table(const replay::Histogram& handoff)
{
    ChartTable table{{"from_us", "to_us", "handoffs"}, {}};
    const Bars bars(handoff);
    const auto edge = [&](std::size_t bar) {
        const double at =
            static_cast<double>(bars.scale.axisEnd.count()) * static_cast<double>(bar) / bars.scale.bars;
        return QString::number(at / 1000, 'f', 3);
    };
    for (std::size_t i = 0; i < bars.counts.size(); ++i)
        table.rows.push_back({edge(i), edge(i + 1), QString::number(bars.counts[i])});
    if (bars.slower > 0)
        table.rows.push_back({edge(bars.counts.size()), QString(), QString::number(bars.slower)});
    return table;
}

} // namespace lockscope::ui::latency_chart
