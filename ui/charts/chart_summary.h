// The figures of a chart in words, for who cannot see it: least, median and most of what it draws, up to the
// cursor. Pure.
#pragma once

#include "ui/charts/charts.h"

namespace lockscope::ui {

QString chartSummary(ChartKind kind, const ChartSource& source); // empty while there is nothing

} // namespace lockscope::ui
