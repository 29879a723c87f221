// The charts there are: what each shows of a run at its cursor, in words, as a drawing and as a table. Of all
// locks together. Those over time show the run as far as the cursor ever was, and mark where it is; the
// others show what was until the cursor. Pure; cost what the picture can show, and not what happened.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/replay/state/series.h"
#include "ui/charts/plot.h"

#include <QSize>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace lockscope::ui {

enum class ChartKind { latency, percentiles, queueLength, wakeUps, requests, fairness };
inline constexpr std::array kCharts{ChartKind::latency, ChartKind::percentiles, ChartKind::queueLength,
                                    ChartKind::wakeUps, ChartKind::requests,    ChartKind::fairness};

struct ChartSource
{
    const replay::RunState& state; // at the cursor
    const replay::Series& series;
    TraceTime cursor{};
    bool following = true; // the cursor is at the end: it needs no mark
};

struct ChartTable
{
    QStringList titles{}; // the same in every language, units in their names
    std::vector<QStringList> rows{};
};

QString chartName(ChartKind kind); // "queue-length": for --view and files; never translated
QString chartTitle(ChartKind kind);
// One line with the main number, and shorter ones behind kVariantSeparator that leave out what tells least; may be
// empty.
QString chartCaption(ChartKind kind, const ChartSource& source);
// Said while there is nothing to show. `watches`: the run only watches.
QString chartEmptyText(ChartKind kind, bool watches = false);
Plot chartPlot(ChartKind kind, const ChartSource& source, QSize room);
ChartTable chartTable(ChartKind kind, const ChartSource& source);

bool isOverTime(ChartKind kind);
QString chartTip(ChartKind kind, const ChartSource& source, QSize room, double x); // what lies there, shortly
QString chartHelp(ChartKind kind); // what a click and which keys do

// Of the charts over time: the moment that a click leads to.
std::optional<TraceTime> chartTime(const ChartSource& source, double x);
Duration chartStep(ChartKind kind, const ChartSource& source, QSize room); // how far a key moves the cursor

// Of the two others: their bars, counted from the left. None where there is no such bar.
std::optional<int> chartBarAt(ChartKind kind, const ChartSource& source, QSize room, double x);
std::optional<PlotMark> chartMark(ChartKind kind, const ChartSource& source, QSize room, int bar);
ClientId chartClient(const ChartSource& source, int bar); // of the chart of clients
std::optional<int> chartBarOf(const ChartSource& source, ClientId client);

} // namespace lockscope::ui
