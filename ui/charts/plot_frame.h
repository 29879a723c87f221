// Where the things of a plot go: the area that its axes enclose, and their labels: those at the left as many
// as keep apart, those below within the axis. Pure geometry; GUI thread, for the widths of words.
#pragma once

#include "ui/charts/plot.h"
#include "ui/models/theme.h"

#include <QRectF>

namespace lockscope::ui {

struct PlotLabel
{
    double value = 0;
    QString text{};
    QRectF box{}; // of the text; empty without a frame
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
    double keysTop() const { return m_keysTop; }                        // of the line of words above the area
    bool hasName() const { return m_hasName; } // of the lower axis: there is room for it
    double nameTop() const { return m_area.bottom() + kTick + m_line; }
    double xAt(double value) const;
    double yAt(double value) const;
    // Along the axes, from 0 to 1; on a logarithmic one, what is below its lower end lies on that.
    double shareAlong(double value) const;
    double shareUp(double value) const;

    static constexpr double kTick = 5; // what points from an axis to its label

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
