// The colors of a plot's layers, and the dashes by which its lines differ as well. Pure; any thread.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/palette.h"

#include <QPen>

namespace lockscope::ui {

QColor toneColour(const PlotLayer& layer, const Palette& palette);
QPen tonePen(const PlotLayer& layer, const Palette& palette);
QColor dotColour(const PlotLayer& layer, const Palette& palette); // darker where many overlap
QColor futureVeil(const Palette& palette);                        // drawn over the part after the cursor

} // namespace lockscope::ui
