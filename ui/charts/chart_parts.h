// The charts over time and those with bars, for charts.cpp. Pure; any thread.
#pragma once

#include "ui/charts/charts.h"

namespace lockscope::ui {

// The minimum number of handoffs for percentiles: with fewer, p99 is the slowest one.
constexpr std::uint64_t kEnoughHandoffs = 100;

QString latencyCaption(const replay::Histogram& handoff);
Plot latencyPlot(const replay::Histogram& handoff, QSize room); // of at least one handoff
ChartTable latencyTable(const replay::Histogram& handoff);

QString clientsCaption(const ChartSource& source);
Plot clientsPlot(const ChartSource& source, QSize room); // of at least one acquisition
ChartTable clientsTable(const ChartSource& source);

bool isTimeEmpty(ChartKind kind, const ChartSource& source);
QString timeCaption(ChartKind kind, const ChartSource& source);
Plot timePlot(ChartKind kind, const ChartSource& source, QSize room);
ChartTable timeTable(ChartKind kind, const ChartSource& source);
std::vector<double> timeValues(ChartKind kind, const ChartSource& source); // of each slice that has data

} // namespace lockscope::ui
