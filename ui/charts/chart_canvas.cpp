#include "ui/charts/chart_canvas.h"

#include "ui/charts/plot_overlay.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QLogValueAxis>
#include <QtCharts/QValueAxis>

#include <QGraphicsLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {

constexpr QSize kAround(62, 50); // about what labels and margins take

// One layer as Qt Charts has it.
struct Drawn
{
    QLineSeries* edge = nullptr;
    QAreaSeries* area = nullptr; // null: the edge alone
    QAbstractSeries* series() const { return area ? static_cast<QAbstractSeries*>(area) : edge; }
};

// Paints over the chart what Qt Charts has no words for.
class View : public QChartView
{
public:
    View(QChart* chart, QWidget* parent)
        : QChartView(chart, parent)
    {}
    Plot plot;
    const Look* look = nullptr;

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override
    {
        QChartView::drawForeground(painter, rect);
        if (look && !plot.layers.empty())
            drawOverlay(*painter, plot, chart()->plotArea(), *look);
    }
};

QString labelFormat(const PlotAxis& axis)
{
    return QStringLiteral("%.%1f").arg(axis.decimals) + (axis.unit.isEmpty() ? QString() : u' ' + axis.unit);
}

// Labels at every multiple of the step: a step that is fine for one range is far too many for another, so
// what is coarser comes first.
void setAxis(QValueAxis& axis, const PlotAxis& plan)
{
    const auto range = [&] { axis.setRange(plan.from, plan.to); };
    if (plan.step >= axis.tickInterval()) {
        axis.setTickInterval(plan.step);
        range();
    } else {
        range();
        axis.setTickInterval(plan.step);
    }
    if (const QString format = labelFormat(plan); axis.labelFormat() != format)
        axis.setLabelFormat(format); // lays the chart out anew even when it is the same
    axis.setLabelsVisible(plan.labelled);
}

bool sameShapes(const std::vector<PlotLayer>& a, const std::vector<PlotLayer>& b)
{
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [](const PlotLayer& one, const PlotLayer& other) {
            return one.shape == other.shape && one.tone == other.tone && one.client == other.client;
        });
}

// On a logarithmic axis what is zero lies on its lower end: Qt Charts complains of each such point otherwise.
QList<QPointF> drawable(QList<QPointF> points, const PlotAxis& y)
{
    if (y.logarithmic)
        for (QPointF& point : points)
            point.setY(std::max(point.y(), y.from));
    return points;
}

} // namespace

struct ChartCanvas::Impl
{
    View* view = nullptr;
    QChart* chart = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;
    QLogValueAxis* log = nullptr;
    std::vector<Drawn> drawn;

    void addAxes();
    void setAxes(const PlotAxis& lower, const PlotAxis& left);
    void makeSeries();
    void paint();
};

void ChartCanvas::Impl::addAxes()
{
    x = new QValueAxis;
    y = new QValueAxis;
    log = new QLogValueAxis;
    for (QValueAxis* axis : {x, y}) {
        axis->setTickType(QValueAxis::TicksDynamic);
        axis->setTickAnchor(0);
    }
    x->setGridLineVisible(false);
    y->setLineVisible(false);
    log->setLineVisible(false);
    chart->addAxis(x, Qt::AlignBottom);
    chart->addAxis(y, Qt::AlignLeft);
    chart->addAxis(log, Qt::AlignLeft);
    log->setVisible(false);
}

void ChartCanvas::Impl::setAxes(const PlotAxis& lower, const PlotAxis& left)
{
    setAxis(*x, lower);
    y->setVisible(!left.logarithmic);
    log->setVisible(left.logarithmic);
    if (left.logarithmic) {
        log->setRange(left.from * (1 - 1e-6), left.to); // else rounding takes the lowest label
        log->setLabelFormat(QStringLiteral("%.9g"));    // it draws none for %g
    } else
        setAxis(*y, left);
}

void ChartCanvas::Impl::makeSeries()
{
    chart->removeAllSeries();
    drawn.clear();
    for (const PlotLayer& layer : view->plot.layers) {
        Drawn one;
        one.edge = new QLineSeries;
        if (layer.shape == PlotLayer::Shape::area) {
            one.area = new QAreaSeries(one.edge);
            one.edge->setParent(one.area);
        }
        chart->addSeries(one.series());
        one.series()->attachAxis(x);
        one.series()->attachAxis(view->plot.y.logarithmic ? static_cast<QAbstractAxis*>(log) : y);
        drawn.push_back(one);
    }
    paint();
}

void ChartCanvas::Impl::paint()
{
    if (!view->look)
        return;
    const Palette& palette = view->look->palette();
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const PlotLayer& layer = view->plot.layers[i];
        const QColor colour = toneColour(layer, palette);
        if (drawn[i].area) {
            drawn[i].area->setBrush(colour);
            drawn[i].area->setPen(Qt::NoPen);
        } else {
            drawn[i].edge->setPen(tonePen(layer, palette));
        }
    }
}

ChartCanvas::ChartCanvas(QWidget* parent)
    : QWidget(parent)
    , m_impl(std::make_unique<Impl>())
{
    Impl& d = *m_impl;
    d.chart = new QChart;
    d.chart->legend()->hide();
    d.chart->setAnimationOptions(QChart::NoAnimation);
    d.chart->setBackgroundVisible(false);
    d.chart->setLocalizeNumbers(true);
    d.chart->layout()->setContentsMargins(0, 0, 0, 0);
    d.view = new View(d.chart, this); // owns the chart
    d.addAxes();
    d.view->setRenderHint(QPainter::Antialiasing);
    d.view->setFrameShape(QFrame::NoFrame);
    d.view->setBackgroundBrush(Qt::NoBrush);
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
    const bool remade =
        !sameShapes(d.view->plot.layers, plot.layers) || d.view->plot.y.logarithmic != plot.y.logarithmic;
    const bool named = !plot.names.empty();
    if (named == d.view->plot.names.empty() || remade)
        d.chart->setMargins(overlayMargins(named, d.view->look));
    d.view->plot = plot;
    d.setAxes(plot.x, plot.y);
    if (remade)
        d.makeSeries();
    for (std::size_t i = 0; i < d.drawn.size(); ++i)
        d.drawn[i].edge->replace(drawable(plot.layers[i].points, plot.y));
    d.view->viewport()->update();
}

void ChartCanvas::setLook(const Look& look)
{
    Impl& d = *m_impl;
    d.view->look = &look;
    const Palette& palette = look.palette();
    for (QAbstractAxis* axis : std::initializer_list<QAbstractAxis*>{d.x, d.y, d.log}) {
        axis->setLabelsFont(look.fonts().small);
        axis->setLabelsBrush(palette.textMuted);
        axis->setLinePen(QPen(palette.textFaint, 1));
        axis->setGridLinePen(QPen(palette.grid, 1));
    }
    d.chart->setMargins(overlayMargins(!d.view->plot.names.empty(), &look));
    d.paint();
    d.view->viewport()->update();
}

QSize ChartCanvas::roomWithin(QSize size) { return (size - kAround).expandedTo(QSize(1, 1)); }

std::optional<double> ChartCanvas::placeAt(const QPoint& point) const
{
    const QRectF area = plotArea();
    if (shown().layers.empty() || area.width() < 1 || point.x() < area.left() || point.x() > area.right())
        return std::nullopt;
    const PlotAxis& axis = shown().x;
    return axis.from + (point.x() - area.left()) / area.width() * (axis.to - axis.from);
}

const Plot& ChartCanvas::shown() const { return m_impl->view->plot; }

QRectF ChartCanvas::plotArea() const { return m_impl->chart->plotArea(); }

int ChartCanvas::shownLabels() const
{
    const PlotAxis& axis = shown().x;
    return static_cast<int>(std::floor((axis.to - axis.from) / axis.step + 1e-9)) + 1;
}

} // namespace lockscope::ui
