// What is written beside the columns that are cut: neighbours that are too near for a number each share one
// text with the numbers of all. Pure geometry; GUI thread, for the widths of words.
#pragma once

#include "ui/charts/plot_frame.h"

namespace lockscope::ui {

struct OverflowLabel
{
    QRectF box{};
    QString text{}; // from left to right: "12.3, 8.1"; of many the lowest and the highest
};

constexpr double kOverflowHead = 4; // half the width of the arrow head on a column that is cut

std::vector<OverflowLabel> overflowLabels(const Plot& plot, const PlotFrame& frame, const Theme& theme);

} // namespace lockscope::ui
