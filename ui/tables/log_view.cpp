#include "ui/tables/log_view.h"

#include "ui/models/rows/log_model.h"
#include "ui/models/run/go_to_event.h"
#include "ui/models/run/logged_event.h"
#include "ui/models/run/selection.h"
#include "ui/models/style/command_table.h"
#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"
#include "ui/tables/follow_notice.h"
#include "ui/tables/log_delegate.h"
#include "ui/tables/log_table.h"
#include "ui/tables/row_sync.h"
#include "ui/texts/empty_state.h"
#include "ui/widgets/log_filter_edit.h"
#include "ui/widgets/panel_parts.h"
#include "ui/widgets/table_tools.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::ui {

namespace {

const Setting<QStringList> kLogColumns{"logColumns"};
const Setting<QStringList> kLogColours{"logColours"};
// The names of the columns in the settings.
constexpr std::array<const char*, LogModel::ColumnCount> kColumnNames{
    "time", "client", "direction", "what", "latency", "event", "lock"};
const QString kTitles = QStringLiteral("titles");
} // namespace

LogView::LogView(RunModel* run, Selection* selection, Theme* theme, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_selection(selection)
    , m_theme(theme)
    , m_model(new LogModel(run, this))
    , m_table(new LogTable(m_model, theme, this))
    , m_filter(new LogFilterEdit(run, this))
    , m_notice(new FollowNotice(theme, this))
    , m_fault(new QLabel(this))
    , m_onlySelected(new QAction(this))
{
    build();
    connect(m_model, &LogModel::buildProgressed, this, &LogView::updateCaption);
    connect(run, &RunModel::runChanged, this, &LogView::updateCaption);
    connect(run, &RunModel::cursorMoved, this, &LogView::updateCaption);
    connect(run, &RunModel::stateChanged, m_table, &PlainTable::layOutNow);
    connect(run, &RunModel::jumpedToEnd, m_table, &LogTable::goToEnd);
    theme->onChange(this, [this] { applyTheme(); });
    connect(theme, &Theme::wallClockChanged, this, &LogView::showClock);
    connect(selection, &Selection::changed, this, [this] {
        m_table->setHeld(m_model->rowOf(m_selection->selectedEvent()) >= 0);
        if (m_onlySelected->isChecked())
            applyFilter();
        else
            updateCaption();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &LogView::applyFilter);
    connect(m_onlySelected, &QAction::toggled, this, &LogView::applyFilter);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& place) { showMenu(m_table->viewport()->mapToGlobal(place)); });
    QHeaderView* titles = m_table->horizontalHeader();
    connect(titles, &QWidget::customContextMenuRequested, this,
            [this, titles](const QPoint& place) { showMenu(titles->mapToGlobal(place)); });
    m_model->setRules(&m_rules);
    connect(&m_rules, &LogRules::changed, m_table->viewport(), qOverload<>(&QWidget::update));
    connect(m_table, &LogTable::lineOpened, this, [this](int row) {
        goToEvent(*m_run, *m_selection, m_model->eventAt(row), m_model->client(row));
    });
    connect(m_table, &LogTable::newerLinesChanged, this, &LogView::updateNotice);
    connect(run, &RunModel::cursorMoved, this, &LogView::updateNotice);
    connect(run, &RunModel::runChanged, this, &LogView::updateNotice);
    connect(run, &RunModel::phaseChanged, this, &LogView::updateNotice);
    connect(m_notice, &FollowNotice::followRequested, this, &LogView::follow);
    applyTheme();
    updateCaption();
}

void LogView::build()
{
    onRetranslate(this, [this] {
        setAccessibleName(tr("Protocol log"));
        m_table->setAccessibleName(tr("Protocol log"));
        m_filter->setAccessibleName(tr("Filter of the protocol log"));
        m_onlySelected->setText(tr("Only Selected Client"));
        if (const auto fault = parseLogFilter(m_filter->text()).fault)
            m_fault->setText(fault->message());
    });
    m_table->setItemDelegate(new LogDelegate(m_model, m_theme, m_table));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    new RowSync(m_table, m_model, m_selection,
                {[this] { return m_model->rowOf(m_selection->selectedEvent()); },
                 [this](int row) { m_selection->selectEvent(m_model->eventAt(row), m_model->client(row)); }});
    m_table->watchEnd();
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tools = m_table->addTools("logTable", LogModel::What);
    for (const int column : {LogModel::Number, LogModel::Lock})
        m_tools->setShown(column, false);
    m_onlySelected->setCheckable(true);
    m_filter->hide();
    m_fault->setObjectName("filterFault");
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setWordWrap(true);
    m_fault->setMargin(4);
    m_fault->hide();
    m_filter->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filter);
    column->addWidget(m_fault);
    column->addWidget(m_table);
    setFocusProxy(m_table);
    addCommandTo(this, "log.find", [this] { openFilter(); });
}

// Makes the table a whole number of rows high, so that no row is cut at the top when its end is shown.
void LogView::fitRows()
{
    const int titles =
        m_table->horizontalHeader()->isHidden() ? 0 : m_table->horizontalHeader()->sizeHint().height();
    const int room = height() - titles - (m_filter->isHidden() ? 0 : m_filter->sizeHint().height()) -
                     (m_fault->isHidden() ? 0 : m_fault->heightForWidth(width()));
    layout()->setContentsMargins(0, 0, 0, std::max(0, room) % LogTable::kRowHeight);
}

void LogView::resizeEvent(QResizeEvent* event)
{
    fitRows();
    QWidget::resizeEvent(event);
    updateNotice();
}

// A finished trace stays where the user left it: the notice is for growing runs only.
void LogView::updateNotice()
{
    const bool stands = m_run->canGrow() && !m_run->following();
    const int newer = m_table->newerLines();
    QString words;
    if (stands)
        words = tr("Stays at %1, before the end of the run").arg(format::moment(m_run->cursorTime()));
    else if (newer > 0)
        words = tr("%Ln newer lines below", nullptr, newer);
    if (words.isEmpty() && m_notice->hasFocusInside())
        m_table->setFocus(Qt::OtherFocusReason);
    const QScrollBar* bar = m_table->verticalScrollBar();
    m_notice->showMessage(words, {width() - (bar->isVisible() ? bar->width() : 0), height()});
}

void LogView::follow()
{
    if (m_run->canGrow())
        m_run->follow();
    m_table->goToEnd();
    updateNotice();
}

void LogView::openFilter()
{
    m_filter->show();
    fitRows();
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void LogView::setFilterText(const QString& text)
{
    m_filter->setText(text);
    m_filter->setVisible(!text.isEmpty());
    fitRows();
}

// Escape closes the filter.
bool LogView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        setFilterText({});
        m_table->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void LogView::applyFilter()
{
    auto [filter, fault] = parseLogFilter(m_filter->text());
    m_filter->markError(fault);
    m_fault->setText(fault ? fault->message() : QString());
    m_fault->setVisible(fault.has_value());
    fitRows();
    if (m_onlySelected->isChecked())
        filter.client = m_selection->client();
    m_table->keepPlace([this, &wanted = filter] { m_model->setFilter(wanted); },
                       [this] { return m_model->rowOf(m_selection->selectedEvent()); });
    updateCaption();
    emit filterChanged(filter, format::plain(m_filter->text().simplified().toStdString(), 40));
}

void LogView::showClock()
{
    m_model->setWallClock(m_theme->wallClock());
    updateCaption();
}

void LogView::applyTheme()
{
    updateCaption();
    m_filter->setFont(m_theme->fonts().small);
    m_filter->setPalette(m_theme->widgetPalette());
    m_fault->setFont(m_theme->fonts().small);
    QPalette warning = m_theme->widgetPalette();
    warning.setColor(QPalette::WindowText, m_theme->palette().staleText);
    m_fault->setPalette(warning);
}

// Whether the filter hides the selected event. An event after the cursor is not hidden: it has yet to happen.
bool LogView::hidesSelected() const
{
    const EventIndex event = m_selection->selectedEvent();
    const trace::TraceStore* store = m_run->store();
    return store && event.valid() && event.value < m_run->position() && !m_model->filter().matchesAll() &&
           isLogged(store->at(event)) && m_model->rowOf(event) < 0;
}

void LogView::updateCaption()
{
    QStringList parts;
    if (m_onlySelected->isChecked()) {
        const replay::ClientRow* client = m_run->state().client(m_selection->client());
        parts << (client ? tr("only %1").arg(format::plain(client->name, 24))
                         : tr("only the selected client"));
    }
    if (!m_filter->text().trimmed().isEmpty())
        parts << tr("filter: %1").arg(format::plain(m_filter->text().simplified().toStdString(), 40));
    const QString all = format::count(m_model->eventsLogged());
    if (m_run->hasRun()) {
        parts << (m_model->filter().matchesAll()
                      ? tr("%1 lines").arg(all)
                      : tr("%1 of %2 lines")
                            .arg(format::count(static_cast<quint64>(m_model->rowCount())), all));
    }
    if (m_theme->wallClock() && m_run->drained() > 0 && !m_run->wallZero())
        parts << format::wallMoment({}, {});
    if (m_run->hasRun() && m_model->building())
        parts << tr("loading…");
    else if (hidesSelected())
        parts << tr("the selected event is hidden");
    const QString why = emptyStateText(*m_run);
    m_table->setEmptyText(
        !why.isEmpty() ? why
        : m_model->filter().matchesAll()
            ? tr("No events yet. Each request, reply and watch event appears here as a line.")
        : m_model->building() ? tr("Searching for lines that match the filter.")
                              : tr("No line matches the filter. Press Esc in its field to clear it."));
    QString caption = parts.join(QStringLiteral(" · "));
    if (m_run->hasRun() && m_model->filter().matchesAll()) // hint at the filter
        caption = tr("filter: %1 · %2")
                      .arg(QKeySequence(QKeySequence::Find).toString(QKeySequence::NativeText), caption) +
                  kVariantSeparator + caption;
    setCaption(caption);
}

void LogView::showMenu(QPoint globalPlace)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    //: menu entry: opens the field for a filter
    menu->addAction(tr("Filter"), this, &LogView::openFilter);
    menu->addAction(m_onlySelected);
    menu->addSeparator();
    //: a menu: which columns are shown
    QMenu* columns = menu->addMenu(tr("Columns"));
    m_tools->addColumns(columns);
    columns->addSeparator();
    QAction* titles = columns->addAction(tr("Column Titles"));
    titles->setCheckable(true);
    titles->setChecked(!m_table->horizontalHeader()->isHidden());
    connect(titles, &QAction::toggled, this, &LogView::showTitles);
    addColours(menu->addMenu(tr("Color Lines")));
    menu->addSeparator();
    menu->addActions(m_tools->copying());
    menu->popup(globalPlace);
}

void LogView::addColours(QMenu* menu)
{
    const std::array<std::pair<LogRules::Builtin, QString>, 3> ready{
        {{LogRules::Builtin::violations, tr("Violated Findings")},
         {LogRules::Builtin::client, tr("By Client")},
         {LogRules::Builtin::kind, tr("By Kind of Event")}}};
    for (const auto& [rule, words] : ready) {
        QAction* on = menu->addAction(words);
        on->setCheckable(true);
        on->setChecked(m_rules.isOn(rule));
        connect(on, &QAction::toggled, &m_rules, [this, which = rule](bool is) { m_rules.setOn(which, is); });
    }
    menu->addSeparator();
    const QString filter = m_filter->text().simplified();
    const auto shown = [](const QString& text) {
        return format::plain(text.toStdString(), 60).replace(u'&', QLatin1String("&&"));
    };
    QAction* add = menu->addAction(filter.isEmpty() ? tr("Lines That Match the Filter (Enter a Filter First)")
                                                    : tr("Lines That Match: %1").arg(shown(filter)),
                                   &m_rules, [this, filter] { m_rules.add(filter); });
    add->setEnabled(m_rules.canAdd(filter));
    for (const QString& each : m_rules.filters())
        menu->addAction(tr("Remove: %1").arg(shown(each)), &m_rules, [this, each] { m_rules.remove(each); });
}

void LogView::showTitles(bool shown)
{
    m_table->horizontalHeader()->setVisible(shown);
    fitRows();
}

QStringList LogView::columns() const
{
    QStringList shown;
    for (int i = 0; i < LogModel::ColumnCount; ++i)
        if (m_tools->isShown(i))
            shown << QLatin1String(kColumnNames[static_cast<std::size_t>(i)]);
    if (!m_table->horizontalHeader()->isHidden())
        shown << kTitles;
    return shown;
}

void LogView::setColumns(const QStringList& columns)
{
    if (!columns.contains(QLatin1String(kColumnNames[LogModel::What])))
        return;
    for (int i = 0; i < LogModel::ColumnCount; ++i)
        m_tools->setShown(i, columns.contains(QLatin1String(kColumnNames[static_cast<std::size_t>(i)])));
    showTitles(columns.contains(kTitles));
}

void LogView::restore(const Settings& settings)
{
    setColumns(settings.get(kLogColumns));
    m_rules.restore(settings.get(kLogColours));
}

void LogView::save(Settings settings) const
{
    settings.set(kLogColumns, columns());
    settings.set(kLogColours, m_rules.saved());
}

} // namespace lockscope::ui

#include "moc_log_view.cpp"
