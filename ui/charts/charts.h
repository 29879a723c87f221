// The charts: their texts, plots and tables for a run at its cursor. They aggregate all locks. Charts over
// time show the run up to the farthest position of the cursor, and mark the cursor; the others show the run
// up to the cursor. Pure; the cost depends on the size of the picture, not on the length of the run.
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
    bool following = true; // the cursor is at the end and not marked
};

struct ChartTable
{
    QStringList titles{}; // the same in every language; contain the units
    std::vector<QStringList> rows{};
};

QString chartName(ChartKind kind); // "queue-length": for --view and files; never translated
QString chartTitle(ChartKind kind);
// One line with the main number, and shorter variants behind kVariantSeparator; may be empty.
QString chartCaption(ChartKind kind, const ChartSource& source);
// The text of an empty chart. `watches`: the run only watches a lock of other programs.
QString chartEmptyText(ChartKind kind, bool watches = false);
Plot chartPlot(ChartKind kind, const ChartSource& source, QSize room);
ChartTable chartTable(ChartKind kind, const ChartSource& source);

bool isOverTime(ChartKind kind);
QString chartTip(ChartKind kind, const ChartSource& source, QSize room,
                 double x);        // about the column or bar at x
QString chartHelp(ChartKind kind); // what a click and the keys do

// For charts over time: the moment to which a click moves the cursor.
std::optional<TraceTime> chartTime(const ChartSource& source, double x);
Duration chartStep(ChartKind kind, const ChartSource& source, QSize room); // how far a key moves the cursor

// For the other two: their bars, counted from the left. nullopt: there is no such bar.
std::optional<int> chartBarAt(ChartKind kind, const ChartSource& source, QSize room, double x);
std::optional<PlotMark> chartMark(ChartKind kind, const ChartSource& source, QSize room, int bar);
std::vector<PlotMark> chartMarks(ChartKind kind, const ChartSource& source, QSize room); // of all bars
ClientId chartClient(const ChartSource& source, int bar); // of the fairness chart
std::optional<int> chartBarOf(const ChartSource& source, ClientId client);

} // namespace lockscope::ui
