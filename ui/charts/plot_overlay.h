// Paints below and above the shapes of Qt Charts. Below: the axes with their labels and the grid. Above: the
// measure and the legend, dashed lines, the names of bars and the cursor. Pure painting.
#pragma once

#include "ui/charts/plot_frame.h"

#include <QPainter>

namespace lockscope::ui {

void drawAxes(QPainter& painter, const PlotFrame& frame, const Theme& theme);
void drawOverlay(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Theme& theme);

} // namespace lockscope::ui
