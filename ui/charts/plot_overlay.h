// What is painted over a chart: the measure and the keys above it, dashed lines, names below the bars, and
// where the cursor is. Pure painting.
#pragma once

#include "ui/charts/plot_frame.h"

#include <QPainter>

namespace lockscope::ui {

void drawOverlay(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Theme& theme);

} // namespace lockscope::ui
