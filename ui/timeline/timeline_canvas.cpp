#include "ui/timeline/timeline_canvas.h"

#include "ui/models/style/format.h"
#include "ui/timeline/timeline_tool_painter.h"

#include <QEvent>

#include <algorithm>
#include <limits>

namespace lockscope::ui {

using What = TimelineHit::What;

TimelineCanvas::TimelineCanvas(const TimelineSources& sources, EventSearch* search, QWidget* parent)
    : Canvas(sources.theme, parent)
    , m_run(sources.run)
    , m_selection(sources.selection)
    , m_window(sources.window)
    , m_bookmarks(sources.notes)
    , m_search(search)
{
    m_overviewRefresh.setSingleShot(true);
    m_rowsRefresh.setSingleShot(true);
    m_statisticsNext.setSingleShot(true);
    connect(&m_statisticsNext, &QTimer::timeout, this, &TimelineCanvas::countMeasuredNow);
    connect(&m_overviewRefresh, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&m_rowsRefresh, &QTimer::timeout, this, [this] { invalidate(); });
    connect(m_run, &RunModel::runChanged, this, &TimelineCanvas::onRunChanged);
    connect(m_run, &RunModel::timelineGrew, this, &TimelineCanvas::onGrew);
    connect(m_run, &RunModel::cursorMoved, this, [this] {
        // A bar that lasts grows with the time, also where the window stands still.
        const int end = m_picture.scale.pixelAt(m_run->endTime());
        if (end != m_picture.endX && end <= m_picture.layout.plot.right())
            invalidate();
        update();
        orderForCursor();
        if (m_measure && m_measure->withCursor) {
            countMeasured();
            emit measureChanged(); // at once, while the statistics may follow
        }
    });
    connect(m_run, &RunModel::stateChanged, this, &TimelineCanvas::orderForCursor);
    connect(m_window, &TimeWindow::changed, this, &TimelineCanvas::onWindowChanged);
    connect(m_run, &RunModel::jumpedToEnd, this, &TimelineCanvas::requestReorder);
    connect(m_bookmarks, &Bookmarks::changed, this, [this] { invalidate(); });
    connect(theme(), &Theme::wallClockChanged, this, [this] { invalidate(); });
    connect(m_search, &EventSearch::changed, this, [this] { invalidate(); });
    connect(m_selection, &Selection::changed, this, [this] {
        showLane(m_selection->client());
        update();
        announceSelectedItem();
    });
    addCommands();
    onRunChanged();
}

void TimelineCanvas::onRunChanged()
{
    m_names.clear();
    m_overview.clear();
    m_scroll = 0;
    m_hover = {};
    m_drag = Drag::none;
    m_found = EventIndex::none();
    m_filter.folded.clear();
    m_filter.pinned.clear();
    m_rows.reset();
    m_acquisitionOrder.clear();
    m_reorderPending = true;
    m_scrolledByHand = false;
    endEditing(false); // its moment belongs to the former run
    setMeasure(std::nullopt);
    onGrew();
}

void TimelineCanvas::onGrew()
{
    const trace::TraceStore* store = m_run->store();
    if (store && m_names.update(*store, m_run->timeline()) && !m_filter.name.isEmpty())
        m_rows.reset(); // a lane may have another name now
    countMeasured();    // the range may reach beyond the run's former end
    invalidate();
}

const TimelinePicture& TimelineCanvas::picture()
{
    if (!isStale())
        return m_picture;
    TimelineInput input;
    input.timeline = &m_run->timeline();
    input.store = m_run->store();
    input.names = &m_names;
    input.begin = m_window->begin();
    input.length = m_window->length();
    input.runEnd = std::max(m_run->endTime(), m_run->timeline().end());
    input.size = room().size();
    input.scroll = m_scroll;
    input.text = theme()->fonts().text;
    input.small = theme()->fonts().small;
    input.rows = currentRows();
    input.notes = &m_bookmarks->all();
    input.search = m_search;
    input.holders = &m_run->timeline().holders();
    input.byAcquisition = laneOrder() == LaneOrder::byAcquisition;
    input.compactLanes = m_compactLanes;
    input.legend = m_legend;
    input.contention = m_contention;
    input.watchOnly = replay::onlyWatches(m_run->state());
    if (theme()->wallClock())
        input.wallZero = m_run->wallZero();
    keepLanes(input);
    reorderLanes(input);
    const std::optional<std::size_t> hovered = highlights().hoveredHandoff;
    m_picture = buildTimelinePicture(input);
    if (hovered) { // its arrow may have a new index, or none
        const auto arrow = std::ranges::find(m_picture.arrows, *hovered, &TimelineArrow::handoff);
        m_hover.index = arrow != m_picture.arrows.end()
                            ? static_cast<std::size_t>(arrow - m_picture.arrows.begin())
                            : std::numeric_limits<std::size_t>::max();
    }
    countBuild();
    m_scroll = m_picture.layout.scroll;
    notifyScroll();
    showScroll({m_scroll, m_picture.layout.maxScroll(), m_picture.layout.plot.height(),
                std::max(8, m_picture.layout.laneHeight)});
    return m_picture;
}

TimelineHighlights TimelineCanvas::highlights() const
{
    TimelineHighlights result;
    result.selectedLane = m_selection->client();
    result.selectedEvent = m_selection->selectedEvent();
    if (m_hover.what == TimelineHit::What::arrow && m_hover.index < m_picture.arrows.size())
        result.hoveredHandoff = m_picture.arrows[m_hover.index].handoff;
    if (m_run->hasRun() && !m_run->following()) {
        result.cursor = m_run->cursorTime();
        result.cursorLabel = TimelineText::cursor(m_run->cursorTime(), m_run->endTime(), m_run->isLive());
    }
    return result;
}

QString TimelineCanvas::emptyText()
{
    if (picture().layout.laneCount > 0)
        return {};
    return TimelineText::emptyText(*m_run);
}

void TimelineCanvas::draw(QPainter& painter, const QRegion&)
{
    const TimelinePicture& shown = picture();
    if (shown.layout.laneCount == 0)
        return;
    TimelinePainter(painter, *theme()).draw(shown, highlights());
    const QRect& strip = shown.layout.overview;
    if (!m_overview.update(m_run->timeline(), m_run->beginTime(), m_run->endTime(), strip.width()) &&
        !m_overviewRefresh.isActive())
        m_overviewRefresh.start(OverviewStrip::kRefreshMilliseconds);
    m_overview.draw(painter, theme()->palette(), strip, m_window->begin(), m_window->end());
    drawTools(painter);
}

void TimelineCanvas::drawTools(QPainter& painter)
{
    TimelineToolPainter tools(painter, theme()->palette(), theme()->fonts(), m_picture);
    tools.drawFlags();
    tools.drawMatches();
    if (m_found.valid() && m_run->store() && m_found.value < m_run->store()->count()) {
        const trace::Event& found = m_run->store()->at(m_found);
        tools.drawFound(found.client, found.at);
    }
    const QStringList lines = measuredLines();
    const auto stretch = measured();
    const bool inSight = stretch && stretch->from <= m_window->end() && stretch->to >= m_window->begin();
    if (inSight)
        tools.drawMeasure(*stretch, lines);
    tools.drawOnStrip(m_overview, m_bookmarks->all(), *m_search);
    if (m_hover.what == TimelineHit::What::arrow && m_hover.index < m_picture.arrows.size()) {
        const TimelineArrow& arrow = m_picture.arrows[m_hover.index];
        tools.drawHandoff(arrow, m_run->timeline().handoff(arrow.handoff), source().facts,
                          inSight ? tools.measureLabel(*stretch, lines) : QRect());
    }
}

// Describes the item at this point, with its wall-clock time where that is known.
QString TimelineCanvas::tipAt(QPointF place)
{
    if (picture().uncertainty.label.contains(place.toPoint()))
        return TimelineText::clocksTip(m_names.clocks());
    const TimelineHit hit = hitTimeline(picture(), place.toPoint());
    const TraceTime at = std::max(TraceTime::zero(), m_picture.scale.timeAt(place.x()));
    const QString text = tipOf(hit, place.toPoint());
    if (hit.what == TimelineHit::What::ruler)
        return !m_run->hasRun() ? QString()
                                : (text + u'\n' + format::momentTip(at, m_run->wallZero())).trimmed();
    const bool timed = hit.what != TimelineHit::What::laneName && hit.what != TimelineHit::What::folded &&
                       hit.what != TimelineHit::What::overview && hit.what != TimelineHit::What::holderRow;
    return text.isEmpty() || !timed || !m_run->wallZero()
               ? text
               : text + u'\n' + format::wallMoment(at, m_run->wallZero());
}

QString TimelineCanvas::tipOf(const TimelineHit& hit, QPoint at)
{
    switch (hit.what) {
    case What::flag:
        return TimelineText::bookmarkTip(m_bookmarks->all()[m_picture.flags[hit.index].note]);
    case What::folded:
        return tr("All folded lanes together: click to unfold them");
    case What::overview:
        return m_overview.compressedRect(m_picture.layout.overview).contains(at)
                   ? tr("The first %1, before any client joined").arg(format::duration(m_overview.start()))
                   : tr("The whole run: click or drag to choose what is shown above");
    default:
        return timelineTip(m_picture, source(), hit, at);
    }
}

TimelineSource TimelineCanvas::source() const
{
    return {&m_run->timeline(),
            &m_run->timeline().holders(),
            {m_run->store(), &m_names, m_run->endTime(), &m_run->timeline()}};
}

std::vector<AccessibleItem> TimelineCanvas::accessibleItems()
{
    return timelineItems(picture(), source(), {m_selection->client(), m_selection->selectedEvent()},
                         [this](const TimelineHit& hit, QPoint at) { return actionOf(hit, at); });
}

bool TimelineCanvas::event(QEvent* event)
{
    // No tool tip: the parts of a handoff are drawn beside it at once.
    if (event->type() == QEvent::ToolTip && m_hover.what == TimelineHit::What::arrow)
        return true;
    return Canvas::event(event);
}

void TimelineCanvas::setLegend(std::optional<bool> shown)
{
    if (std::exchange(m_legend, shown) == shown)
        return;
    invalidate();
    emit rowsChanged();
}

void TimelineCanvas::setContention(std::optional<bool> shown)
{
    if (std::exchange(m_contention, shown) == shown)
        return;
    invalidate();
    emit rowsChanged();
}

} // namespace lockscope::ui

#include "moc_timeline_canvas.cpp"
