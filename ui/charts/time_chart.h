// The charts whose axis is the time of the run. Pure.
#pragma once

#include "ui/charts/charts.h"

namespace lockscope::ui::time_chart {

bool empty(ChartKind kind, const ChartSource& source);
QString percentilesCaption(const replay::Histogram& handoff);
QString caption(ChartKind kind, const ChartSource& source);
Plot plot(ChartKind kind, const ChartSource& source, QSize room);
QString tip(ChartKind kind, const ChartSource& source, QSize room, double x);
std::optional<TraceTime> timeAt(const ChartSource& source, double x);
Duration step(ChartKind kind, const ChartSource& source, QSize room);
ChartTable table(ChartKind kind, const ChartSource& source);

} // namespace lockscope::ui::time_chart
