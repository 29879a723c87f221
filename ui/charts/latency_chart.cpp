#include "ui/charts/latency_chart.h"

#include <QtCharts/QBarSeries>
#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QValueAxis>

#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kLabelGap = 14;
constexpr int kSideMargins = 24;
} // namespace

// A bar series needs an axis on which bar i is at i; people need one in time. Both lie along the bottom.
struct LatencyChart::Impl
{
    QChartView* view = nullptr;
    QBarSet* set = nullptr;
    QBarSeries* series = nullptr;
    QValueAxis* places = nullptr; // hidden
    QValueAxis* time = nullptr;
    QValueAxis* counts = nullptr; // hidden
    LatencyScale scale;
};

LatencyChart::LatencyChart(QWidget* parent)
    : QWidget(parent)
    , m_impl(std::make_unique<Impl>())
{
    Impl& d = *m_impl;
    d.set = new QBarSet(QString());
    d.series = new QBarSeries;
    d.series->append(d.set);
    d.series->setBarWidth(0.78);

    auto* chart = new QChart;
    chart->addSeries(d.series);
    chart->legend()->hide();
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundVisible(false);
    chart->setMargins(QMargins(4, 6, 10, 2));

    d.places = new QValueAxis;
    d.time = new QValueAxis;
    d.counts = new QValueAxis;
    for (QValueAxis* axis : {d.places, d.time, d.counts})
        axis->setGridLineVisible(false);
    d.places->setVisible(false);
    d.counts->setVisible(false);
    chart->addAxis(d.places, Qt::AlignBottom);
    chart->addAxis(d.time, Qt::AlignBottom);
    chart->addAxis(d.counts, Qt::AlignLeft);
    d.series->attachAxis(d.places);
    d.series->attachAxis(d.counts);

    d.view = new QChartView(chart, this); // owns the chart
    d.view->setRenderHint(QPainter::Antialiasing);
    d.view->setFrameShape(QFrame::NoFrame);
    d.view->setBackgroundBrush(Qt::NoBrush);
    d.view->setFocusPolicy(Qt::NoFocus);
    d.view->setAttribute(Qt::WA_TransparentForMouseEvents);
    d.view->viewport()->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(d.view);
}

LatencyChart::~LatencyChart() = default;

void LatencyChart::show(const LatencyScale& scale, const std::vector<std::uint64_t>& bars)
{
    Impl& d = *m_impl;
    const int count = static_cast<int>(bars.size());
    double highest = 1;
    for (int i = 0; i < count; ++i) {
        const double value = static_cast<double>(bars[static_cast<std::size_t>(i)]);
        highest = std::max(highest, value);
        if (i >= d.set->count())
            d.set->append(value);
        else if (d.set->at(i) != value)
            d.set->replace(i, value);
    }
    if (d.set->count() > count)
        d.set->remove(count, d.set->count() - count);
    d.counts->setRange(0, highest * 1.05);
    if (scale == d.scale)
        return;
    d.scale = scale;
    d.places->setRange(-0.5, count - 0.5);
    d.time->setRange(0, static_cast<double>(scale.upTo.count()) / static_cast<double>(scale.unit.count()));
    d.time->setLabelFormat(QStringLiteral("%.%1f ").arg(latencyDecimals(scale)) + latencyUnit(scale));
    updateLabels();
}

// A label that does not fit would be cut to dots: fewer of them then.
void LatencyChart::updateLabels()
{
    const Impl& d = *m_impl;
    if (d.scale.upTo <= Duration::zero()) // nothing shown yet
        return;
    const double last = static_cast<double>(d.scale.upTo.count()) / static_cast<double>(d.scale.unit.count());
    const QString widest = QString::number(last, 'f', latencyDecimals(d.scale)) + u' ' + latencyUnit(d.scale);
    const int label = QFontMetrics(d.time->labelsFont()).horizontalAdvance(widest) + kLabelGap;
    const int labels = latencyLabelsWithin(d.scale, width() - kSideMargins - label, label);
    if (d.time->tickCount() != labels)
        d.time->setTickCount(labels);
}

void LatencyChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    updateLabels();
}

int LatencyChart::shownLabels() const { return m_impl->time->tickCount(); }

void LatencyChart::setLook(const Look& look)
{
    Impl& d = *m_impl;
    const Palette& palette = look.palette();
    d.set->setBrush(palette.client(0));
    d.set->setPen(Qt::NoPen);
    d.time->setLabelsFont(look.fonts().small);
    updateLabels();
    d.time->setLabelsBrush(palette.textMuted);
    d.time->setLinePen(QPen(palette.textFaint, 1));
}

std::vector<double> LatencyChart::shownBars() const
{
    std::vector<double> bars;
    for (int i = 0; i < m_impl->set->count(); ++i)
        bars.push_back(m_impl->set->at(i));
    return bars;
}

} // namespace lockscope::ui
