#include "ui/charts/chart_parts.h"

#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/texts/watched_lock_text.h"

#include <algorithm>

namespace lockscope::ui {

QString chartName(ChartKind kind)
{
    static constexpr std::array names{"latency",  "percentiles", "queue-length",
                                      "wake-ups", "requests",    "fairness"};
    return QString::fromLatin1(names[static_cast<std::size_t>(kind)]);
}

QString chartTitle(ChartKind kind)
{
    const std::array titles{MenuTexts::tr("Handoff latency"),
                            MenuTexts::tr("Handoff latency over time"),
                            MenuTexts::tr("Queue length"),
                            MenuTexts::tr("Wake-ups per release"),
                            MenuTexts::tr("Requests per acquisition"),
                            MenuTexts::tr("Acquisitions per client")};
    return titles[static_cast<std::size_t>(kind)];
}

bool isOverTime(ChartKind kind) { return kind != ChartKind::latency && kind != ChartKind::fairness; }

QString chartCaption(ChartKind kind, const ChartSource& source)
{
    if (kind == ChartKind::latency || kind == ChartKind::percentiles)
        return latencyCaption(source.state.statistics.handoff);
    return kind == ChartKind::fairness ? clientsCaption(source) : timeCaption(kind, source);
}

QString chartEmptyText(ChartKind kind, bool watches)
{
    const bool handoffs = kind == ChartKind::latency || kind == ChartKind::percentiles;
    if (watches && handoffs)
        return ChartText::tr("Watch-only run: on the server, the next client in line holds the lock as soon "
                             "as the node ahead of it is deleted. When the client notices that is unknown.");
    if (watches && kind != ChartKind::queueLength)
        return watchedUnknownText();
    if (handoffs)
        return ChartText::tr(
            "No handoff yet: the chart fills as the lock passes from one client to the next.");
    if (kind == ChartKind::queueLength)
        return ChartText::tr("No node yet: the chart fills as clients ask for the lock.");
    return kind == ChartKind::wakeUps
               ? ChartText::tr("No wake-up yet: the chart fills as watched nodes are deleted.")
               : ChartText::tr("No acquisition yet: the chart fills as clients get the lock.");
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

Plot chartPlot(ChartKind kind, const ChartSource& source, QSize room)
{
    const replay::Statistics& soFar = source.state.statistics;
    if (kind == ChartKind::latency)
        return soFar.handoff.count() > 0 ? latencyPlot(soFar.handoff, room) : Plot();
    if (kind == ChartKind::fairness)
        return soFar.acquired > 0 ? clientsPlot(source, room) : Plot();
    return isTimeEmpty(kind, source) ? Plot() : timePlot(kind, source, room);
}

ChartTable chartTable(ChartKind kind, const ChartSource& source)
{
    if (kind == ChartKind::latency)
        return latencyTable(source.state.statistics.handoff);
    return kind == ChartKind::fairness ? clientsTable(source) : timeTable(kind, source);
}

QString chartSummary(ChartKind kind, const ChartSource& source)
{
    const auto spread = [](const QString& least, const QString& median, const QString& most) {
        return ChartText::tr("minimum %1, median %2, maximum %3").arg(least, median, most);
    };
    const replay::Statistics& soFar = source.state.statistics;
    if (kind == ChartKind::latency || kind == ChartKind::percentiles)
        return soFar.handoff.count() == 0 ? QString()
                                          : spread(format::duration(soFar.handoff.percentile(0)),
                                                   format::duration(soFar.handoff.percentile(50)),
                                                   format::duration(soFar.handoff.max()));
    std::vector<double> values;
    if (kind != ChartKind::fairness)
        values = timeValues(kind, source);
    else if (soFar.acquired > 0)
        for (const replay::ClientRow& client : source.state.clients)
            if (client.id.valid())
                values.push_back(client.acquired);
    if (values.empty())
        return {};
    std::ranges::sort(values);
    const auto text = [kind](double value) {
        return kind == ChartKind::fairness ? format::count(static_cast<quint64>(value))
                                           : format::ratio(value);
    };
    return spread(text(values.front()), text(values[values.size() / 2]),
                  kind == ChartKind::queueLength ? format::count(soFar.longestQueue) : text(values.back()));
}

QString chartBarText(const PlotBar& bar)
{
    const int count = static_cast<int>(bar.count);
    return ChartText::tr("%1: %2").arg(bar.label, bar.client.valid()
                                                      ? ChartText::tr("%Ln acquisitions", nullptr, count)
                                                      : ChartText::tr("%Ln handoffs", nullptr, count));
}

void markBar(Plot& plot, int bar)
{
    plot.mark = bar;
    const PlotBar& chosen = plot.bars[static_cast<std::size_t>(bar)];
    const double height = static_cast<double>(chosen.count);
    plot.layers.push_back({PlotLayer::Shape::area,
                           PlotTone::mark,
                           0,
                           chartBarText(chosen),
                           {{bar - kBarWidth / 2, height}, {bar + kBarWidth / 2, height}}});
}

} // namespace lockscope::ui
