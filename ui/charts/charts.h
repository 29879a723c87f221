// The charts: their texts, plots and tables for a run at its cursor. They aggregate all locks. Charts over
// time show the run up to the farthest position of the cursor, and mark the cursor; the others show the run
// up to the cursor. Pure; the cost depends on the size of the picture, not on the length of the run.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/replay/state/series.h"
#include "ui/charts/plot.h"

#include <QCoreApplication>
#include <QSize>
#include <QStringList>

#include <array>

namespace lockscope::ui {

enum class ChartKind { latency, percentiles, queueLength, wakeUps, requests, fairness };
inline constexpr std::array kCharts{ChartKind::latency, ChartKind::percentiles, ChartKind::queueLength,
                                    ChartKind::wakeUps, ChartKind::requests,    ChartKind::fairness};

struct ChartSource
{
    const replay::RunState& state; // at the cursor
    const replay::Series& series;
    TraceTime cursor{};
    bool following = true; // the cursor is at the end and not marked
    bool grows = false;    // the run goes on
};

struct ChartTable
{
    QStringList titles{}; // the same in every language; contain the units
    std::vector<QStringList> rows{};
};

struct ChartText // the translation context of all charts
{
    Q_DECLARE_TR_FUNCTIONS(Charts)
};

QString chartName(ChartKind kind); // "queue-length": for --view and files; never translated
QString chartTitle(ChartKind kind);
// One line with the main number, and shorter variants behind kVariantSeparator; may be empty.
QString chartCaption(ChartKind kind, const ChartSource& source);
// The text of an empty chart. `watches`: the run only watches a lock of other programs.
QString chartEmptyText(ChartKind kind, bool watches = false);
QString chartHelp(ChartKind kind); // what a click and the keys do
bool isOverTime(ChartKind kind);

Plot chartPlot(ChartKind kind, const ChartSource& source, QSize room);
ChartTable chartTable(ChartKind kind, const ChartSource& source);
// "minimum 1, median 2, maximum 4"; empty without data.
QString chartSummary(ChartKind kind, const ChartSource& source);
QString chartBarText(const PlotBar& bar); // "0.2 ms to 0.4 ms: 12 handoffs"
void markBar(Plot& plot, int bar);        // frames it, and says its text in the legend
// Of a chart over time: its column at this place.
QString chartTip(ChartKind kind, const ChartSource& source, QSize room, double x);

} // namespace lockscope::ui
