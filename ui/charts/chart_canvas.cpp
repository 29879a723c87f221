#include "ui/charts/chart_canvas.h"

#include "ui/canvas/ticks.h"
#include "ui/models/style/format.h"
#include "ui/models/style/number_locale.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QBarSet>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QLegendMarker>
#include <QtCharts/QLineSeries>
#include <QtCharts/QLogValueAxis>
#include <QtCharts/QScatterSeries>
#include <QtCharts/QStackedBarSeries>
#include <QtCharts/QValueAxis>

#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>

namespace lockscope::ui {

namespace {

using Shape = PlotLayer::Shape;

constexpr double kDot = 3;               // pixels
constexpr QSize kAroundPlot(76, 74);     // approximate room for labels, titles, the legend and margins
constexpr double kBetweenTickLabels = 8; // pixels
constexpr double kLinesWithTitle = 9;    // of text, in a chart with a title below the lower axis
constexpr double kLinesWithLegend = 6;
constexpr double kLinesWithLabels = 5;

// The pen of a line; of an area only where it is a frame.
QPen layerPen(const PlotLayer& layer, const Palette& palette)
{
    // The highest percentile is drawn beneath the others, and widest: where few handoffs make p95 and p99
    // equal, both are visible.
    const double width = layer.tone == PlotTone::low ? 2.4 : layer.tone == PlotTone::high ? 3.6 : 1.6;
    QPen pen(toneColour(layer, palette), width);
    pen.setJoinStyle(Qt::MiterJoin);
    pen.setCapStyle(Qt::FlatCap);
    if (layer.tone == PlotTone::middle)
        pen.setDashPattern({5, 2.5});
    if (layer.tone == PlotTone::high)
        pen.setDashPattern({0.7, 0.7});
    if (layer.tone == PlotTone::rule)
        pen.setStyle(Qt::DashLine);
    if (layer.shape != Shape::line)
        pen = layer.tone == PlotTone::mark ? QPen(palette.accent, 2) : QPen(Qt::NoPen);
    return pen;
}

QAbstractSeries* makeSeries(const PlotLayer& layer)
{
    if (layer.shape == Shape::line)
        return new QLineSeries;
    if (layer.shape == Shape::bars) {
        auto* bars = new QStackedBarSeries;
        bars->setBarWidth(kBarWidth);
        return bars;
    }
    if (layer.shape == Shape::area) {
        auto* area = new QAreaSeries(new QLineSeries, new QLineSeries);
        area->upperSeries()->setParent(area);
        area->lowerSeries()->setParent(area);
        return area;
    }
    auto* dots = new QScatterSeries;
    dots->setMarkerSize(layer.shape == Shape::cut ? 9 : kDot);
    dots->setMarkerShape(layer.shape == Shape::cut ? QScatterSeries::MarkerShapeTriangle
                                                   : QScatterSeries::MarkerShapeRectangle);
    return dots;
}

bool sameShapes(const Plot& one, const Plot& other)
{
    return one.x.names == other.x.names && one.y.logarithmic == other.y.logarithmic &&
           std::ranges::equal(one.layers, other.layers, [](const PlotLayer& a, const PlotLayer& b) {
               return a.shape == b.shape && a.tone == b.tone && a.client == b.client &&
                      (a.shape != Shape::bars || a.points.size() == b.points.size());
           });
}

// Begins with a space as wide as a digit: Qt Charts elides the title beside labels that are narrower than
// "...".
QString labelFormat(const PlotAxis& axis)
{
    return QStringLiteral("\u00a0\u00a0%.%1f%2")
        .arg(axis.decimals)
        .arg(axis.unit.isEmpty() ? QString() : u' ' + axis.unit);
}

// Qt Charts lays out the whole chart for each property that is set, even to the value that it has, and again
// for the range: so the range brings the others with it.
void setTicks(QValueAxis& axis, const PlotAxis& plot, double step)
{
    const QString format = labelFormat(plot);
    const bool moves = axis.min() != plot.from || axis.max() != plot.to;
    QSignalBlocker quiet(moves ? &axis : nullptr);
    if (axis.labelFormat() != format)
        axis.setLabelFormat(format);
    if (axis.tickInterval() != step)
        axis.setTickInterval(step);
    quiet.unblock();
    if (moves)
        axis.setRange(plot.from, plot.to);
}

} // namespace

QColor toneColour(const PlotLayer& layer, const Palette& palette)
{
    switch (layer.tone) {
    case PlotTone::plain:
        return palette.client(0);
    case PlotTone::soft:
        return withAlpha(palette.client(0), palette.dark ? 190 : 130);
    case PlotTone::most:
        return palette.textMuted;
    case PlotTone::wake:
        return palette.wake;
    case PlotTone::low: // thin lines and dots need more contrast with a dark background than areas
        return palette.client(palette.dark ? 8 : 0);
    case PlotTone::middle:
        return palette.client(2);
    case PlotTone::overflow:
    case PlotTone::high:
        return palette.client(5);
    case PlotTone::client:
        return palette.client(layer.client);
    case PlotTone::veil:
        return withAlpha(palette.card, palette.dark ? 80 : 110);
    case PlotTone::mark:
        return Qt::transparent;
    default:
        return palette.text;
    }
}

ChartCanvas::ChartCanvas(const Theme* theme, QWidget* parent)
    : QChartView(parent)
    , m_theme(theme)
{
    setRenderHint(QPainter::Antialiasing);
    // A change moves most of the few items.
    setViewportUpdateMode(FullViewportUpdate);
    scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setMinimumSize(1, 1);
    viewport()->setAutoFillBackground(false);
}

void ChartCanvas::setPlot(const Plot& plot)
{
    const bool same = m_x && sameShapes(m_plot, plot);
    m_plot = plot;
    if (!same)
        rebuild();
    setPoints();
    setAxes();
    if (!same)
        updateTheme();
    fit();
    chart()->layout()->activate();
}

void ChartCanvas::rebuild()
{
    const std::unique_ptr<QChart> old(
        chart()); // a chart deletes removed axes later, and shows them until then
    setChart(new QChart);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setBackgroundVisible(false);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->legend()->setContentsMargins(0, 0, 0, 0);
    chart()->setLocalizeNumbers(true);
    m_x = m_plot.x.names.empty() ? static_cast<QAbstractAxis*>(new QValueAxis) : new QCategoryAxis;
    m_y = m_plot.y.logarithmic ? static_cast<QAbstractAxis*>(new QLogValueAxis) : new QValueAxis;
    chart()->addAxis(m_x, Qt::AlignBottom);
    chart()->addAxis(m_y, Qt::AlignLeft);
    for (QAbstractAxis* axis : {m_x, m_y}) {
        axis->setTruncateLabels(false);
        if (auto* numbers = qobject_cast<QValueAxis*>(axis))
            numbers->setTickType(QValueAxis::TicksDynamic);
    }
    m_x->setGridLineVisible(false);
    m_series.clear();
    m_sets.clear();
    m_fitted = {};
    for (const PlotLayer& layer : m_plot.layers) {
        const bool bars = layer.shape == PlotLayer::Shape::bars;
        const auto first = std::ranges::find_if(m_sets, [](const QBarSet* set) { return set != nullptr; });
        const bool another = bars && first != m_sets.end();
        m_series.push_back(another ? m_series[static_cast<std::size_t>(first - m_sets.begin())]
                                   : makeSeries(layer));
        m_sets.push_back(bars ? new QBarSet(QString()) : nullptr);
        if (bars) {
            m_sets.back()->append(QList<qreal>(static_cast<qsizetype>(m_plot.bars.size()), 0));
            static_cast<QStackedBarSeries*>(m_series.back())->append(m_sets.back());
        }
        if (another)
            continue;
        chart()->addSeries(m_series.back());
        m_series.back()->attachAxis(m_x);
        m_series.back()->attachAxis(m_y);
    }
}

void ChartCanvas::setPoints()
{
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const PlotLayer& layer = m_plot.layers[i];
        const QString key = layer.key.toHtmlEscaped(); // Qt Charts draws it as rich text
        if (QBarSet* set = m_sets[i]) {
            if (set->label() != key)
                set->setLabel(key);
            for (const QPointF& point : layer.points)
                if (const int bar = static_cast<int>(point.x()); set->at(bar) != point.y())
                    set->replace(bar, point.y());
            continue;
        }
        m_series[i]->setName(key);
        if (auto* area = qobject_cast<QAreaSeries*>(m_series[i])) {
            area->upperSeries()->replace(layer.points);
            if (!layer.points.isEmpty())
                area->lowerSeries()->replace(
                    {{layer.points.front().x(), layer.base}, {layer.points.back().x(), layer.base}});
        } else if (layer.shape != PlotLayer::Shape::dots) {
            static_cast<QXYSeries*>(m_series[i])->replace(layer.points);
        }
    }
}

void ChartCanvas::setAxes()
{
    const double room = plotAreaWithin(size()).width(), range = m_plot.x.to - m_plot.x.from;
    if (auto* names = qobject_cast<QCategoryAxis*>(m_x)) {
        const auto count = static_cast<double>(m_plot.x.names.size());
        const QFontMetricsF metrics(m_theme->fonts().small);
        QStringList labels;
        for (const auto& [at, name] : m_plot.x.names) {
            labels << metrics.elidedText(name, Qt::ElideRight, room / count - 4).toHtmlEscaped();
            while (labels.count(labels.back()) > 1) // of one category each
                labels.back() += QChar(0x200b);
        }
        if (names->categoriesLabels() != labels) { // their places are those of the axis when it was made
            for (const QString& label : names->categoriesLabels())
                names->remove(label);
            names->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
            names->setStartValue(m_plot.x.from - 1);
            for (qsizetype i = 0; i < labels.size(); ++i)
                names->append(labels[i], m_plot.x.names[static_cast<std::size_t>(i)].first);
        }
        if (names->min() != m_plot.x.from || names->max() != m_plot.x.to)
            names->setRange(m_plot.x.from, m_plot.x.to);
    } else {
        const QString widest = format::decimal(m_plot.x.to, m_plot.x.decimals) + u' ' + m_plot.x.unit;
        double step = m_plot.x.step;
        while (step < range && room * step / range < textWidth(widest) + kBetweenTickLabels)
            step = roundStep(step * 1.01);
        auto* times = static_cast<QValueAxis*>(m_x);
        setTicks(*times, m_plot.x, step);
    }
    if (auto* decades = qobject_cast<QLogValueAxis*>(m_y)) {
        const double from = m_plot.y.from * (1 - 1e-9), to = m_plot.y.to * (1 + 1e-9); // labels at both ends
        if (const QString format = labelFormat(m_plot.y); decades->labelFormat() != format)
            decades->setLabelFormat(format);
        if (decades->min() != from || decades->max() != to)
            decades->setRange(from, to);
    } else {
        setTicks(*static_cast<QValueAxis*>(m_y), m_plot.y, m_plot.y.step);
    }
}

void ChartCanvas::updateTheme()
{
    const Palette& palette = m_theme->palette();
    const QFont& font = m_theme->fonts().small;
    chart()->legend()->setFont(font);
    chart()->legend()->setLabelColor(palette.textMuted);
    chart()->setLocale(format::locale());
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setLabelsFont(font);
        axis->setTitleFont(font);
        axis->setLabelsColor(palette.textMuted);
        axis->setTitleBrush(palette.textMuted);
        axis->setGridLineColor(palette.grid);
        axis->setLinePenColor(palette.textFaint);
    }
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const PlotLayer& layer = m_plot.layers[i];
        const QColor colour = toneColour(layer, palette);
        const QPen pen = layerPen(layer, palette);
        if (m_sets[i]) {
            m_sets[i]->setColor(colour);
            m_sets[i]->setPen(pen);
        } else if (auto* area = qobject_cast<QAreaSeries*>(m_series[i])) {
            area->setBrush(colour);
            area->setPen(pen);
        } else if (auto* dots = qobject_cast<QScatterSeries*>(m_series[i])) {
            dots->setBrush(colour);
            dots->setPen(pen);
        } else {
            static_cast<QXYSeries*>(m_series[i])->setPen(pen);
        }
    }
    for (QLegendMarker* marker : chart()->legend()->markers()) {
        const bool marks = marker->series() == m_series.back() && m_plot.mark;
        marker->setPen(marks ? QPen(palette.accent, 2) : QPen(Qt::transparent));
        if (qobject_cast<QXYSeries*>(marker->series()))
            marker->setShape(QLegend::MarkerShapeFromSeries);
    }
}

// Each change has the chart laid out anew, so there are none while its size and its texts stay the same.
void ChartCanvas::fit()
{
    if (!m_x)
        return;
    const double line = QFontMetricsF(m_theme->fonts().small).height();
    const QString highest = format::decimal(m_plot.y.to, m_plot.y.decimals);
    QStringList fitted{m_plot.x.title, m_plot.y.title, highest,
                       QStringLiteral("%1x%2 %3").arg(width()).arg(height()).arg(line)};
    if (!m_plot.x.names.empty())
        fitted << m_plot.x.names.back().second;
    for (const PlotLayer& layer : m_plot.layers)
        fitted << layer.key;
    if (std::exchange(m_fitted, fitted) == fitted)
        return;
    const bool labels = height() >= kLinesWithLabels * line;
    m_x->setLabelsVisible(labels);
    m_y->setLabelsVisible(labels);
    // What was added last says most, such as the bar that is chosen.
    double left = height() >= kLinesWithLegend * line ? width() - 3 * line : 0;
    bool any = false;
    const QList<QLegendMarker*> markers = chart()->legend()->markers();
    for (QLegendMarker* marker : markers | std::views::reverse) {
        const double needed = textWidth(marker->label()) + 2 * line;
        const bool shown = !marker->label().isEmpty() && needed <= left;
        marker->setVisible(shown);
        left -= shown ? needed : 0;
        any = any || shown;
    }
    chart()->legend()->setVisible(any);
    const double lastLabel = m_plot.x.names.empty() ? 0 : textWidth(m_plot.x.names.back().second) / 2;
    const int right = static_cast<int>(std::min(lastLabel, 40.0)) + 6;
    chart()->setMargins(QMargins(2, any ? 0 : 4, right, 2));
    // Qt Charts keeps margins of about a line around labels and titles.
    const double room = width() - right - textWidth(highest) - 4 * line;
    const QString title = m_theme->texts().fitting(m_theme->fonts().small, m_plot.x.title, room);
    m_x->setTitleText(title);
    m_x->setTitleVisible(height() >= kLinesWithTitle * line && textWidth(title) <= room);
    m_y->setTitleText(m_plot.y.title);
    const double below = (m_x->isTitleVisible() ? 4 : 2) * line, above = any ? 2 * line : 4;
    m_y->setTitleVisible(labels && textWidth(m_plot.y.title) + line <= height() - above - below);
}

// Each point of a scatter series is an item of the scene with a path: a thousand of them take longer than a
// frame. So the series of the dots are empty, for the legend only.
void ChartCanvas::drawForeground(QPainter* painter, const QRectF&)
{
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (m_plot.layers[i].shape != PlotLayer::Shape::dots)
            continue;
        const QColor colour = toneColour(m_plot.layers[i], m_theme->palette());
        for (const QPointF& point : m_plot.layers[i].points) {
            const QPointF at = chart()->mapToPosition(point, m_series[i]);
            painter->fillRect(QRectF(at.x() - kDot / 2, at.y() - kDot / 2, kDot, kDot), colour);
        }
    }
}

QSize ChartCanvas::plotAreaWithin(QSize size) { return (size - kAroundPlot).expandedTo(QSize(1, 1)); }

QRectF ChartCanvas::plotArea() const { return chart()->plotArea(); }

QStringList ChartCanvas::lowerLabels() const
{
    QStringList labels;
    if (auto* names = qobject_cast<QCategoryAxis*>(m_x)) {
        labels = names->categoriesLabels();
    } else if (auto* times = qobject_cast<QValueAxis*>(m_x)) {
        for (double at = times->min(); at <= times->max() * (1 + 1e-9); at += times->tickInterval())
            labels << format::decimal(at, m_plot.x.decimals) + u' ' + m_plot.x.unit;
    }
    return labels;
}

QStringList ChartCanvas::legendTexts() const
{
    QStringList texts;
    for (const QLegendMarker* marker : chart()->legend()->markers())
        if (marker->isVisible())
            texts << marker->label();
    return texts;
}

std::optional<double> ChartCanvas::placeAt(const QPointF& point) const
{
    const QRectF area = plotArea();
    if (m_plot.layers.empty() || point.x() < area.left() || point.x() > area.right())
        return std::nullopt;
    return m_plot.x.from + (point.x() - area.left()) / area.width() * (m_plot.x.to - m_plot.x.from);
}

double ChartCanvas::xOf(double place) const
{
    const QRectF area = plotArea();
    return area.left() + (place - m_plot.x.from) / (m_plot.x.to - m_plot.x.from) * area.width();
}

void ChartCanvas::resizeEvent(QResizeEvent* event)
{
    if (m_x)
        setAxes();
    fit();
    QChartView::resizeEvent(event); // lays out the chart
}

} // namespace lockscope::ui
