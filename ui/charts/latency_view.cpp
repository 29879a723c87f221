#include "ui/charts/latency_view.h"

#include "ui/charts/latency_chart.h"
#include "ui/models/format.h"

#include <QEvent>
#include <QStackedLayout>

namespace lockscope::ui {

LatencyView::LatencyView(RunModel* run, Look* look, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_look(look)
    , m_chart(new LatencyChart(this))
    , m_empty(new QLabel(this))
{
    auto* stack = new QStackedLayout(this);
    stack->addWidget(m_empty);
    stack->addWidget(m_chart);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setMargin(16);

    m_timer.setSingleShot(true);
    m_timer.setInterval(kRefreshMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &LatencyView::refresh);
    connect(m_run, &RunModel::stateChanged, this, &LatencyView::refreshSoon);
    connect(m_run, &RunModel::runChanged, this, &LatencyView::refresh);
    connect(m_look, &Look::changed, this, &LatencyView::updateLook);
    updateLook();
    retranslate();
}

bool LatencyView::showsChart() const
{
    return static_cast<const QStackedLayout*>(layout())->currentWidget() == m_chart;
}

// The caption is kept up to date by the same timer even while the chart is hidden: it may be shown elsewhere.
void LatencyView::refreshSoon()
{
    if (!m_timer.isActive())
        m_timer.start();
}

void LatencyView::refresh()
{
    m_timer.stop();
    updateCaption();
    const replay::Histogram& handoff = m_run->state().statistics.handoff;
    static_cast<QStackedLayout*>(layout())->setCurrentWidget(
        handoff.count() > 0 ? static_cast<QWidget*>(m_chart) : m_empty);
    if (!isVisible() || handoff.count() == 0)
        return;
    ++m_refreshes;
    const LatencyScale scale = latencyScale(handoff.percentile(99));
    const std::vector<std::uint64_t> bars = handoff.bins(scale.upTo, static_cast<std::size_t>(scale.bars));
    m_chart->show(scale, bars);

    quint64 drawn = 0;
    for (const std::uint64_t bar : bars)
        drawn += bar;
    const quint64 slower = handoff.count() > drawn ? handoff.count() - drawn : 0;
    QString tip = tr("%1 handoffs, the slowest took %2")
                      .arg(format::count(handoff.count()), format::duration(handoff.max()));
    if (slower > 0)
        tip += u'\n' + tr("%1 of them took longer than %2 and lie beyond the axis")
                           .arg(format::count(slower), format::duration(scale.upTo));
    setToolTip(tip);
    setAccessibleDescription(m_caption + u'\n' + tip);
}

void LatencyView::updateCaption()
{
    const replay::Histogram& handoff = m_run->state().statistics.handoff;
    const QString caption = handoff.count() == 0 ? QString()
                                                 : tr("p50 %1 · p99 %2")
                                                       .arg(format::duration(handoff.percentile(50)),
                                                            format::duration(handoff.percentile(99)));
    if (caption == m_caption)
        return;
    m_caption = caption;
    emit captionChanged();
}

void LatencyView::updateLook()
{
    m_chart->setLook(*m_look);
    m_empty->setFont(m_look->fonts().text);
    QPalette colours = m_empty->palette();
    colours.setColor(QPalette::WindowText, m_look->palette().textMuted);
    m_empty->setPalette(colours);
}

void LatencyView::retranslate()
{
    setAccessibleName(tr("Handoff latency"));
    m_empty->setText(tr("No handoff yet: the chart fills as the lock passes from one client to the next."));
    refresh();
}

void LatencyView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void LatencyView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace lockscope::ui
