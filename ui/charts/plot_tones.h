// The colours of a plot's layers, and how its lines differ in their dashes too. Pure.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/palette.h"

#include <QPen>

namespace lockscope::ui {

QColor toneColour(const PlotLayer& layer, const Palette& palette);
QPen tonePen(const PlotLayer& layer, const Palette& palette);
QColor dotColour(const PlotLayer& layer, const Palette& palette); // where many lie, it is darker
QColor futureVeil(const Palette& palette); // over what comes after the cursor

} // namespace lockscope::ui
