#include "ui/charts/chart_panel.h"

#include "ui/charts/chart_canvas.h"
#include "ui/models/style/format.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr int kAroundHeading = 40; // pixels of the heading besides the title and the caption
} // namespace

ChartSource chartSource(const RunModel& run)
{
    return {run.state(), run.series(), run.cursorTime(), run.following(), run.canGrow()};
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
    theme->onChange(this, [this] { updateTheme(); });
    for (const bool next : {false, true}) {
        QAction* go =
            addCommand(next ? "chart.next" : "chart.previous", [this, next] { step(next ? 1 : -1); });
        onRetranslate(go, [this, go, next] { go->setText(keyText(next)); });
    }
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
    Plot plot = chartPlot(m_kind, source, ChartCanvas::plotAreaWithin(m_chart->size()));
    if (const std::optional<int> bar = chosenBar(plot))
        markBar(plot, *bar);
    const QString variants = chartCaption(m_kind, source);
    const int room = width() - m_title->sizeHint().width() - kAroundHeading;
    m_captionLabel->setText(m_captionLabel->fontMetrics().elidedText(
        theme()->texts().fitting(m_captionLabel->font(), variants, room), Qt::ElideRight, room));
    m_captionLabel->setToolTip(format::toolTip(variants.section(kVariantSeparator, 0, 0)));
    m_chart->setVisible(!plot.layers.empty());
    m_chart->setPlot(plot);
    describe();
    countBuild();
    itemsChanged();
    update();
}

QString ChartPanel::emptyText()
{
    return showsChart() ? QString() : chartEmptyText(m_kind, replay::onlyWatches(m_run->state()));
}

// For screen readers: the name contains the figures; the description, the chosen bar, the axes and the keys.
void ChartPanel::describe()
{
    const Plot& plot = m_chart->plot();
    const QString figures = showsChart() ? chartSummary(m_kind, chartSource(*m_run)) : QString();
    setToolTip(showsChart() ? format::toolTip((plot.hint + u'\n' + chartHelp(m_kind)).trimmed()) : QString());
    setAccessibleName(figures.isEmpty() ? chartTitle(m_kind) : tr("%1: %2").arg(chartTitle(m_kind), figures));
    QStringList lines{plot.mark ? chartBarText(plot.bars[static_cast<std::size_t>(*plot.mark)]) : QString(),
                      chartCaption(m_kind, chartSource(*m_run)).section(kVariantSeparator, 0, 0),
                      plot.y.title,
                      plot.x.title.section(kVariantSeparator, 0, 0),
                      plot.hint,
                      chartHelp(m_kind)};
    lines.removeAll(QString());
    setAccessibleDescription(showsChart() ? lines.join(u'\n') : emptyText());
}

std::optional<int> ChartPanel::barAt(double place) const
{
    const double bar = std::round(place);
    return bar >= 0 && bar < static_cast<double>(m_chart->plot().bars.size())
               ? std::optional(static_cast<int>(bar))
               : std::nullopt;
}

std::optional<int> ChartPanel::chosenBar(const Plot& plot) const
{
    if (m_kind != ChartKind::fairness) // there may be fewer bars by now
        return m_bar && static_cast<std::size_t>(*m_bar) < plot.bars.size() ? m_bar : std::nullopt;
    const auto found = std::ranges::find(plot.bars, m_selection->client(), &PlotBar::client);
    return m_selection->client().valid() && found != plot.bars.end()
               ? std::optional(static_cast<int>(found - plot.bars.begin()))
               : std::nullopt;
}

void ChartPanel::chooseBar(std::optional<int> bar)
{
    if (bar && !barAt(*bar))
        return;
    if (m_kind == ChartKind::fairness) {
        if (bar)
            m_selection->selectClient(m_chart->plot().bars[static_cast<std::size_t>(*bar)].client);
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

std::optional<double> ChartPanel::placeAt(QPointF at) const
{
    return showsChart() ? m_chart->placeAt(m_chart->mapFrom(this, at.toPoint())) : std::nullopt;
}

// The value under the mouse, what the chart omits, and what the keys do.
QString ChartPanel::tipAt(QPointF at)
{
    if (!showsChart())
        return {};
    QStringList lines;
    const std::optional<double> place = placeAt(at);
    if (place && isOverTime(m_kind))
        lines << chartTip(m_kind, chartSource(*m_run), ChartCanvas::plotAreaWithin(m_chart->size()), *place);
    else if (const std::optional<int> bar = place ? barAt(*place) : std::nullopt)
        lines << chartBarText(m_chart->plot().bars[static_cast<std::size_t>(*bar)]);
    lines << m_chart->plot().hint << chartHelp(m_kind);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

// The bars; none for a chart over time.
std::vector<AccessibleItem> ChartPanel::accessibleItems()
{
    std::vector<AccessibleItem> items;
    if (!showsChart())
        return items;
    const Plot& plot = m_chart->plot();
    const QRectF area = m_chart->plotArea().translated(m_chart->pos());
    for (const PlotBar& each : plot.bars) {
        const int bar = static_cast<int>(items.size());
        const double left = m_chart->xOf(bar - kBarWidth / 2) + m_chart->x();
        const QRectF rect(left, area.top(), m_chart->xOf(bar + kBarWidth / 2) + m_chart->x() - left,
                          area.height());
        items.push_back({QAccessible::ListItem,
                         rect.toAlignedRect(),
                         chartBarText(each),
                         plot.mark == bar,
                         {},
                         [this, bar] { chooseBar(bar); }});
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
    const std::optional<double> place = placeAt(at);
    if (!place)
        return false;
    if (isOverTime(m_kind))
        m_run->seekTime(TraceTime(
            static_cast<Duration::rep>(*place * static_cast<double>(m_chart->plot().unit.count()))));
    else
        chooseBar(barAt(*place));
    return true;
}

void ChartPanel::step(int by)
{
    if (!showsChart())
        return;
    const Plot& plot = m_chart->plot();
    if (isOverTime(m_kind))
        m_run->seekTime(std::max(TraceTime::zero(), m_run->cursorTime() + by * plot.slice));
    else
        chooseBar(plot.mark ? *plot.mark + by : 0);
}

} // namespace lockscope::ui

#include "moc_chart_panel.cpp"
