// Places the area of a plot and the labels of its axes: at the left, as many as do not overlap; below, as
// many as fit within the axis. Pure geometry; GUI thread, because it measures text.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/theme.h"

#include <QRectF>

namespace lockscope::ui {

struct PlotLabel
{
    double value = 0;
    QString text{};
    QRectF box{}; // of the text; empty before a PlotFrame places it
};
std::vector<PlotLabel> labelsOf(const PlotAxis& axis);

class PlotFrame
{
public:
    PlotFrame(const Plot& plot, QSizeF size, const Theme& theme);
    const QRectF& area() const { return m_area; }
    const std::vector<PlotLabel>& below() const { return m_below; }
    const std::vector<PlotLabel>& left() const { return m_left; }
    double lineHeight() const { return m_line; }
    double keysTop() const { return m_keysTop; } // of the legend above the area
    bool hasName() const { return m_hasName; }   // there is room for the lower axis' name
    double nameTop() const { return m_area.bottom() + kTick + m_line; }
    double xAt(double value) const;
    double yAt(double value) const;
    // Positions along the axes, from 0 to 1. On a logarithmic axis, values below its lower end are at 0.
    double shareAlong(double value) const;
    double shareUp(double value) const;

    static constexpr double kTick = 5; // the length of a tick mark

private:
    void placeLeft();
    void placeBelow(const Theme& theme);

    PlotAxis m_x, m_y;
    std::vector<PlotLabel> m_below, m_left;
    double m_line = 0, m_keysTop = 0;
    bool m_hasName = false;
    QRectF m_area;
};

} // namespace lockscope::ui
