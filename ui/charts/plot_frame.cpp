#include "ui/charts/plot_frame.h"

#include "ui/models/format.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockscope::ui {

namespace {

constexpr double kFrameEdge = 2;      // at the sides and below
constexpr double kKeysTop = 4;        // between the heading and the text above the area
constexpr double kRight = 12;         // keeps the last column off the edge
constexpr double kAboveArea = 3;      // the highest label is beside the text above, not below it
constexpr double kOverflowRoom = 7;   // above a column that exceeds the area
constexpr double kBesideLabel = 5;    // between a label and the area
constexpr double kMinAreaHeight = 70; // of an area with a name below its labels
constexpr double kBetweenBelow = 6;   // from one label below the area to the next
constexpr double kLabelSpacing = 1.3; // lines, from one label at the left to the next

double widest(const std::vector<PlotLabel>& labels, const Theme& theme)
{
    double width = 0;
    for (const PlotLabel& label : labels)
        width = std::max(width, theme.texts().width(theme.fonts().small, label.text));
    return width;
}

} // namespace

std::vector<PlotLabel> labelsOf(const PlotAxis& axis)
{
    std::vector<PlotLabel> labels;
    if (axis.logarithmic) {
        for (double power = std::floor(std::log10(axis.from) + 1e-9); power <= std::log10(axis.to) + 1e-9;
             ++power)
            for (const double factor : {1.0, 2.0, 5.0})
                if (const double value = factor * std::pow(10.0, power);
                    value >= axis.from * (1 - 1e-9) && value <= axis.to * (1 + 1e-9))
                    labels.push_back(
                        {value, format::decimal(value, std::max(0, -static_cast<int>(power))), {}});
        return labels;
    }
    const double last = std::min(axis.to, axis.labelsTo) / axis.step + 1e-9;
    for (double i = std::ceil(axis.from / axis.step - 1e-9); i <= last; ++i) {
        QString text = format::decimal(i * axis.step, axis.decimals);
        if (!axis.unit.isEmpty())
            text += u' ' + axis.unit;
        labels.push_back({i * axis.step, std::move(text), {}});
    }
    return labels;
}

PlotFrame::PlotFrame(const Plot& plot, QSizeF size, const Theme& theme)
    : m_x(plot.x)
    , m_y(plot.y)
    , m_below(plot.x.labelled ? labelsOf(plot.x) : std::vector<PlotLabel>())
    , m_left(labelsOf(plot.y))
    , m_line(QFontMetricsF(theme.fonts().small).height())
{
    // Whole pixels keep the lines along the axes sharp.
    m_keysTop = kKeysTop;
    const double top = std::ceil(m_keysTop + m_line + (plot.overflow.empty() ? kAboveArea : kOverflowRoom));
    const double lowest = std::floor(size.height() - kTick - m_line - kFrameEdge);
    m_hasName = !plot.x.name.isEmpty() && lowest - m_line - top >= kMinAreaHeight;
    const double bottom = m_hasName ? std::floor(lowest - m_line) : lowest;
    const double left = std::ceil(widest(m_left, theme) + kBesideLabel + kFrameEdge);
    m_area = {left, top, std::max(1.0, std::floor(size.width() - kRight - kFrameEdge) - left),
              std::max(1.0, bottom - top)};
    placeLeft();
    placeBelow(theme);
}

// Keeps as many labels as there is room for: of a logarithmic axis, the powers of ten and the lowest label;
// of a linear one, the highest, the lowest and those at even distances between.
void PlotFrame::placeLeft()
{
    const auto apart = [this](std::size_t every) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = every; i < m_left.size(); i += every)
            least = std::min(least, yAt(m_left[i - every].value) - yAt(m_left[i].value));
        return least;
    };
    if (m_y.logarithmic && apart(1) < kLabelSpacing * m_line) {
        const double lowest = m_left.front().value;
        std::erase_if(m_left, [lowest](const PlotLabel& label) {
            const double power = std::log10(label.value);
            return label.value > lowest && std::abs(power - std::round(power)) > 1e-9;
        });
        if (m_left.size() > 2 && yAt(lowest) - yAt(m_left[1].value) < kLabelSpacing * m_line)
            m_left.erase(m_left.begin());
    }
    std::vector<PlotLabel> kept;
    const std::size_t last = m_left.empty() ? 0 : m_left.size() - 1;
    for (std::size_t every = 1; every <= last && kept.empty(); ++every)
        if (last % every == 0 && apart(every) >= kLabelSpacing * m_line)
            for (std::size_t i = 0; i <= last; i += every)
                kept.push_back(m_left[i]);
    if (kept.empty() && !m_left.empty())
        kept.push_back(m_left.back());
    m_left = std::move(kept);
    for (PlotLabel& label : m_left)
        label.box = {0, std::round(yAt(label.value)) - m_line / 2, m_area.left() - kTick, m_line};
}

// Centers each label at its value, but keeps the first and the last within the axis. Keeps only every second,
// third, ... label if not all have room.
void PlotFrame::placeBelow(const Theme& theme)
{
    for (PlotLabel& label : m_below) {
        const double width = theme.texts().width(theme.fonts().small, label.text) + 2;
        const double most = std::max(m_area.left(), m_area.right() - width);
        label.box = {std::clamp(xAt(label.value) - width / 2, m_area.left(), most), m_area.bottom() + kTick,
                     width, m_line};
    }
    const auto collide = [this](std::size_t every) {
        for (std::size_t i = every; i < m_below.size(); i += every)
            if (m_below[i].box.left() < m_below[i - every].box.right() + kBetweenBelow)
                return true;
        return false;
    };
    // The first and the last label stay as long as these two have room.
    const std::size_t last = m_below.empty() ? 0 : m_below.size() - 1;
    std::size_t every = 1;
    while (every <= last && (last % every != 0 || collide(every)))
        ++every;
    std::vector<PlotLabel> kept;
    for (std::size_t i = 0; i < m_below.size(); i += every)
        kept.push_back(std::move(m_below[i]));
    m_below = std::move(kept);
}

double PlotFrame::shareAlong(double value) const { return (value - m_x.from) / (m_x.to - m_x.from); }

double PlotFrame::shareUp(double value) const
{
    return m_y.logarithmic ? std::log(std::max(value, m_y.from) / m_y.from) / std::log(m_y.to / m_y.from)
                           : (value - m_y.from) / (m_y.to - m_y.from);
}

double PlotFrame::xAt(double value) const { return m_area.left() + shareAlong(value) * m_area.width(); }

double PlotFrame::yAt(double value) const { return m_area.bottom() - shareUp(value) * m_area.height(); }

} // namespace lockscope::ui
