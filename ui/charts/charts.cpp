#include "ui/charts/charts.h"

#include "ui/charts/client_chart.h"
#include "ui/charts/latency_scale.h"
#include "ui/charts/plot_axis.h"
#include "ui/charts/time_chart.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace lockscope::ui {

namespace {

struct Words // lives only to give the texts a translation context
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

constexpr int kBetweenLabels = 54;
constexpr double kBarShare = 0.78; // of its place
constexpr int kSlowerRoom = 72;    // pixels, with what is between it and the others

void addBar(PlotLayer& layer, double middle, double width, double height)
{
    const double half = width * kBarShare / 2;
    layer.points << QPointF(middle - half, 0) << QPointF(middle - half, height)
                 << QPointF(middle + half, height) << QPointF(middle + half, 0);
}

// What took longer than the axis reaches: one bar of its own, apart from the others.
void addSlower(Plot& plot, quint64 slower, Duration reach, double width, int room)
{
    const double apart = plot.x.to * kSlowerRoom / std::max(kSlowerRoom, room - kSlowerRoom);
    const double at = plot.x.to + apart * 0.6;
    plot.x.labelsTo = plot.x.to;
    plot.x.to += apart;
    PlotLayer bar;
    bar.tone = PlotTone::beyond;
    addBar(bar, at, width, static_cast<double>(slower));
    plot.layers.push_back(bar);
    plot.names.push_back({at, apart * 0.8, Words::tr("more")});
    plot.notes.push_back({at, static_cast<double>(slower), format::count(slower)});
    plot.hint += u'\n' + Words::tr("%1 of them took longer than %2: the bar at the right")
                             .arg(format::count(slower), format::duration(reach));
}

Plot latencyPlot(const replay::Histogram& handoff, QSize room)
{
    Plot plot;
    const LatencyScale scale = latencyScale(handoff.percentile(99));
    const std::vector<std::uint64_t> bars = handoff.bins(scale.upTo, static_cast<std::size_t>(scale.bars));
    const quint64 drawn = std::accumulate(bars.begin(), bars.end(), quint64{0});
    const quint64 slower = handoff.count() - std::min<quint64>(handoff.count(), drawn);
    const PlotUnit unit{scale.unit, latencyUnit(scale)};
    plot.x.to = inUnit(unit, scale.upTo);
    plot.x.step = plot.x.to / (scale.labels - 1) *
                  latencyLabelEvery(scale, room.width() - (slower > 0 ? kSlowerRoom : 0), kBetweenLabels);
    plot.x.decimals = latencyDecimals(scale);
    plot.x.unit = unit.name;
    plot.measure = Words::tr("handoffs");
    plot.hint = Words::tr("%1 handoffs, the slowest took %2")
                    .arg(format::count(handoff.count()), format::duration(handoff.max()));
    const double place = plot.x.to / static_cast<double>(bars.size());
    PlotLayer layer;
    for (std::size_t i = 0; i < bars.size(); ++i)
        addBar(layer, (static_cast<double>(i) + 0.5) * place, place, static_cast<double>(bars[i]));
    plot.layers.push_back(layer);
    const quint64 highest = std::max<quint64>({1, slower, *std::max_element(bars.begin(), bars.end())});
    plot.y = upTo(static_cast<double>(highest), stepsWithin(room.height()), true);
    if (slower > 0)
        addSlower(plot, slower, scale.upTo, place, room.width());
    return plot;
}

ChartTable latencyTable(const replay::Histogram& handoff)
{
    ChartTable table{{"from_us", "to_us", "handoffs"}, {}};
    const LatencyScale scale = latencyScale(handoff.percentile(99));
    const std::vector<std::uint64_t> bars = handoff.bins(scale.upTo, static_cast<std::size_t>(scale.bars));
    const auto edge = [&](std::size_t bar) {
        const double at = static_cast<double>(scale.upTo.count()) * static_cast<double>(bar) / scale.bars;
        return QString::number(at / 1000, 'f', 3);
    };
    quint64 drawn = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        table.rows.push_back({edge(i), edge(i + 1), QString::number(bars[i])});
        drawn += bars[i];
    }
    if (handoff.count() > drawn)
        table.rows.push_back({edge(bars.size()), QString(), QString::number(handoff.count() - drawn)});
    return table;
}

} // namespace

QString chartName(ChartKind kind)
{
    static constexpr std::array names{"latency",  "percentiles", "queue-length",
                                      "wake-ups", "requests",    "fairness"};
    return QString::fromLatin1(names[static_cast<std::size_t>(kind)]);
}

QString chartTitle(ChartKind kind)
{
    switch (kind) {
    case ChartKind::latency:
        return Words::tr("Handoff latency");
    case ChartKind::percentiles:
        return Words::tr("Handoff latency over time");
    case ChartKind::queueLength:
        return Words::tr("Queue length");
    case ChartKind::wakeUps:
        return Words::tr("Wake-ups per release");
    case ChartKind::requests:
        return Words::tr("Requests per acquisition");
    case ChartKind::fairness:
        return Words::tr("Acquisitions per client");
    }
    return {};
}

QString chartCaption(ChartKind kind, const ChartSource& source)
{
    if (kind == ChartKind::latency)
        return time_chart::percentilesCaption(source.state.statistics.handoff);
    return kind == ChartKind::fairness ? client_chart::caption(source) : time_chart::caption(kind, source);
}

QString chartNothing(ChartKind kind)
{
    switch (kind) {
    case ChartKind::latency:
    case ChartKind::percentiles:
        return Words::tr("No handoff yet: the chart fills as the lock passes from one client to the next.");
    case ChartKind::queueLength:
        return Words::tr("No node yet: the chart fills as clients ask for the lock.");
    case ChartKind::wakeUps:
        return Words::tr("Nobody was woken yet: the chart fills as nodes go that somebody watches.");
    case ChartKind::requests:
    case ChartKind::fairness:
        return Words::tr("No acquisition yet: the chart fills as clients get the lock.");
    }
    return {};
}

Plot chartPlot(ChartKind kind, const ChartSource& source, QSize room)
{
    if (kind == ChartKind::latency)
        return source.state.statistics.handoff.count() > 0
                   ? latencyPlot(source.state.statistics.handoff, room)
                   : Plot();
    if (kind == ChartKind::fairness)
        return client_chart::empty(source) ? Plot() : client_chart::plot(source, room);
    return time_chart::empty(kind, source) ? Plot() : time_chart::plot(kind, source, room);
}

ChartTable chartTable(ChartKind kind, const ChartSource& source)
{
    if (kind == ChartKind::latency)
        return latencyTable(source.state.statistics.handoff);
    return kind == ChartKind::fairness ? client_chart::table(source) : time_chart::table(kind, source);
}

bool isOverTime(ChartKind kind) { return kind != ChartKind::latency && kind != ChartKind::fairness; }

QString chartTip(ChartKind kind, const ChartSource& source, QSize room, double x)
{
    return isOverTime(kind) ? time_chart::tip(kind, source, room, x) : QString();
}

std::optional<TraceTime> chartTime(const ChartSource& source, double x)
{
    return time_chart::timeAt(source, x);
}

Duration chartStep(ChartKind kind, const ChartSource& source, QSize room)
{
    return time_chart::step(kind, source, room);
}

} // namespace lockscope::ui
