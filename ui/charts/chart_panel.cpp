#include "ui/charts/chart_panel.h"

#include "ui/canvas/canvas.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_summary.h"
#include "ui/models/format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {
constexpr int kAroundHeading = 40; // beside its title and its caption
} // namespace

ChartSource chartSource(const RunModel& run)
{
    return {run.state(), run.series(), run.cursorTime(), run.following()};
}

ChartPanel::ChartPanel(ChartKind kind, RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_kind(kind)
    , m_run(run)
    , m_selection(selection)
    , m_theme(theme)
    , m_title(new QLabel(this))
    , m_caption(new QLabel(this))
    , m_empty(new QLabel(this))
    , m_canvas(new ChartCanvas(theme, this))
    , m_stack(new QStackedLayout)
{
    setObjectName("chart." + chartName(kind));
    setAttribute(Qt::WA_OpaquePaintEvent); // the card behind it need not be drawn as well
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(8, 6, 12, 0);
    heading->addWidget(m_title);
    heading->addStretch(1);
    heading->addWidget(m_caption);
    for (QLabel* label : {m_title, m_caption, m_empty})
        label->setTextFormat(Qt::PlainText);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_empty->setProperty("kind", "quiet");
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_caption->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    heading->setStretchFactor(m_caption, 1000);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_canvas);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(heading);
    column->addLayout(m_stack, 1);
    setHeading(false);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    if (kind == ChartKind::fairness)
        connect(selection, &Selection::changed, this, &ChartPanel::refresh);
    connect(m_theme, &Theme::changed, this, &ChartPanel::updateTheme);
    updateTheme();
    retranslate();
}

bool ChartPanel::showsChart() const { return m_stack->currentWidget() == m_canvas; }

// The canvas has no size yet while the sentence is shown in its place.
QSize ChartPanel::room() const { return ChartCanvas::plotAreaWithin(m_stack->currentWidget()->size()); }

void ChartPanel::setHeading(bool shown)
{
    m_title->setVisible(shown);
    m_caption->setVisible(shown);
}

void ChartPanel::refresh()
{
    if (!isVisible())
        return;
    ++m_refreshes;
    const ChartSource source = chartSource(*m_run);
    Plot plot = chartPlot(m_kind, source, this->room());
    if (const std::optional<int> bar = plot.layers.empty() ? std::nullopt : chosenBar(source))
        plot.mark = chartMark(m_kind, source, this->room(), *bar);
    const QString variants = chartCaption(m_kind, source);
    const QString caption = variants.section(kVariantSeparator, 0, 0);
    const int room = width() - m_title->sizeHint().width() - kAroundHeading;
    m_caption->setText(m_caption->fontMetrics().elidedText(
        m_theme->texts().fitting(m_caption->font(), variants, room), Qt::ElideRight, room));
    m_caption->setToolTip(format::toolTip(caption));
    m_empty->setText(chartEmptyText(m_kind, replay::onlyWatches(source.state)));
    m_stack->setCurrentWidget(plot.layers.empty() ? static_cast<QWidget*>(m_empty) : m_canvas);
    m_canvas->show(plot);
    describe(plot);
}

// For who cannot see it: the figures with the name, what is chosen and what the keys do behind it.
void ChartPanel::describe(const Plot& plot)
{
    setToolTip(plot.layers.empty() ? QString()
                                   : format::toolTip((plot.hint + u'\n' + chartHelp(m_kind)).trimmed()));
    const QString figures = plot.layers.empty() ? QString() : chartSummary(m_kind, chartSource(*m_run));
    setAccessibleName(figures.isEmpty() ? chartTitle(m_kind) : tr("%1: %2").arg(chartTitle(m_kind), figures));
    QStringList lines{plot.mark ? plot.mark->text : QString(),
                      chartCaption(m_kind, chartSource(*m_run)).section(kVariantSeparator, 0, 0),
                      plot.x.name.section(kVariantSeparator, 0, 0), plot.hint, chartHelp(m_kind)};
    lines.removeAll(QString());
    setAccessibleDescription(plot.layers.empty() ? m_empty->text() : lines.join(u'\n'));
}

std::optional<int> ChartPanel::chosenBar(const ChartSource& source) const
{
    if (m_kind == ChartKind::latency) // there may be fewer by now
        return m_bar && chartMark(m_kind, source, room(), *m_bar) ? m_bar : std::nullopt;
    return m_kind == ChartKind::fairness && m_selection->client().valid()
               ? chartBarOf(source, m_selection->client())
               : std::nullopt;
}

void ChartPanel::chooseBar(std::optional<int> bar)
{
    const ChartSource source = chartSource(*m_run);
    if (bar && !chartMark(m_kind, source, room(), *bar))
        return;
    if (m_kind == ChartKind::fairness) {
        if (bar)
            m_selection->selectClient(chartClient(source, *bar));
        return;
    }
    m_bar = bar;
    refresh();
}

void ChartPanel::updateTheme()
{
    m_canvas->updateTheme();
    const auto dress = [](QLabel* label, const QFont& font, const QColor& colour) {
        label->setFont(font);
        QPalette colours = label->palette();
        colours.setColor(QPalette::WindowText, colour);
        label->setPalette(colours);
    };
    dress(m_title, m_theme->fonts().title, m_theme->palette().text);
    dress(m_caption, m_theme->fonts().small, m_theme->palette().textMuted);
    m_empty->setFont(m_theme->fonts().text);
    update();
}

void ChartPanel::retranslate()
{
    m_title->setText(chartTitle(m_kind));
    m_empty->setText(chartEmptyText(m_kind));
    refresh();
}

// What lies under the mouse, and what the whole leaves out.
bool ChartPanel::event(QEvent* event)
{
    const auto tipAt = [this](QPoint at) {
        if (!showsChart())
            return QString();
        const std::optional<double> x = m_canvas->placeAt(m_canvas->mapFrom(this, at));
        QStringList lines;
        if (x)
            lines << chartTip(m_kind, chartSource(*m_run), room(), *x);
        lines << m_canvas->shown().hint << chartHelp(m_kind);
        lines.removeAll(QString());
        return lines.join(u'\n');
    };
    return showToolTip(event, this, tipAt) || QWidget::event(event);
}

void ChartPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refresh();
}

void ChartPanel::mousePressEvent(QMouseEvent* event)
{
    const std::optional<double> x = m_canvas->placeAt(m_canvas->mapFrom(this, event->pos()));
    if (event->button() != Qt::LeftButton || !showsChart() || !x) {
        QWidget::mousePressEvent(event);
        return;
    }
    if (!isOverTime(m_kind))
        chooseBar(chartBarAt(m_kind, chartSource(*m_run), room(), *x));
    else if (const std::optional<TraceTime> at = chartTime(chartSource(*m_run), *x))
        m_run->seekTime(*at);
}

void ChartPanel::keyPressEvent(QKeyEvent* event)
{
    const int steps = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const bool plain = (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) == Qt::NoModifier;
    if (steps == 0 || !plain || !showsChart()) {
        QWidget::keyPressEvent(event);
    } else if (isOverTime(m_kind)) {
        moveCursor(steps);
    } else {
        const std::optional<int> now = chosenBar(chartSource(*m_run));
        chooseBar(now ? *now + steps : 0);
    }
}

void ChartPanel::moveCursor(int steps)
{
    const Duration step = chartStep(m_kind, chartSource(*m_run), room());
    m_run->seekTime(std::max(TraceTime::zero(), m_run->cursorTime() + steps * step));
}

void ChartPanel::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), m_theme->palette().card);
    if (!hasFocus())
        return;
    painter.setPen(m_theme->palette().accent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

} // namespace lockscope::ui
