#include "ui/charts/chart_canvas.h"

#include "ui/charts/plot_overlay.h"
#include "ui/charts/plot_tones.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {

constexpr QSize kAround(50, 45); // approximate room for labels and margins

// The Qt Charts objects of one layer.
struct Drawn
{
    QLineSeries* edge = nullptr;
    QAreaSeries* area = nullptr;           // null: only the edge is drawn
    QLineSeries* base = nullptr;           // of the area; null: the axis
    bool painted() const { return !edge; } // no series: Qt Charts makes an item of each dot
    QAbstractSeries* series() const { return area ? static_cast<QAbstractSeries*>(area) : edge; }
};

// Paints, below and above the series, what Qt Charts cannot draw, and the labels, which it draws slowly: it
// makes a text document of each label whenever the range of an axis moves.
class View : public QChartView
{
public:
    View(const Theme& theme, QChart* chart, QWidget* parent)
        : QChartView(chart, parent)
        , frame(plot, {}, theme)
        , m_theme(theme)
    {}
    Plot plot;
    PlotFrame frame;

protected:
    void drawBackground(QPainter* painter, const QRectF&) override
    {
        painter->setRenderHint(QPainter::Antialiasing, false);
        if (!plot.layers.empty())
            drawAxes(*painter, frame, m_theme);
        painter->setRenderHint(QPainter::Antialiasing);
    }
    void drawForeground(QPainter* painter, const QRectF&) override
    {
        if (!plot.layers.empty())
            drawOverlay(*painter, plot, frame, m_theme);
    }

private:
    const Theme& m_theme;
};

bool sameShapes(const std::vector<PlotLayer>& a, const std::vector<PlotLayer>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const PlotLayer& one, const PlotLayer& other) {
                          return one.shape == other.shape && one.tone == other.tone &&
                                 one.client == other.client && (one.base > 0) == (other.base > 0);
                      });
}

// Points as shares of the axes. The axes of Qt Charts always run from 0 to 1, because each change of a range
// lays out the whole chart again.
QList<QPointF> shares(const QList<QPointF>& points, const PlotFrame& frame)
{
    QList<QPointF> shares;
    shares.reserve(points.size());
    for (const QPointF& point : points)
        shares.append({frame.shareAlong(point.x()), frame.shareUp(point.y())});
    return shares;
}

} // namespace

struct ChartCanvas::Impl
{
    const Theme& theme;
    View* view = nullptr;
    QChart* chart = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;
    std::vector<Drawn> drawn;

    void layOut();
    void makeSeries();
    void dress();
};

void ChartCanvas::Impl::layOut()
{
    view->frame = PlotFrame(view->plot, view->size(), theme);
    if (chart->plotArea() != view->frame.area())
        chart->setPlotArea(view->frame.area());
}

void ChartCanvas::Impl::makeSeries()
{
    chart->removeAllSeries();
    drawn.clear();
    for (const PlotLayer& layer : view->plot.layers) {
        Drawn& one = drawn.emplace_back();
        if (layer.shape == PlotLayer::Shape::dots)
            continue;
        one.edge = new QLineSeries;
        if (layer.shape == PlotLayer::Shape::area) {
            one.area = new QAreaSeries(one.edge);
            one.edge->setParent(one.area);
            if (layer.base > 0) {
                one.base = new QLineSeries(one.area);
                one.area->setLowerSeries(one.base);
            }
        }
        chart->addSeries(one.series());
        one.series()->attachAxis(x);
        one.series()->attachAxis(y);
    }
    dress();
}

void ChartCanvas::Impl::dress()
{
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const PlotLayer& layer = view->plot.layers[i];
        if (drawn[i].painted())
            continue;
        if (drawn[i].area) {
            drawn[i].area->setBrush(toneColour(layer, theme.palette()));
            drawn[i].area->setPen(Qt::NoPen);
        } else {
            drawn[i].edge->setPen(tonePen(layer, theme.palette()));
        }
    }
}

ChartCanvas::ChartCanvas(const Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_impl(std::make_unique<Impl>(Impl{*theme, {}, {}, {}, {}, {}}))
{
    Impl& d = *m_impl;
    d.chart = new QChart;
    d.chart->legend()->hide();
    d.chart->setAnimationOptions(QChart::NoAnimation);
    d.chart->setBackgroundVisible(false);
    d.view = new View(*theme, d.chart, this); // owns the chart
    d.x = new QValueAxis;
    d.y = new QValueAxis;
    for (QValueAxis* axis : {d.x, d.y}) {
        axis->setRange(0, 1);
        axis->setVisible(false);
    }
    d.chart->addAxis(d.x, Qt::AlignBottom);
    d.chart->addAxis(d.y, Qt::AlignLeft);
    d.view->setRenderHint(QPainter::Antialiasing);
    d.view->setFrameShape(QFrame::NoFrame);
    d.view->setFocusPolicy(Qt::NoFocus);
    d.view->setAttribute(Qt::WA_TransparentForMouseEvents);
    d.view->setMinimumSize(1, 1);
    d.view->viewport()->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(d.view);
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::show(const Plot& plot)
{
    Impl& d = *m_impl;
    const bool remade = !sameShapes(d.view->plot.layers, plot.layers);
    d.view->plot = plot;
    d.layOut();
    if (remade)
        d.makeSeries();
    for (std::size_t i = 0; i < d.drawn.size(); ++i) {
        const PlotLayer& layer = plot.layers[i];
        if (d.drawn[i].painted())
            continue;
        d.drawn[i].edge->replace(shares(layer.points, d.view->frame));
        if (d.drawn[i].base && !layer.points.isEmpty())
            d.drawn[i].base->replace(
                shares({{layer.points.front().x(), layer.base}, {layer.points.back().x(), layer.base}},
                       d.view->frame));
    }
    d.view->viewport()->update();
}

void ChartCanvas::updateTheme()
{
    m_impl->layOut();
    m_impl->dress();
    m_impl->view->viewport()->update();
}

QSize ChartCanvas::plotAreaWithin(QSize size) { return (size - kAround).expandedTo(QSize(1, 1)); }

std::optional<double> ChartCanvas::placeAt(const QPoint& point) const
{
    const QRectF& area = plotArea();
    if (shown().layers.empty() || point.x() < area.left() || point.x() > area.right())
        return std::nullopt;
    const PlotAxis& axis = shown().x;
    return axis.from + (point.x() - area.left()) / area.width() * (axis.to - axis.from);
}

const Plot& ChartCanvas::shown() const { return m_impl->view->plot; }

const QRectF& ChartCanvas::plotArea() const { return m_impl->view->frame.area(); }

int ChartCanvas::shownLabels() const { return static_cast<int>(m_impl->view->frame.below().size()); }

void ChartCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    m_impl->layOut();
}

} // namespace lockscope::ui
