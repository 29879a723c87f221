#include "ui/charts/charts_view.h"

#include "core/exports/text_format.h"
#include "ui/models/style/format.h"
#include "ui/models/style/text_cache.h"

#include <QActionGroup>
#include <QEvent>
#include <QGridLayout>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {
const Setting<QString> kChart{"chart"};
const QString kAllCharts = QStringLiteral("all"); // instead of the name of one
constexpr int kMinWidth = 330;                    // of a chart in the grid
constexpr int kMinHeight = 170;
constexpr int kMaxColumns = 3;
constexpr Duration kMoment = std::chrono::milliseconds(1); // the precision of the caption
constexpr int kAll = -1;                                   // the choice of all charts
} // namespace

ChartsView::ChartsView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_theme(theme)
    , m_chooser(new QToolButton(this))
    , m_choices(new QActionGroup(this))
    , m_scroll(new QScrollArea(this))
    , m_grid(new QGridLayout)
{
    auto* inside = new QWidget;
    inside->setLayout(m_grid);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(0);
    for (const ChartKind kind : kCharts)
        m_panels.push_back(new ChartPanel(kind, run, selection, theme, inside));
    m_scroll->setWidget(inside);
    inside->setAutoFillBackground(false); // setWidget() sets it
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_scroll);

    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ChartsView::refreshNext);
    connect(m_run, &RunModel::stateChanged, this, &ChartsView::refreshSoon);
    connect(m_run, &RunModel::cursorMoved, this, &ChartsView::refreshSoon);
    connect(m_run, &RunModel::runChanged, this, &ChartsView::updateRunName);
    connect(m_run, &RunModel::runChanged, this, &ChartsView::refresh);
    connect(m_choices, &QActionGroup::triggered, this, [this](const QAction* action) {
        const int choice = action->data().toInt();
        showChart(choice == kAll ? std::nullopt : std::optional(static_cast<ChartKind>(choice)));
    });
    m_chooser->setAutoRaise(true);
    m_chooser->setStyleSheet(
        QStringLiteral("QToolButton { border: none; padding-right: 16px; } QToolButton::menu-indicator { "
                       "subcontrol-origin: padding; subcontrol-position: right center; }"));
    m_chooser->setPopupMode(QToolButton::InstantPopup);
    m_chooser->setFocusPolicy(Qt::TabFocus);
    m_chooser->setMenu(new QMenu(m_chooser));
    m_chooser->menu()->setToolTipsVisible(true);
    const auto dress = [this, theme] { m_chooser->setFont(theme->fonts().title); };
    connect(theme, &Theme::changed, this, dress);
    dress();
    for (const ChartKind kind : kCharts)
        addChoice(static_cast<int>(kind));
    m_chooser->menu()->addSeparator();
    addChoice(kAll);
    arrange();
    retranslate();
}

void ChartsView::addChoice(int choice)
{
    QAction* action = m_choices->addAction(QString());
    action->setData(choice);
    action->setCheckable(true);
    m_chooser->menu()->addAction(action);
}

void ChartsView::showChart(std::optional<ChartKind> kind)
{
    m_chosen = true;
    change(kind);
}

std::vector<ViewPart> ChartsView::parts() const
{
    std::vector<ViewPart> parts;
    for (const ChartKind kind : kCharts)
        parts.push_back({chartName(kind), chartTitle(kind)});
    return parts;
}

void ChartsView::showPart(const QString& name)
{
    const auto kind = std::ranges::find(kCharts, name, &chartName);
    if (kind != kCharts.end() || name.isEmpty())
        showChart(name.isEmpty() ? std::nullopt : std::optional(*kind));
}

QByteArray ChartsView::numbers(const QString& part) const
{
    const ChartTable chart = table(*std::ranges::find(kCharts, part, &chartName));
    QByteArray csv;
    const auto addRow = [&csv](const QStringList& row) {
        for (int i = 0; i < row.size(); ++i) {
            csv += i > 0 ? "," : "";
            csv += QByteArray::fromStdString(exports::csvCell(row[i].toStdString()));
        }
        csv += '\n';
    };
    addRow(chart.titles);
    for (const QStringList& row : chart.rows)
        addRow(row);
    return csv;
}

void ChartsView::restore(const Settings& settings)
{
    const QString kept = settings.get(kChart);
    if (!kept.isEmpty())
        showPart(kept == kAllCharts ? QString() : kept);
}

void ChartsView::save(Settings settings) const { settings.set(kChart, m_shown ? shownPart() : kAllCharts); }

// Chooses the queue length for a run that only watches a lock: its handoff latencies are unknown.
void ChartsView::suitRun()
{
    if (m_chosen || m_run->state().locks.empty())
        return;
    const ChartKind kind = replay::onlyWatches(m_run->state()) ? ChartKind::queueLength : ChartKind::latency;
    if (m_shown != kind)
        change(kind);
}

void ChartsView::change(std::optional<ChartKind> kind)
{
    m_shown = kind;
    m_columns = 0;
    arrange();
    retranslate();
}

// Puts the charts into as many columns as are readable; they scroll if there is not enough room.
void ChartsView::arrange()
{
    const int columns = m_shown ? 1 : std::clamp(width() / kMinWidth, 1, kMaxColumns);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        ChartPanel* panel = m_panels[i];
        m_grid->removeWidget(panel);
        panel->setHeading(!m_shown);
        panel->setMinimumHeight(m_shown ? 0 : kMinHeight);
        if (!m_shown || *m_shown == panel->kind())
            m_grid->addWidget(panel, static_cast<int>(i) / columns, static_cast<int>(i) % columns);
        panel->setVisible(!m_shown || *m_shown == panel->kind());
    }
    for (int column = 0; column < kMaxColumns; ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

ChartTable ChartsView::table(ChartKind kind) const
{
    ChartTable table = chartTable(kind, chartSource(*m_run));
    const std::string scenario = m_run->store() ? m_run->store()->header().scenario : std::string();
    const QStringList facts{chartName(kind), QString::fromStdString(scenario),
                            QString::number(static_cast<double>(m_run->cursorTime().count()) / 1000, 'f', 3)};
    table.titles << "chart"
                 << "scenario"
                 << "until_us";
    for (QStringList& row : table.rows)
        row << facts;
    return table;
}

void ChartsView::setRunNamer(std::function<QString(const trace::Header&)> naming)
{
    m_runNamer = std::move(naming);
    updateRunName();
}

void ChartsView::updateRunName()
{
    m_runName = m_runNamer && m_run->store() ? m_runNamer(m_run->store()->header()) : QString();
    updateCaption();
}

void ChartsView::refreshSoon()
{
    m_changed = true;
    if (!m_timer.isActive())
        m_timer.start(kRefreshMilliseconds);
}

// Redraws one chart per frame: six at once take longer than a frame. The caption is kept up to date by
// the same timer even while the chart is hidden: it may be shown elsewhere.
void ChartsView::refreshNext()
{
    if (m_next == 0) {
        m_changed = false;
        suitRun();
        updateCaption();
    }
    while (m_next < m_panels.size() && !m_panels[m_next]->isVisible())
        ++m_next;
    if (m_next == m_panels.size()) {
        m_next = 0;
        if (m_changed) // since the first of them was redrawn
            refreshSoon();
        return;
    }
    m_panels[m_next++]->refresh();
    m_timer.start(m_theme->forPrint() ? 0 : kNextMilliseconds);
}

void ChartsView::refresh()
{
    m_timer.stop();
    m_next = 0;
    m_changed = false;
    suitRun();
    updateCaption();
    for (ChartPanel* panel : m_panels)
        panel->refresh();
}

void ChartsView::updateCaption()
{
    QString caption = m_shown ? chartCaption(*m_shown, chartSource(*m_run)) : QString();
    if (!m_runName.isEmpty()) {
        const QString whole = caption.section(kVariantSeparator, 0, 0);
        const QString when =
            tr("%1 · until %2").arg(m_runName, format::axisTime(m_run->cursorTime(), kMoment));
        caption = whole.isEmpty() ? when + kVariantSeparator + m_runName
                                  : tr("%1 · %2").arg(when, whole) + kVariantSeparator + caption;
    }
    setCaption(caption);
}

void ChartsView::retranslate()
{
    for (QAction* action : m_choices->actions()) {
        const int choice = action->data().toInt();
        action->setText(choice == kAll ? tr("All charts") : chartTitle(static_cast<ChartKind>(choice)));
        action->setChecked(choice == (m_shown ? static_cast<int>(*m_shown) : kAll));
    }
    const QString title = m_shown ? chartTitle(*m_shown) : tr("All charts");
    m_chooser->setText(title);
    m_chooser->setAccessibleName(tr("Chart: %1").arg(title));
    m_chooser->setToolTip(tr("Choose another chart, or all of them"));
    for (ChartPanel* panel : m_panels)
        panel->retranslate();
    updateRunName();
}

void ChartsView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ChartsView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace lockscope::ui

#include "moc_charts_view.cpp"
