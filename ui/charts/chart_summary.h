// A chart's figures as text, for accessibility: minimum, median and maximum up to the cursor. Pure; any
// thread.
#pragma once

#include "ui/charts/charts.h"

namespace lockscope::ui {

QString chartSummary(ChartKind kind, const ChartSource& source); // empty without data

} // namespace lockscope::ui
