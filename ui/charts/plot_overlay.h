// What is painted over a chart: the measure and the keys above it, dashed lines, names below the bars, and where
// the cursor is. Also the colours of the layers. Pure painting.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/look.h"

#include <QMargins>
#include <QPainter>

namespace lockscope::ui {

QColor toneColour(const PlotLayer& layer, const Palette& palette);
QPen tonePen(const PlotLayer& layer, const Palette& palette); // lines differ in their dashes too
QMargins overlayMargins(bool named, const Look* look);        // around the chart, for its words
void drawOverlay(QPainter& painter, const Plot& plot, const QRectF& area, const Look& look);

} // namespace lockscope::ui
