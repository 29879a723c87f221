// Acquisitions per client: sorted bars, or their profile when there are many. Pure.
#pragma once

#include "ui/charts/charts.h"

namespace lockscope::ui::client_chart {

bool empty(const ChartSource& source);
QString caption(const ChartSource& source);
Plot plot(const ChartSource& source, QSize room);
ChartTable table(const ChartSource& source);
std::optional<int> barAt(const ChartSource& source, double x);
std::optional<PlotMark> mark(const ChartSource& source, int bar);
std::vector<PlotMark> marks(const ChartSource& source);
ClientId clientAt(const ChartSource& source, int bar);
std::optional<int> barOf(const ChartSource& source, ClientId client);

} // namespace lockscope::ui::client_chart
