#include "ui/charts/chart_panel.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_summary.h"
#include "ui/models/format.h"

#include <QLabel>
#include <QVBoxLayout>

namespace lockscope::ui {

namespace {
constexpr int kAroundHeading = 40; // pixels of the heading besides the title and the caption
} // namespace

ChartSource chartSource(const RunModel& run)
{
    return {run.state(), run.series(), run.cursorTime(), run.following()};
}

ChartPanel::ChartPanel(ChartKind kind, RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : Canvas(theme, parent)
    , m_kind(kind)
    , m_run(run)
    , m_selection(selection)
    , m_title(new QLabel(this))
    , m_captionLabel(new QLabel(this))
    , m_chart(new ChartCanvas(theme, this))
{
    setObjectName("chart." + chartName(kind));
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(8, 6, 12, 0);
    heading->addWidget(m_title);
    heading->addStretch(1);
    heading->addWidget(m_captionLabel);
    for (QLabel* label : {m_title, m_captionLabel})
        label->setTextFormat(Qt::PlainText);
    m_captionLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_captionLabel->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    heading->setStretchFactor(m_captionLabel, 1000);
    QSizePolicy policy = m_chart->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // the size is known before there is anything to show
    m_chart->setSizePolicy(policy);
    m_chart->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(heading);
    column->addWidget(m_chart, 1);
    setHeading(false);
    setCursor(Qt::PointingHandCursor);
    if (kind == ChartKind::fairness)
        connect(selection, &Selection::changed, this, &ChartPanel::refresh);
    connect(theme, &Theme::changed, this, &ChartPanel::updateTheme);
    addCommand(
        "chart.previous", [this] { return keyText(false); }, [this] { step(-1); });
    addCommand(
        "chart.next", [this] { return keyText(true); }, [this] { step(1); });
    updateTheme();
    retranslate();
}

QString ChartPanel::keyText(bool next) const
{
    if (isOverTime(m_kind))
        return next ? tr("Move the Cursor to the Right") : tr("Move the Cursor to the Left");
    return next ? tr("Next Bar") : tr("Previous Bar");
}

bool ChartPanel::showsChart() const { return !m_chart->isHidden(); }

QSize ChartPanel::plotRoom() const { return ChartCanvas::plotAreaWithin(m_chart->size()); }

void ChartPanel::setHeading(bool shown)
{
    m_title->setVisible(shown);
    m_captionLabel->setVisible(shown);
}

void ChartPanel::refresh()
{
    if (!isVisible())
        return;
    ++m_refreshes;
    const ChartSource source = chartSource(*m_run);
    Plot plot = chartPlot(m_kind, source, plotRoom());
    if (const std::optional<int> bar = plot.layers.empty() ? std::nullopt : chosenBar(source))
        plot.mark = chartMark(m_kind, source, plotRoom(), *bar);
    const QString variants = chartCaption(m_kind, source);
    const QString caption = variants.section(kVariantSeparator, 0, 0);
    const int room = width() - m_title->sizeHint().width() - kAroundHeading;
    m_captionLabel->setText(m_captionLabel->fontMetrics().elidedText(
        theme()->texts().fitting(m_captionLabel->font(), variants, room), Qt::ElideRight, room));
    m_captionLabel->setToolTip(format::toolTip(caption));
    m_chart->setVisible(!plot.layers.empty());
    m_chart->show(plot);
    describe(plot);
    countBuild();
    itemsChanged();
    update();
}

QString ChartPanel::emptyText()
{
    return showsChart() ? QString() : chartEmptyText(m_kind, replay::onlyWatches(m_run->state()));
}

// For screen readers: the name contains the figures; the description, the chosen bar, the axis and the keys.
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
    setAccessibleDescription(plot.layers.empty() ? emptyText() : lines.join(u'\n'));
}

std::optional<int> ChartPanel::chosenBar(const ChartSource& source) const
{
    if (m_kind == ChartKind::latency) // there may be fewer bars by now
        return m_bar && chartMark(m_kind, source, plotRoom(), *m_bar) ? m_bar : std::nullopt;
    return m_kind == ChartKind::fairness && m_selection->client().valid()
               ? chartBarOf(source, m_selection->client())
               : std::nullopt;
}

void ChartPanel::chooseBar(std::optional<int> bar)
{
    const ChartSource source = chartSource(*m_run);
    if (bar && !chartMark(m_kind, source, plotRoom(), *bar))
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
    m_chart->updateTheme();
    const auto dress = [](QLabel* label, const QFont& font, const QColor& colour) {
        label->setFont(font);
        QPalette colours = label->palette();
        colours.setColor(QPalette::WindowText, colour);
        label->setPalette(colours);
    };
    dress(m_title, theme()->fonts().title, theme()->palette().text);
    dress(m_captionLabel, theme()->fonts().small, theme()->palette().textMuted);
}

void ChartPanel::retranslate()
{
    m_title->setText(chartTitle(m_kind));
    refresh();
}

// The value under the mouse, what the chart omits, and what the keys do.
QString ChartPanel::tipAt(QPointF at)
{
    if (!showsChart())
        return {};
    QStringList lines;
    if (const auto x = m_chart->placeAt(m_chart->mapFrom(this, at.toPoint())))
        lines << chartTip(m_kind, chartSource(*m_run), plotRoom(), *x);
    lines << m_chart->shown().hint << chartHelp(m_kind);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

// The bars; none for a chart over time.
std::vector<AccessibleItem> ChartPanel::accessibleItems()
{
    std::vector<AccessibleItem> items;
    const ChartSource source = chartSource(*m_run);
    if (isOverTime(m_kind) || !showsChart())
        return items;
    const PlotAxis& axis = m_chart->shown().x;
    const QRectF area = m_chart->plotArea().translated(m_chart->pos());
    const auto x = [&](double value) {
        return area.left() + (value - axis.from) / (axis.to - axis.from) * area.width();
    };
    const std::optional<int> chosen = chosenBar(source);
    for (const PlotMark& mark : chartMarks(m_kind, source, plotRoom())) {
        const QRectF rect(x(mark.from), area.top(), x(mark.to) - x(mark.from), area.height());
        const int bar = static_cast<int>(items.size());
        items.push_back(
            {QAccessible::ListItem, rect.toAlignedRect(), mark.text, chosen == bar, {}, [this, bar] {
                 chooseBar(bar);
             }});
    }
    return items;
}

void ChartPanel::showEvent(QShowEvent* event)
{
    Canvas::showEvent(event);
    refresh();
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    Canvas::resizeEvent(event);
    refresh();
}

bool ChartPanel::selectAt(QPointF at)
{
    const std::optional<double> x = m_chart->placeAt(m_chart->mapFrom(this, at.toPoint()));
    if (!showsChart() || !x)
        return false;
    if (!isOverTime(m_kind))
        chooseBar(chartBarAt(m_kind, chartSource(*m_run), plotRoom(), *x));
    else if (const std::optional<TraceTime> time = chartTime(chartSource(*m_run), *x))
        m_run->seekTime(*time);
    return true;
}

void ChartPanel::step(int by)
{
    if (!showsChart())
        return;
    if (isOverTime(m_kind)) {
        moveCursor(by);
    } else {
        const std::optional<int> now = chosenBar(chartSource(*m_run));
        chooseBar(now ? *now + by : 0);
    }
}

void ChartPanel::moveCursor(int steps)
{
    const Duration step = chartStep(m_kind, chartSource(*m_run), plotRoom());
    m_run->seekTime(std::max(TraceTime::zero(), m_run->cursorTime() + steps * step));
}

} // namespace lockscope::ui

#include "moc_chart_panel.cpp"
