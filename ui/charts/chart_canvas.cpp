#include "ui/charts/chart_canvas.h"

#include "ui/charts/plot_overlay.h"
#include "ui/charts/plot_painter.h"

namespace lockscope::ui {

namespace {

constexpr QSize kAround(62, 50); // about what labels and margins take

} // namespace

ChartCanvas::ChartCanvas(const Look* look, QWidget* parent)
    : QWidget(parent)
    , m_look(look)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void ChartCanvas::show(const Plot& plot)
{
    m_plot = plot;
    update();
}

QSize ChartCanvas::roomWithin(QSize size) { return (size - kAround).expandedTo(QSize(1, 1)); }

std::optional<double> ChartCanvas::placeAt(const QPoint& point) const
{
    const QRectF area = plotArea();
    if (m_plot.layers.empty() || point.x() < area.left() || point.x() > area.right())
        return std::nullopt;
    return m_plot.x.from + (point.x() - area.left()) / area.width() * (m_plot.x.to - m_plot.x.from);
}

QRectF ChartCanvas::plotArea() const { return PlotFrame(m_plot, size(), *m_look).area(); }

int ChartCanvas::shownLabels() const { return static_cast<int>(labelsOf(m_plot.x).size()); }

void ChartCanvas::paintEvent(QPaintEvent*)
{
    if (m_plot.layers.empty())
        return;
    QPainter painter(this);
    const PlotFrame frame(m_plot, size(), *m_look);
    drawPlot(painter, m_plot, frame, *m_look);
    drawOverlay(painter, m_plot, frame, *m_look);
}

} // namespace lockscope::ui
