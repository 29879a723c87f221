// The histogram of handoff latencies. Pure.
#pragma once

#include "ui/charts/charts.h"

namespace lockscope::ui::latency_chart {

Plot plot(const replay::Histogram& handoff, QSize room); // of at least one handoff
ChartTable table(const replay::Histogram& handoff);
std::optional<int> barAt(const replay::Histogram& handoff, QSize room, double x);
std::optional<PlotMark> mark(const replay::Histogram& handoff, QSize room, int bar);

} // namespace lockscope::ui::latency_chart
