// Draws the small picture of a scenario. The same plan and area give the same picture. GUI thread.
#pragma once

#include "ui/welcome/picture_plan.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace lockscope::ui {

struct Palette;

// Centered in `area`, as large as fits.
void paintScenario(QPainter& painter, const QRectF& area, const PicturePlan& plan, const Palette& palette,
                   const QFont& font);

} // namespace lockscope::ui
