#include "ui/timeline/timeline_view.h"

#include "ui/models/style/command_table.h"
#include "ui/models/style/text_cache.h"
#include "ui/texts/timeline_text.h"
#include "ui/timeline/bookmark_list.h"
#include "ui/timeline/default_span.h"
#include "ui/timeline/span_table.h"
#include "ui/timeline/timeline_menu.h"
#include "ui/timeline/timeline_search_bar.h"
#include "ui/widgets/panel_parts.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>

#include <utility>

namespace lockscope::ui {

namespace {

const Setting<QString> kLaneOrder{"laneOrder"};
const Setting<bool> kCompactLanes{"lowLanes"};
const Setting<bool> kTimelineLegend{"timelineLegend"};         // missing: depends on the run
const Setting<bool> kTimelineContention{"timelineContention"}; // missing: depends on the room
constexpr int kGlideMilliseconds = 33;
constexpr int kCaptionMilliseconds = 250;
constexpr std::size_t kShortRun = 40; // handoffs that can be distinguished in the view's width
constexpr int kCursorPlace = 33;      // percent of the width: the place of a cursor that is brought into view

} // namespace

TimelineView::TimelineView(const TimelineSources& sources, QWidget* parent)
    : QWidget(parent)
    , m_run(sources.run)
    , m_selection(sources.selection)
    , m_window(sources.window)
    , m_bookmarks(sources.notes)
    , m_search(new EventSearch(sources.run, this))
    , m_canvas(new TimelineCanvas(sources, m_search, this))
    , m_searchBar(new TimelineSearchBar(sources.run, sources.selection, m_search, sources.theme, this))
    , m_bookmarkList(new BookmarkList(sources.notes, sources.theme, this))
    , m_spanTable(new SpanTable(this))
    , m_theme(sources.theme)
    , m_menu(new TimelineMenu(m_canvas, sources.run, sources.selection, sources.theme))
    , m_follow(new QToolButton(m_canvas))
{
    m_follow->setFont(sources.theme->fonts().small);
    assemble();
    addTools();
    m_glide.setInterval(kGlideMilliseconds);
    m_captionTimer.setSingleShot(true);
    m_captionTimer.setInterval(kCaptionMilliseconds);
    connectParts();
    retranslate();
    moveWithRun();
    updateCaption();
}

void TimelineView::assemble()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_searchBar);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_canvas, 1);
    row->addWidget(m_spanTable, 1);
    row->addWidget(m_bookmarkList);
    column->addLayout(row, 1);
    setFocusProxy(m_canvas);
    m_follow->setObjectName("timelineFollow");
    m_follow->setProperty("kind", "primary");
    m_follow->setStyleSheet(QStringLiteral("padding: 0 8px;"));
    m_follow->setFocusPolicy(Qt::TabFocus);
    m_follow->hide();
}

void TimelineView::connectParts()
{
    connect(&m_glide, &QTimer::timeout, this, &TimelineView::moveWithRun);
    connect(&m_captionTimer, &QTimer::timeout, this, &TimelineView::updateCaption);
    for (const auto update : {&TimelineView::updateCaption, &TimelineView::updateFollow})
        connect(m_theme, &Theme::forPrintChanged, this, update);
    const auto captionSoon = [this] {
        if (!m_captionTimer.isActive())
            m_captionTimer.start();
    };
    connect(m_run, &RunModel::stateChanged, this, captionSoon);
    // The caption contains the begin of the window only while it does not follow the run.
    connect(m_window, &TimeWindow::changed, this, [this, captionSoon] {
        if (m_window->following())
            captionSoon();
        else
            updateCaption();
    });
    connect(m_run, &RunModel::runChanged, this, &TimelineView::onRunChanged);
    connect(m_run, &RunModel::timelineGrew, this, &TimelineView::moveWithRun);
    connect(m_run, &RunModel::cursorMoved, this, &TimelineView::keepCursorInView);
    connect(m_run, &RunModel::jumpedToEnd, m_window, [this] { m_window->setFollowing(true); });
    connect(m_run, &RunModel::jumpedTo, m_window, &TimeWindow::centre);
    connect(m_run, &RunModel::phaseChanged, this, &TimelineView::updateGlide);
    connect(m_run, &RunModel::phaseChanged, this, &TimelineView::fitFinishedRun);
    connect(m_run, &RunModel::phaseChanged, this, &TimelineView::updateFollow);
    connect(m_window, &TimeWindow::changed, this, &TimelineView::updateFollow);
    connect(m_run, &RunModel::cursorMoved, this, &TimelineView::updateFollow);
    connect(m_run, &RunModel::runChanged, this, &TimelineView::updateFollow);
    connect(m_follow, &QToolButton::clicked, this, [this] { m_window->setFollowing(true); });
    connect(m_canvas, &TimelineCanvas::menuRequested, this,
            [this](QPoint place) { m_menu->menu()->popup(place); });
    connect(m_canvas, &TimelineCanvas::measureChanged, this, &TimelineView::showMeasured);
    connect(m_spanTable, &SpanTable::chosen, m_canvas,
            [selection = m_selection](ClientId client) { selection->selectClient(client); });
    connect(m_spanTable, &SpanTable::left, m_canvas,
            [this] { m_canvas->command("timeline.leave")->trigger(); });
    connect(m_searchBar, &TimelineSearchBar::found, m_canvas, &TimelineCanvas::setFound);
    connect(m_searchBar, &TimelineSearchBar::closed, this,
            [this] { m_canvas->setFocus(Qt::OtherFocusReason); });
    connect(m_bookmarkList, &BookmarkList::chosen, m_canvas, &TimelineCanvas::goToBookmark);
    connect(m_bookmarkList, &BookmarkList::left, this, [this] { showBookmarks(false); });
}

void TimelineView::addTools()
{
    QAction* find = addCommandTo(this, "timeline.find", [this] { m_searchBar->open(); });
    m_copy = addCommandTo(this, "timeline.copy", [this] { m_canvas->copyMeasured(); });
    m_copy->setEnabled(false);
    m_table = addCommandTo(this, "timeline.table", [this] {
        if (m_table->isChecked() && !m_canvas->measured())
            m_canvas->measureShown();
        showMeasured();
    });
    addCommandTo(this, "timeline.nextMatch", [this] { m_searchBar->next(); });
    addCommandTo(this, "timeline.previousMatch", [this] { m_searchBar->previous(); });
    m_menu->addTools({find, m_canvas->command("timeline.holder"), m_canvas->command("timeline.measure"),
                      m_copy, m_table, m_canvas->command("timeline.zoomToSelection"),
                      m_canvas->command("timeline.blocker"), m_canvas->command("timeline.rootBlocker")});
}

void TimelineView::showMeasured()
{
    const bool any = m_canvas->measured().has_value();
    m_copy->setEnabled(any);
    if (!any)
        m_table->setChecked(false);
    if (m_spanTable->isAncestorOf(focusWidget()) && !m_table->isChecked())
        m_canvas->setFocus(Qt::OtherFocusReason);
    m_spanTable->setVisible(m_table->isChecked());
    m_canvas->setBriefMeasure(m_table->isChecked());
    if (m_table->isChecked())
        m_spanTable->show(m_canvas->measured(), m_canvas->measuredStatistics(), m_canvas->names());
}

void TimelineView::restore(const Settings& settings)
{
    m_menu->setOrder(settings.get(kLaneOrder));
    m_canvas->setCompactLanes(settings.get(kCompactLanes));
    if (settings.contains(kTimelineLegend))
        m_canvas->setLegend(settings.get(kTimelineLegend));
    if (settings.contains(kTimelineContention))
        m_canvas->setContention(settings.get(kTimelineContention));
}

void TimelineView::save(Settings settings) const
{
    settings.set(kLaneOrder, m_menu->order());
    settings.set(kCompactLanes, m_canvas->compactLanes());
    if (const auto shown = m_canvas->chosenLegend())
        settings.set(kTimelineLegend, *shown);
    if (const auto shown = m_canvas->chosenContention())
        settings.set(kTimelineContention, *shown);
}

void TimelineView::addBookmark() { m_canvas->editBookmarkAtCursor(); }

void TimelineView::nextBookmark()
{
    if (const auto note = m_bookmarks->next(m_run->cursorTime()))
        m_canvas->goToBookmark(*note);
}

void TimelineView::previousBookmark()
{
    if (const auto note = m_bookmarks->previous(m_run->cursorTime()))
        m_canvas->goToBookmark(*note);
}

void TimelineView::showBookmarks(bool shown)
{
    m_bookmarkList->setVisible(shown);
    (shown ? static_cast<QWidget*>(m_bookmarkList) : m_canvas)->setFocus(Qt::OtherFocusReason);
}

void TimelineView::onRunChanged()
{
    m_window->reset();
    m_seenCursor = m_run->cursorTime();
    moveWithRun();
    m_canvas->requestReorder(); // for the time range of this run
    updateGlide();
    updateCaption();
}

void TimelineView::moveWithRun()
{
    m_window->setTraceBegin(m_run->beginTime());
    m_window->setTraceEnd(m_run->endTime());
    if (m_window->following())
        adaptLength();
}

void TimelineView::adaptLength()
{
    if (!m_window->chosen())
        m_window->setDefaultLength(defaultSpan(m_run->timeline(), m_run->cursorTime(), m_window->length()));
}

// A cursor that leaves the end, by a step or a click in the log, stops the window, and pans it if necessary.
void TimelineView::keepCursorInView()
{
    moveWithRun();
    const TraceTime cursor = m_run->cursorTime();
    const bool leftEnd = std::exchange(m_atEnd, m_run->following()) && !m_atEnd;
    const bool moved = std::exchange(m_seenCursor, cursor) != cursor;
    if (m_run->following() || (!moved && !leftEnd))
        return;
    if (cursor < m_window->begin() || cursor > m_window->end()) {
        adaptLength();
        const TraceTime first = std::min(cursor, m_run->beginTime()); // nothing is to be seen before it
        m_window->pan(std::max(cursor - m_window->length() * kCursorPlace / 100, first) - m_window->begin());
    }
    if (!m_window->showsAll())
        m_window->setFollowing(false);
}

void TimelineView::updateGlide()
{
    if (isVisible() && m_run->isLive())
        m_glide.start();
    else
        m_glide.stop();
}

void TimelineView::fitFinishedRun()
{
    const bool ended = std::exchange(m_wasLive, m_run->isLive()) && !m_wasLive;
    if (ended && m_run->following() && !m_window->chosen() && m_run->timeline().handoffCount() <= kShortRun)
        m_window->showAll();
}

void TimelineView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    moveWithRun();
    updateGlide();
}

void TimelineView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_glide.stop();
}

void TimelineView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void TimelineView::retranslate()
{
    m_canvas->setAccessibleName(tr("Handoff timeline"));
    updateFollow();
    m_canvas->scrollBar()->setAccessibleName(tr("Lanes of the timeline"));
    updateCaption();
}

void TimelineView::updateCaption()
{
    const auto text = [this](bool help) {
        return TimelineText::caption(m_window->begin(), m_window->length(), m_window->following(),
                                     m_run->state().statistics.handoff.percentile(50), help);
    };
    const QString whole = text(!m_theme->forPrint());
    const QString caption = whole + kVariantSeparator + text(false); // the figures before the advice
    m_canvas->setAccessibleDescription(tr("One lane for each client: thin bars are waits, thick bars holds, "
                                          "arrows handoffs. When not all lanes are in sight, rows above them "
                                          "name the holders. %1")
                                           .arg(whole));
    setCaption(caption);
}

// The button is visible while the cursor is at the end of the run and the window does not follow it.
void TimelineView::updateFollow()
{
    m_follow->setText(m_run->isLive() ? tr("Follow Live") : tr("Go to End"));
    m_follow->setAccessibleName(m_follow->text());
    m_follow->setToolTip(m_run->isLive()
                             ? tr("The timeline does not follow the run. Click to follow its end again.")
                             : tr("Shows the end of the run."));
    const bool shown =
        m_run->hasRun() && m_run->following() && !m_window->following() && !m_theme->forPrint();
    if (!shown && m_follow->hasFocus())
        m_canvas->setFocus(Qt::OtherFocusReason);
    m_follow->setVisible(shown);
    placeFollowButton();
}

void TimelineView::placeFollowButton()
{
    if (m_follow->isHidden())
        return;
    const TimelineLayout& layout = m_canvas->picture().layout;
    const int width = m_follow->sizeHint().width();
    m_follow->setGeometry(layout.plot.right() + 1 - width, 1, width, std::max(16, layout.band.height() - 2));
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &TimelineView::placeFollowButton,
                              Qt::QueuedConnection); // after the canvas
}

} // namespace lockscope::ui

#include "moc_timeline_view.cpp"
