#include "ui/charts/plot_frame.h"

#include "ui/models/format.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr double kEdge = 2;        // at the sides and below
constexpr double kTop = 6;         // between the heading and the words above the area
constexpr double kRight = 12;      // the last column keeps off the edge
constexpr double kAboveAxes = 9;   // the highest label reaches over the axes' end
constexpr double kBesideLabel = 5; // between a label and the area

double widest(const std::vector<PlotLabel>& labels, const Look& look)
{
    double width = 0;
    for (const PlotLabel& label : labels)
        width = std::max(width, look.texts().width(look.fonts().small, label.text));
    return width;
}

} // namespace

std::vector<PlotLabel> labelsOf(const PlotAxis& axis)
{
    std::vector<PlotLabel> labels;
    if (axis.logarithmic) {
        const bool few = axis.to / axis.from < 50;
        for (double power = std::floor(std::log10(axis.from) + 1e-9); power <= std::log10(axis.to) + 1e-9;
             ++power)
            for (const double factor : few ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0})
                if (const double value = factor * std::pow(10.0, power);
                    value >= axis.from * (1 - 1e-9) && value <= axis.to * (1 + 1e-9))
                    labels.push_back({value, format::decimal(value, std::max(0, -static_cast<int>(power)))});
        return labels;
    }
    const double last = std::min(axis.to, axis.labelsTo) / axis.step + 1e-9;
    for (double i = std::ceil(axis.from / axis.step - 1e-9); i <= last; ++i) {
        QString text = format::decimal(i * axis.step, axis.decimals);
        if (!axis.unit.isEmpty())
            text += u' ' + axis.unit;
        labels.push_back({i * axis.step, std::move(text)});
    }
    return labels;
}

PlotFrame::PlotFrame(const Plot& plot, QSizeF size, const Look& look)
    : m_x(plot.x)
    , m_y(plot.y)
    , m_below(plot.x.labelled ? labelsOf(plot.x) : std::vector<PlotLabel>())
    , m_left(labelsOf(plot.y))
    , m_line(QFontMetricsF(look.fonts().small).height())
{
    const auto halfOf = [&](const PlotLabel& label) {
        return look.texts().width(look.fonts().small, label.text) / 2;
    };
    double left = widest(m_left, look) + kBesideLabel;
    double right = kRight;
    if (!m_below.empty()) {
        left = std::max(left, halfOf(m_below.front()));
        const double spare =
            (1 - shareAlong(m_below.back().value)) * std::max(0.0, size.width() - left - right);
        right = std::max(right, halfOf(m_below.back()) - spare);
    }
    // Whole pixels: lines along the axes are sharp.
    const double top = std::ceil(m_line + kAboveAxes + kTop);
    const double bottom =
        std::floor(size.height() - kTick - m_line * (plot.x.name.isEmpty() ? 1 : 2) - kEdge);
    left = std::ceil(left + kEdge);
    m_area = {left, top, std::max(1.0, std::floor(size.width() - right - kEdge) - left),
              std::max(1.0, bottom - top)};
}

double PlotFrame::keysTop() const { return m_area.top() - kAboveAxes - m_line; }

double PlotFrame::shareAlong(double value) const { return (value - m_x.from) / (m_x.to - m_x.from); }

double PlotFrame::shareUp(double value) const
{
    return m_y.logarithmic ? std::log(std::max(value, m_y.from) / m_y.from) / std::log(m_y.to / m_y.from)
                           : (value - m_y.from) / (m_y.to - m_y.from);
}

double PlotFrame::xAt(double value) const { return m_area.left() + shareAlong(value) * m_area.width(); }

double PlotFrame::yAt(double value) const { return m_area.bottom() - shareUp(value) * m_area.height(); }

} // namespace lockscope::ui
