#include "ui/timeline/timeline_menu.h"

#include "ui/models/style/format.h"
#include "ui/models/style/retranslate.h"

#include <QActionGroup>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QWidgetAction>

namespace lockscope::ui {

TimelineMenu::TimelineMenu(TimelineCanvas* canvas, RunModel* run, Selection* selection, Theme* theme)
    : QToolButton(canvas)
    , m_canvas(canvas)
    , m_run(run)
    , m_selection(selection)
    , m_theme(theme)
    , m_menu(new QMenu(this))
    , m_states(new QActionGroup(this))
    , m_contenders(new QAction(this))
    , m_all(new QAction(this))
    , m_name(new QLineEdit(m_menu))
{
    setObjectName("timelineMenu");
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setMenu(m_menu);
    addLanes();
    m_menu->addSeparator();
    for (const char* way :
         {"timeline.order", "timeline.compactLanes", "timeline.legend", "timeline.contention"})
        m_menu->addAction(m_canvas->command(way));
    onRetranslate(this, [this] {
        setAccessibleName(tr("Lane filter and timeline tools"));
        setToolTip(tr("Lane filter and timeline tools"));
        m_state[0]->setText(tr("&All Lanes"));
        m_state[1]->setText(tr("Lanes That &Wait in This Range"));
        m_state[2]->setText(tr("Lanes That H&old in This Range"));
        m_state[3]->setText(tr("Suspended, Frozen or S&tale Lanes"));
        m_name->setPlaceholderText(tr("Part of a name"));
        m_name->setAccessibleName(tr("Filter lanes by name"));
        m_all->setText(tr("&Unfold All"));
        showFilter();
    });
    connect(m_menu, &QMenu::aboutToShow, this, &TimelineMenu::showFilter);
    connect(m_canvas, &TimelineCanvas::rowsChanged, this, &TimelineMenu::showFilter);
    connect(m_canvas, &TimelineCanvas::scrollChanged, this, &TimelineMenu::place, Qt::QueuedConnection);
    connect(run, &RunModel::runChanged, this, &TimelineMenu::showFilter);
    connect(theme, &Theme::changed, this, &TimelineMenu::applyTheme);
    connect(theme, &Theme::forPrintChanged, this, &TimelineMenu::place);
    applyTheme();
}

void TimelineMenu::addLanes()
{
    for (QAction*& state : m_state) {
        state = m_menu->addAction(QString());
        state->setCheckable(true);
        m_states->addAction(state);
    }
    m_state[0]->setChecked(true);
    m_menu->addSeparator();
    m_contenders->setCheckable(true);
    auto* name = new QWidgetAction(this);
    name->setDefaultWidget(m_name);
    m_menu->addAction(m_contenders);
    m_menu->addAction(name);
    m_menu->addAction(m_canvas->command("timeline.fold"));
    m_menu->addAction(m_canvas->command("timeline.pin"));
    m_menu->addAction(m_all);
    connect(m_states, &QActionGroup::triggered, this, &TimelineMenu::setFilter);
    connect(m_contenders, &QAction::toggled, this, [this](bool only) {
        LaneFilter filter = m_canvas->laneFilter();
        filter.lock = only ? m_selection->lock() : LockId::none();
        m_canvas->setLaneFilter(filter);
    });
    connect(m_name, &QLineEdit::textChanged, this, &TimelineMenu::setFilter);
    connect(m_name, &QLineEdit::returnPressed, m_menu, &QMenu::close);
    connect(m_all, &QAction::triggered, m_canvas, &TimelineCanvas::unfoldAll);
}

QString TimelineMenu::order() const
{
    const std::optional<LaneOrder> chosen = m_canvas->chosenOrder();
    return !chosen                               ? QString()
           : *chosen == LaneOrder::byAcquisition ? QStringLiteral("turn")
                                                 : QStringLiteral("added");
}

void TimelineMenu::setOrder(const QString& order)
{
    if (order == u"turn" || order == u"added")
        m_canvas->setLaneOrder(order == u"turn" ? LaneOrder::byAcquisition : LaneOrder::added);
}

void TimelineMenu::addTools(const QList<QAction*>& tools)
{
    m_menu->addSeparator();
    m_menu->addActions(tools);
}

void TimelineMenu::setFilter()
{
    LaneFilter filter = m_canvas->laneFilter();
    for (std::size_t i = 0; i < m_state.size(); ++i)
        if (m_state[i]->isChecked())
            filter.state = static_cast<LaneFilter::State>(i);
    filter.name = m_name->text().trimmed();
    m_canvas->setLaneFilter(filter);
}

void TimelineMenu::showFilter()
{
    const LaneFilter& filter = m_canvas->laneFilter();
    const LaneRows& rows = m_canvas->rows();
    const QSignalBlocker quietLock(m_contenders);
    const QSignalBlocker quietName(m_name);
    m_state[static_cast<std::size_t>(filter.state)]->setChecked(true);
    m_canvas->command("timeline.order")->setChecked(m_canvas->laneOrder() == LaneOrder::byAcquisition);
    m_canvas->command("timeline.compactLanes")->setChecked(m_canvas->compactLanes());
    m_canvas->command("timeline.legend")->setChecked(m_canvas->legendShown());
    m_canvas->command("timeline.contention")->setChecked(m_canvas->contentionShown());
    const LockId filtered = m_canvas->filteredLock();
    const replay::LockRow* lock = m_run->state().lock(filtered.valid() ? filtered : m_selection->lock());
    m_contenders->setText(lock ? tr("Only &Contenders of %1")
                                     .arg(format::plain(lock->path, 40).replace(u'&', QLatin1String("&&")))
                               : tr("Only &Contenders of the Lock"));
    m_contenders->setEnabled(lock != nullptr || filtered.valid());
    m_contenders->setChecked(filtered.valid());
    if (m_name->text().trimmed() != filter.name)
        m_name->setText(filter.name);
    m_all->setEnabled(!filter.matchesAll());
    const auto folded = rows.folded().size();
    //: a menu: which lanes are shown; a lane is the row of a client
    setText(folded == 0
                ? tr("Lanes")
                : tr("%1 of %2")
                      .arg(format::count(rows.shown().size()), format::count(rows.shown().size() + folded)));
    place();
}

void TimelineMenu::place()
{
    const QRect& names = m_canvas->picture().layout.labels;
    setVisible(m_canvas->picture().layout.laneCount > 0 && !m_theme->forPrint());
    setGeometry(4, 1, std::min(std::max(24, names.width() - 8), sizeHint().width()),
                std::max(16, m_canvas->picture().layout.band.height() - 2));
}

void TimelineMenu::applyTheme()
{
    setFont(m_theme->fonts().small);
    m_name->setFont(m_theme->fonts().text);
    showFilter();
}

} // namespace lockscope::ui

#include "moc_timeline_menu.cpp"
