// Draws the axes of a plot with their labels, and its grid. Pure painting.
#pragma once

#include "ui/charts/plot_frame.h"

#include <QPainter>

namespace lockscope::ui {

void drawAxes(QPainter& painter, const PlotFrame& frame, const Theme& theme);

} // namespace lockscope::ui
