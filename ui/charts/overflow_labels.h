// The labels of columns that exceed the axis: adjacent columns that are too close for separate numbers share
// one label. Pure geometry; GUI thread, because it measures text.
#pragma once

#include "ui/charts/plot_frame.h"

namespace lockscope::ui {

struct OverflowLabel
{
    QRectF box{};
    QString text{}; // from left to right: "12.3, 8.1"; for many, the lowest and the highest
};

constexpr double kOverflowHead = 4; // half the width of the arrow head on such a column

std::vector<OverflowLabel> overflowLabels(const Plot& plot, const PlotFrame& frame, const Theme& theme);

} // namespace lockscope::ui
