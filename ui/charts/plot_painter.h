// Draws a plot: its axes, its areas and lines from back to front. Pure painting.
#pragma once

#include "ui/charts/plot_frame.h"

#include <QPainter>

namespace lockscope::ui {

void drawPlot(QPainter& painter, const Plot& plot, const PlotFrame& frame, const Look& look);

} // namespace lockscope::ui
