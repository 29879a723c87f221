#include "ui/charts/charts.h"

#include "ui/charts/chart_text.h"
#include "ui/charts/client_chart.h"
#include "ui/charts/latency_chart.h"
#include "ui/charts/time_chart.h"
#include "ui/models/watched_lock_text.h"

namespace lockscope::ui {

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
        return ChartText::tr("Handoff latency");
    case ChartKind::percentiles:
        return ChartText::tr("Handoff latency over time");
    case ChartKind::queueLength:
        return ChartText::tr("Queue length");
    case ChartKind::wakeUps:
        return ChartText::tr("Wake-ups per release");
    case ChartKind::requests:
        return ChartText::tr("Requests per acquisition");
    case ChartKind::fairness:
        return ChartText::tr("Acquisitions per client");
    }
    return {};
}

QString chartCaption(ChartKind kind, const ChartSource& source)
{
    if (kind == ChartKind::latency)
        return time_chart::percentilesCaption(source.state.statistics.handoff);
    return kind == ChartKind::fairness ? client_chart::caption(source) : time_chart::caption(kind, source);
}

QString chartEmptyText(ChartKind kind, bool watches)
{
    if (watches && (kind == ChartKind::latency || kind == ChartKind::percentiles))
        return ChartText::tr("Watch-only run: on the server, the next client in line holds the lock as soon "
                             "as the node ahead of it is deleted. When the client notices that is unknown.");
    if (watches && kind != ChartKind::queueLength)
        return watchedUnknownText();
    switch (kind) {
    case ChartKind::latency:
    case ChartKind::percentiles:
        return ChartText::tr(
            "No handoff yet: the chart fills as the lock passes from one client to the next.");
    case ChartKind::queueLength:
        return ChartText::tr("No node yet: the chart fills as clients ask for the lock.");
    case ChartKind::wakeUps:
        return ChartText::tr("No wake-up yet: the chart fills as watched nodes are deleted.");
    case ChartKind::requests:
    case ChartKind::fairness:
        return ChartText::tr("No acquisition yet: the chart fills as clients get the lock.");
    }
    return {};
}

Plot chartPlot(ChartKind kind, const ChartSource& source, QSize room)
{
    if (kind == ChartKind::latency)
        return source.state.statistics.handoff.count() > 0
                   ? latency_chart::plot(source.state.statistics.handoff, room)
                   : Plot();
    if (kind == ChartKind::fairness)
        return client_chart::empty(source) ? Plot() : client_chart::plot(source, room);
    return time_chart::empty(kind, source) ? Plot() : time_chart::plot(kind, source, room);
}

ChartTable chartTable(ChartKind kind, const ChartSource& source)
{
    if (kind == ChartKind::latency)
        return latency_chart::table(source.state.statistics.handoff);
    return kind == ChartKind::fairness ? client_chart::table(source) : time_chart::table(kind, source);
}

bool isOverTime(ChartKind kind) { return kind != ChartKind::latency && kind != ChartKind::fairness; }

QString chartTip(ChartKind kind, const ChartSource& source, QSize room, double x)
{
    if (isOverTime(kind))
        return time_chart::tip(kind, source, room, x);
    const std::optional<int> bar = chartBarAt(kind, source, room, x);
    const std::optional<PlotMark> mark = bar ? chartMark(kind, source, room, *bar) : std::nullopt;
    return mark ? mark->text : QString();
}

QString chartHelp(ChartKind kind)
{
    if (isOverTime(kind))
        return ChartText::tr("Click to go to a moment; the Left and Right keys move by one slice.");
    return kind == ChartKind::latency
               ? ChartText::tr("Click a bar to read it; the Left and Right keys move from bar to bar.")
               : ChartText::tr(
                     "Click a bar to select its client; the Left and Right keys move from one to the next.");
}

std::optional<int> chartBarAt(ChartKind kind, const ChartSource& source, QSize room, double x)
{
    return kind == ChartKind::latency ? latency_chart::barAt(source.state.statistics.handoff, room, x)
                                      : client_chart::barAt(source, x);
}

std::optional<PlotMark> chartMark(ChartKind kind, const ChartSource& source, QSize room, int bar)
{
    return kind == ChartKind::latency ? latency_chart::mark(source.state.statistics.handoff, room, bar)
                                      : client_chart::mark(source, bar);
}

std::vector<PlotMark> chartMarks(ChartKind kind, const ChartSource& source, QSize room)
{
    if (kind == ChartKind::fairness)
        return client_chart::marks(source);
    std::vector<PlotMark> marks;
    while (const auto mark = chartMark(kind, source, room, static_cast<int>(marks.size())))
        marks.push_back(*mark);
    return marks;
}

ClientId chartClient(const ChartSource& source, int bar) { return client_chart::clientAt(source, bar); }

std::optional<int> chartBarOf(const ChartSource& source, ClientId client)
{
    return client_chart::barOf(source, client);
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
