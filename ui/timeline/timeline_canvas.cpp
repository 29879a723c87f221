#include "ui/timeline/timeline_canvas.h"

#include "ui/models/style/format.h"
#include "ui/timeline/acquisition_order.h"
#include "ui/timeline/blocker.h"
#include "ui/timeline/timeline_snap.h"
#include "ui/timeline/timeline_tool_painter.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace lockscope::ui {

using replay::SpanKind;
using What = TimelineHit::What;

namespace {

constexpr int kRowsMilliseconds = 250; // how often lanes can appear and disappear by the filter
constexpr std::size_t kFewLanes = 16;  // up to this many lanes keep their places by default

constexpr double kWheelPan = 0.1;    // of the width, for one notch
constexpr double kSpanMargin = 0.25; // of a span's length, on each side when zooming to it
constexpr int kLanesPerNotch = 3;    // scrolled

constexpr double kKeyPan = 0.2; // of the width

constexpr int kEditorWidth = 220;              // at least
constexpr int kHintRoom = 8;                   // around the placeholder text, besides the frame
constexpr std::size_t kCountedAtOnce = 20'000; // maximum events in the measured range
constexpr int kCountEvery = 100;               // milliseconds

// Return accepts the text, and so does losing the focus if it was changed; Escape discards it. Keys do not
// reach the timeline.
class BookmarkEdit : public QLineEdit
{
public:
    BookmarkEdit(QWidget* parent, std::function<void(bool keep)> end)
        : QLineEdit(parent)
        , m_end(std::move(end))
    {}

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const int key = event->key();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
            m_end(key != Qt::Key_Escape);
        else
            QLineEdit::keyPressEvent(event);
        event->accept();
    }
    void focusOutEvent(QFocusEvent* event) override
    {
        QLineEdit::focusOutEvent(event);
        if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
            m_end(isModified());
    }

private:
    std::function<void(bool)> m_end;
};

} // namespace

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
        tools.drawHandoff(arrow, m_run->timeline().handoff(arrow.handoff), m_names,
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

void TimelineCanvas::setLaneFilter(const LaneFilter& filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    m_rows.reset();
    invalidate();
    picture();
    emit rowsChanged();
}

LockId TimelineCanvas::filteredLock() const
{
    // The state is the one at the cursor, which may lack the lock.
    const LockId lock = m_filter.lock;
    const bool has = lock.valid() &&
                     (lock.value < m_run->timeline().holders().locks().size() || m_run->state().lock(lock));
    return has ? lock : LockId::none();
}

std::shared_ptr<const LaneRows> TimelineCanvas::currentRows()
{
    const replay::Timeline& timeline = m_run->timeline();
    const auto known = m_rows ? m_rows->shown().size() + m_rows->folded().size() : 0;
    const bool old =
        m_filter.dependsOnTime() && (!m_rowsAge.isValid() || m_rowsAge.elapsed() >= kRowsMilliseconds);
    if (m_rows && known == timeline.laneCount() && !old) {
        if (m_filter.dependsOnTime() && !m_rowsRefresh.isActive())
            m_rowsRefresh.start(kRowsMilliseconds);
        return m_rows;
    }
    if (laneOrder() == LaneOrder::added)
        m_acquisitionOrder = m_names.byTrace();
    else
        for (std::size_t lane = m_acquisitionOrder.size(); lane < timeline.laneCount(); ++lane) // new clients
            m_acquisitionOrder.push_back(ClientId{static_cast<std::uint32_t>(lane)});
    LaneFilter filter = m_filter;
    filter.lock = filteredLock();
    auto rows = std::make_shared<const LaneRows>(filter, timeline, m_names, m_window->begin(),
                                                 m_window->end(), m_acquisitionOrder);
    const std::pair counts(rows->shown().size(), rows->folded().size());
    const bool differs = std::exchange(m_notifiedRows, counts) != counts;
    m_rowsAge.start();
    m_rows = std::move(rows);
    if (differs)
        QMetaObject::invokeMethod(this, &TimelineCanvas::rowsChanged, Qt::QueuedConnection);
    return m_rows;
}

LaneOrder TimelineCanvas::laneOrder() const
{
    const bool few = m_run->timeline().laneCount() <= kFewLanes || !m_names.clocks().traces.empty();
    return m_order.value_or(few ? LaneOrder::added : LaneOrder::byAcquisition);
}

void TimelineCanvas::setLaneOrder(std::optional<LaneOrder> order)
{
    if (std::exchange(m_order, order) == order)
        return;
    m_rows.reset();
    requestReorder();
    if (laneOrder() == LaneOrder::added)
        centreLane(holderShown());
    emit rowsChanged();
}

void TimelineCanvas::setCompactLanes(bool low)
{
    if (std::exchange(m_compactLanes, low) == low)
        return;
    requestReorder();
    emit rowsChanged();
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

void TimelineCanvas::requestReorder()
{
    m_reorderPending = true;
    m_scrolledByHand = false;
    invalidate();
}

// While the run is followed, lanes move only when necessary. After a jump they are ordered for the new time
// range.
void TimelineCanvas::onWindowChanged()
{
    const bool travels = !m_window->following();
    const TimeScale& scale = m_picture.scale;
    if (travels && (m_window->end() <= scale.begin() || m_window->begin() >= scale.end()))
        m_scrolledByHand = false;
    m_reorderPending = m_reorderPending || travels || m_orderedLength != m_window->length();
    invalidate();
}

bool TimelineCanvas::cursorInSight() const
{
    const TraceTime cursor = m_run->cursorTime();
    return cursor >= m_window->begin() && cursor <= m_window->end();
}

// Counts from before all that is in sight, in large steps, so that lanes seldom move. One moment at one zoom
// has one order, however the user came there.
std::vector<ClientId> TimelineCanvas::acquisitionOrder() const
{
    const Duration step = m_window->length() / 2;
    const TraceTime shown = cursorInSight() ? m_run->cursorTime() : m_window->begin();
    return byAcquisition(m_run->timeline().holders(), m_run->timeline(), m_run->state(),
                         shown - shown % step - m_window->length());
}

void TimelineCanvas::orderForCursor()
{
    if (laneOrder() == LaneOrder::byAcquisition && !m_window->following() &&
        acquisitionOrder() != m_acquisitionOrder) {
        m_reorderPending = true;
        invalidate();
    }
}

// The holder at the cursor, or in the middle of the time range.
ClientId TimelineCanvas::holderShown() const
{
    const auto holds = m_run->timeline().holders().at(
        m_selection->lock(),
        cursorInSight() ? m_run->cursorTime() : m_window->begin() + m_window->length() / 2);
    return holds.empty() ? ClientId::none() : holds.front().client;
}

// After a change of size, the topmost lane is the same as before, and the selected lane stays visible.
void TimelineCanvas::keepLanes(TimelineInput& input)
{
    const TimelineLayout before = m_picture.layout;
    TimelineLayout layout = layoutOf(input);
    if (!m_picture.rows || (layout.laneHeight == before.laneHeight && layout.plot == before.plot))
        return;
    m_reorderPending = true;
    layout.scroll = std::min(m_scroll / before.laneHeight * layout.laneHeight, layout.maxScroll());
    const int was = m_picture.rows->rowOf(m_selection->client());
    const int now = input.rows->rowOf(m_selection->client());
    const bool seen = was >= 0 && before.scrollFor(was) == before.scroll;
    m_scroll = input.scroll = seen && now >= 0 ? layout.scrollFor(now) : layout.scroll;
}

// In the order of acquisition, the holder and the lane below stay visible unless the user scrolled. While the
// run is followed, lanes keep their places as long as that is possible.
void TimelineCanvas::reorderLanes(TimelineInput& input)
{
    const bool stays = m_scrolledByHand && m_window->following();
    if (laneOrder() != LaneOrder::byAcquisition || stays || m_drag == Drag::panning)
        return;
    const ClientId holder = holderShown();
    const auto isInSight = [&](int row) {
        const TimelineLayout layout = layoutOf(input);
        const int last = std::min(row + 1, layout.laneCount - 1);
        return row < 0 || (layout.scrollFor(row) == layout.scroll && layout.scrollFor(last) == layout.scroll);
    };
    if (!m_reorderPending && (m_scrolledByHand || isInSight(input.rows->rowOf(holder))))
        return;
    m_reorderPending = false;
    m_orderedLength = m_window->length();
    m_acquisitionOrder = acquisitionOrder();
    m_rows.reset();
    input.rows = currentRows();
    if (m_scrolledByHand)
        return;
    // Shows the holders before and after this one, as many as fit.
    const int row = std::max(0, input.rows->rowOf(holder));
    const TimelineLayout layout = layoutOf(input);
    const int after = std::max(1, layout.wholeLanes() / 3);
    const int first = std::clamp(row + after - (layout.wholeLanes() - 1), 0, row);
    m_scroll = input.scroll = first * layout.laneHeight;
}

void TimelineCanvas::notifyScroll()
{
    const std::pair now(m_scroll, m_picture.layout.maxScroll());
    if (std::exchange(m_notifiedScroll, now) != now)
        emit scrollChanged();
}

int TimelineCanvas::maxScroll() { return picture().layout.maxScroll(); }

void TimelineCanvas::setScroll(int scroll)
{
    const int bounded = std::clamp(scroll, 0, maxScroll());
    if (bounded == m_scroll)
        return;
    m_scroll = bounded;
    m_scrolledByHand = true;
    invalidate();
}

void TimelineCanvas::showLane(ClientId lane)
{
    const int row = picture().rows->rowOf(lane);
    if (row >= 0)
        setScroll(m_picture.layout.scrollFor(row));
}

void TimelineCanvas::centreLane(ClientId lane)
{
    const TimelineLayout& layout = picture().layout;
    const int row = picture().rows->rowOf(lane);
    if (row >= 0 && layout.scrollFor(row) != layout.scroll)
        setScroll((row - layout.wholeLanes() / 2) * layout.laneHeight);
}

void TimelineCanvas::setHover(const TimelineHit& hit)
{
    if (hit == m_hover)
        return;
    const bool arrows = hit.what == What::arrow || m_hover.what == What::arrow;
    m_hover = hit;
    if (hit.what == What::arrow)
        QToolTip::hideText(); // a bar's tip would cover the parts of the handoff
    const bool clickable = hit.what != What::nothing && hit.what != What::lane &&
                           hit.what != What::holderRow && hit.what != What::mark;
    setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (arrows)
        update();
}

void TimelineCanvas::hover(std::optional<QPointF> at)
{
    if (m_drag == Drag::none)
        setHover(at ? hitTimeline(picture(), at->toPoint()) : TimelineHit{});
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    const bool middle = event->button() == Qt::MiddleButton;
    if (event->button() != Qt::LeftButton && !middle) {
        Canvas::mousePressEvent(event);
        return;
    }
    m_pressed = m_dragged = event->position().toPoint();
    m_drag = Drag::pressed;
    m_pans = middle || event->modifiers().testFlag(Qt::ShiftModifier) ||
             !picture().layout.plot.contains(m_pressed);
    if (middle)
        return;
    m_click = clickAt(m_pressed, event->modifiers());
    const QRect& strip = picture().layout.overview;
    if (!strip.contains(m_pressed)) {
        const bool measure =
            event->modifiers().testFlag(Qt::ControlModifier) || (m_measure && m_measure->withCursor);
        if (measure && m_picture.layout.plot.contains(m_pressed)) {
            m_drag = Drag::measuring;
        } else if (hitTimeline(m_picture, m_pressed).what == What::ruler) {
            m_drag = Drag::scrubbing;
            m_run->seekTime(snapped(m_pressed, event->modifiers()));
        }
        return;
    }
    m_drag = Drag::overview;
    const QRect shown = m_overview.windowRect(strip, m_window->begin(), m_window->end());
    const bool inside = m_pressed.x() >= shown.left() && m_pressed.x() <= shown.right();
    m_overviewGrip = inside ? m_pressed.x() - shown.left() : shown.width() / 2;
    if (!inside)
        dragOverview(m_pressed.x());
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint at = event->position().toPoint();
    if (m_drag == Drag::none)
        return Canvas::mouseMoveEvent(event);
    if (m_drag == Drag::pressed && (at - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = m_pans ? Drag::panning : Drag::measuring;
        if (m_pans)
            setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag != Drag::pressed && m_drag != Drag::overview)
        dragTo(at, event->modifiers());
    else if (m_drag == Drag::overview && at != m_dragged)
        dragOverview(at.x());
    if (m_drag != Drag::pressed)
        m_dragged = at;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) {
        QWidget::mouseReleaseEvent(event);
        return;
    }
    const Drag was = std::exchange(m_drag, Drag::none);
    const std::function<void()> click = std::exchange(m_click, nullptr);
    // While the measured range ends at the cursor, a click has its usual effect, and a drag measures anew.
    const bool toCursor = was == Drag::measuring && m_measure && m_measure->withCursor &&
                          !event->modifiers().testFlag(Qt::ControlModifier);
    if ((was == Drag::pressed || toCursor) && click)
        click();
    if (was == Drag::panning) {
        unsetCursor();
        invalidate();
        const int lane = picture().layout.laneHeight;
        setScroll((m_scroll + lane / 2) / lane * lane);
    }
}

void TimelineCanvas::dragTo(QPoint at, Qt::KeyboardModifiers modifiers)
{
    if (m_drag == Drag::measuring) {
        setMeasure(Measure{snapped(m_pressed, modifiers), snapped(at, modifiers), false});
    } else if (m_drag == Drag::scrubbing) {
        m_run->seekTime(snapped(at, modifiers));
    } else {
        panPixels(m_dragged.x() - at.x());
        setScroll(m_scroll + m_dragged.y() - at.y());
    }
}

void TimelineCanvas::dragOverview(int x)
{
    const QRect& strip = picture().layout.overview;
    m_window->pan(m_overview.timeAt(strip, x - m_overviewGrip) - m_window->begin());
}

// The action of a click there, chosen when the button is pressed: a live picture moves until the release.
std::function<void()> TimelineCanvas::clickAt(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const TimelineHit hit = hitTimeline(picture(), at);
    return hit.what == What::holderRow || hit.what == What::lane || hit.what == What::contention
               ? [this, time = snapped(at, modifiers)] { m_run->seekTime(time); }
               : actionOf(hit, at);
}

std::function<void()> TimelineCanvas::actionOf(const TimelineHit& hit, QPoint at)
{
    switch (hit.what) {
    case What::laneName:
        return [this, lane = hit.lane] { m_selection->selectClient(lane); };
    case What::bar:
        return clickOnBar(m_picture.bars[hit.index], at);
    case What::overlay:
        return clickOnBar(m_picture.overlays[hit.index], at);
    case What::arrow: {
        const replay::Handoff& handoff = m_run->timeline().handoff(m_picture.arrows[hit.index].handoff);
        return [this, handoff] { m_selection->selectHandoff(handoff.acquiredEvent, handoff.to); };
    }
    case What::mark: {
        const replay::Mark& mark = m_picture.marks[hit.index].mark;
        return [this, event = mark.event, client = mark.client] { m_selection->selectEvent(event, client); };
    }
    case What::flag:
        return [this, note = m_picture.flags[hit.index].note] { goToBookmark(note); };
    case What::folded:
        return [this] { unfoldAll(); };
    case What::holder:
        return [this, hold = exactHold(m_picture, m_run->timeline().holders(), m_picture.holders[hit.index],
                                       at)] { goToHold(hold); };
    case What::holderRow:
    case What::lane:
    case What::contention:
    case What::ruler: // handled when the button was pressed
    case What::overview:
    case What::nothing:
        break;
    }
    return {};
}

std::function<void()> TimelineCanvas::clickOnBar(const TimelineBar& bar, QPoint at)
{
    const replay::Span span = exactSpan(m_picture, m_run->timeline(), bar, at);
    QString node = TimelineText::nodeOf(m_run->store(), span.beginEvent);
    if (node.isEmpty()) // a wait ends with the grant that names its node
        node = TimelineText::nodeOf(m_run->store(), span.endEvent);
    return [this, lane = bar.lane, node, event = span.beginEvent] {
        m_selection->selectClient(lane, node, event);
    };
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const TimelineHit hit = hitTimeline(picture(), event->position().toPoint());
    if (event->button() != Qt::LeftButton)
        return;
    if (hit.what == What::bar)
        zoomTo(m_picture.bars[hit.index].span.begin, m_picture.bars[hit.index].span.end);
    else if (hit.what == What::overlay)
        zoomTo(m_picture.overlays[hit.index].span.begin, m_picture.overlays[hit.index].span.end);
    else if (hit.what == What::holder)
        zoomTo(m_picture.holders[hit.index].bar.span.begin, m_picture.holders[hit.index].bar.span.end);
    else if (hit.what == What::flag)
        editBookmark(m_picture.flags[hit.index].note);
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) { emit menuRequested(event->globalPos()); }

void TimelineCanvas::zoomTo(TraceTime begin, TraceTime end)
{
    const Duration length = std::max(std::min(end, m_run->endTime()) - begin, TimeWindow::kMinLength);
    const Duration margin(static_cast<Duration::rep>(static_cast<double>(length.count()) * kSpanMargin));
    m_window->show(std::max(TraceTime::zero(), begin - margin), begin + length + margin);
}

void TimelineCanvas::zoomAround(double factor, double x)
{
    m_window->zoom(factor, picture().scale.timeAt(x));
}

void TimelineCanvas::panPixels(double pixels)
{
    const double ns = static_cast<double>(m_window->length().count()) / picture().scale.width * pixels;
    m_window->pan(Duration(std::llround(ns)));
}

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    event->accept();
    const TimelinePicture& shown = picture();
    if (std::abs(angle.x()) > std::abs(angle.y()) || shift) {
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        panPixels(-delta / 120.0 * kWheelPan * shown.scale.width);
    } else if (control && angle.y() != 0) {
        zoomAround(std::pow(kTimelineZoomStep, -angle.y() / 120.0), event->position().x());
    } else if (m_picture.layout.maxScroll() > 0) {
        m_wheelRest -= angle.y() / 120.0 * kLanesPerNotch;
        const int whole = static_cast<int>(m_wheelRest);
        m_wheelRest -= whole;
        setScroll(m_scroll + whole * m_picture.layout.laneHeight);
    } else { // as a bar at the bottom would
        panPixels(-angle.y() / 120.0 * kWheelPan * m_picture.scale.width);
    }
}

void TimelineCanvas::selectNeighbour(int delta)
{
    const std::vector<ClientId>& shown = picture().rows->shown();
    if (shown.empty())
        return;
    const int last = static_cast<int>(shown.size()) - 1;
    const int now = m_picture.rows->rowOf(m_selection->client());
    m_selection->selectClient(
        shown[static_cast<std::size_t>(now < 0 ? 0 : std::clamp(now + delta, 0, last))]);
}

// Ends the innermost mode first.
void TimelineCanvas::escape()
{
    if (m_measure)
        setMeasure(std::nullopt);
    else
        m_selection->selectClient(ClientId::none());
}

void TimelineCanvas::addCommands()
{
    const auto zoom = [this](double factor) {
        const TimeScale& scale = picture().scale;
        zoomAround(factor, scale.left + scale.width / 2.0);
    };
    const auto pan = [this](double share) { panPixels(share * picture().scale.width); };
    addCommand("timeline.zoomIn", [zoom] { zoom(1 / kTimelineZoomStep); });
    addCommand("timeline.zoomOut", [zoom] { zoom(kTimelineZoomStep); });
    addCommand("timeline.panLeft", [pan] { pan(-kKeyPan); });
    addCommand("timeline.panRight", [pan] { pan(kKeyPan); });
    addCommand("timeline.wholeRun", [this] { m_window->showAll(); });
    addCommand("timeline.zoomToSelection", [this] { zoomToSelection(); });
    addCommand("timeline.previousLane", [this] { selectNeighbour(-1); });
    addCommand("timeline.nextLane", [this] { selectNeighbour(1); });
    addPageCommands([this](int pages) { setScroll(m_scroll + pages * picture().layout.plot.height()); });
    addCommand("timeline.fold", [this] { foldSelected(); });
    addCommand("timeline.pin", [this] { pinSelected(); });
    addCommand("timeline.blocker",
               [this] { selectBlocker(blockerOf(m_run->state(), m_selection->client())); });
    addCommand("timeline.rootBlocker",
               [this] { selectBlocker(rootBlockerOf(m_run->state(), m_selection->client())); });
    addCommand("timeline.contention", [this] { setContention(!contentionShown()); });
    addCommand("timeline.order", [this] {
        const bool byAcquisition = laneOrder() == LaneOrder::byAcquisition;
        setLaneOrder(byAcquisition ? LaneOrder::added : LaneOrder::byAcquisition);
    });
    addCommand("timeline.compactLanes", [this] { setCompactLanes(!m_compactLanes); });
    addCommand("timeline.legend", [this] { setLegend(!legendShown()); });
    addCommand("timeline.holder", [this] { goToHolder(); });
    addCommand("timeline.measure", [this] { measureFromCursor(); });
    addCommand("timeline.leave", [this] { escape(); });
}

void TimelineCanvas::goToHold(const replay::LockHolders::Hold& hold)
{
    centreLane(hold.client);
    m_selection->selectClient(hold.client, TimelineText::nodeOf(m_run->store(), hold.event), hold.event);
}

void TimelineCanvas::goToHolder()
{
    const std::vector<replay::LockHolders::Hold> holds =
        m_run->timeline().holders().at(m_selection->lock(), m_run->cursorTime());
    if (holds.empty())
        return;
    requestReorder();
    const auto selected =
        std::ranges::find(holds, m_selection->selectedEvent(), &replay::LockHolders::Hold::event);
    goToHold(selected == holds.end() || std::next(selected) == holds.end() ? holds.front()
                                                                           : *std::next(selected));
}

// The time of the nearest edge; with Alt or Shift, the exact time at this point.
TraceTime TimelineCanvas::snapped(QPoint at, Qt::KeyboardModifiers modifiers)
{
    const TraceTime there = std::max(TraceTime::zero(), picture().scale.timeAt(at.x()));
    if (modifiers & (Qt::AltModifier | Qt::ShiftModifier))
        return there;
    return nearestEdge(m_picture, m_bookmarks->all(), at).value_or(there);
}

std::optional<MeasuredStretch> TimelineCanvas::measured() const
{
    if (!m_measure || !m_run->store())
        return {};
    return measureStretch(m_run->timeline(), *m_run->store(), m_run->drained(), m_measure->from,
                          m_measure->withCursor ? m_run->cursorTime() : m_measure->to);
}

void TimelineCanvas::setMeasure(std::optional<Measure> measure)
{
    m_measure = measure;
    m_statistics = {};
    update();
    emit measureChanged();
    countMeasured();
}

// Counts immediately for few events; otherwise from the event loop, at a limited rate.
void TimelineCanvas::countMeasured()
{
    const auto stretch = measured();
    if (!stretch)
        return m_statisticsNext.stop();
    if (stretch->events <= kCountedAtOnce)
        countMeasuredNow();
    else if (!m_statisticsNext.isActive())
        m_statisticsNext.start(kCountEvery);
}

void TimelineCanvas::countMeasuredNow()
{
    if (const auto stretch = measured())
        m_statistics = stretchStatistics(m_run->timeline(), m_run->timeline().holders(), stretch->from,
                                         stretch->to, m_run->endTime());
    update();
    emit measureChanged();
}

QStringList TimelineCanvas::measuredLines() const
{
    const auto stretch = measured();
    const QStringList lines =
        stretch ? TimelineText::measuredLines(*stretch, m_statistics, m_names) : QStringList();
    return m_briefMeasure ? lines.mid(0, 1) : lines;
}

void TimelineCanvas::setBriefMeasure(bool brief)
{
    m_briefMeasure = brief;
    update();
}

void TimelineCanvas::measureFromCursor()
{
    if (!m_run->hasRun())
        return;
    const TraceTime cursor = m_run->cursorTime();
    if (m_measure && m_measure->withCursor)
        setMeasure(Measure{m_measure->from, cursor, false});
    else
        setMeasure(Measure{cursor, cursor, true});
}

void TimelineCanvas::measureShown()
{
    if (m_run->hasRun())
        setMeasure(Measure{m_window->begin(), std::min(m_window->end(), m_run->endTime()), false});
}

void TimelineCanvas::copyMeasured() const
{
    if (const auto stretch = measured())
        QGuiApplication::clipboard()->setText(
            TimelineText::measuredCopyText(*stretch, m_statistics, m_names));
}

void TimelineCanvas::zoomToSelection()
{
    const trace::TraceStore* store = m_run->store();
    const EventIndex event = m_selection->selectedEvent();
    if (const auto stretch = measured(); stretch && stretch->length() > Duration::zero()) {
        zoomTo(stretch->from, stretch->to);
    } else if (store && event.valid() && event.value < m_run->drained()) {
        const trace::Event& selected = store->at(event);
        replay::Span span = m_run->timeline().spanAt(selected.client, selected.at);
        if (span.kind == replay::SpanKind::none)
            span = m_run->timeline().spanAt(selected.client, selected.at, replay::LaneRow::releases);
        if (span.kind != replay::SpanKind::none)
            zoomTo(span.begin, span.end);
    } else {
        m_window->showAll();
    }
}

void TimelineCanvas::foldSelected()
{
    if (!m_selection->client().valid())
        return;
    LaneFilter filter = m_filter;
    if (!filter.folded.insert(m_selection->client()).second)
        filter.folded.erase(m_selection->client());
    setLaneFilter(filter);
}

void TimelineCanvas::unfoldAll()
{
    LaneFilter all;
    all.pinned = m_filter.pinned;
    setLaneFilter(all);
}

void TimelineCanvas::pinSelected()
{
    if (!m_selection->client().valid())
        return;
    LaneFilter filter = m_filter;
    if (!filter.pinned.insert(m_selection->client()).second)
        filter.pinned.erase(m_selection->client());
    setLaneFilter(filter);
}

void TimelineCanvas::selectBlocker(ClientId blocker)
{
    if (blocker.valid())
        m_selection->selectClient(blocker);
}

void TimelineCanvas::setFound(EventIndex match)
{
    m_found = match;
    update();
}

void TimelineCanvas::editBookmarkAtCursor()
{
    if (!m_run->hasRun())
        return;
    const TraceTime at = m_run->cursorTime();
    const auto& all = m_bookmarks->all();
    const auto known = std::ranges::find(all, at, &Bookmark::at);
    showEditor(at, known == all.end() ? QString() : known->text);
}

void TimelineCanvas::editBookmark(std::size_t index)
{
    if (index < m_bookmarks->all().size())
        showEditor(m_bookmarks->all()[index].at, m_bookmarks->all()[index].text);
}

void TimelineCanvas::goToBookmark(std::size_t index)
{
    if (index < m_bookmarks->all().size())
        m_run->seekTime(m_bookmarks->all()[index].at);
}

void TimelineCanvas::endEditing(bool keep)
{
    if (!std::exchange(m_editing, false))
        return;
    const bool focused = m_editor->hasFocus();
    m_editor->hide();
    if (focused)
        setFocus(Qt::OtherFocusReason);
    if (keep)
        m_bookmarks->add(m_editedAt, m_editor->text());
}

void TimelineCanvas::showEditor(TraceTime at, const QString& text)
{
    endEditing(m_editor && m_editor->isModified());
    if (!m_editor) {
        m_editor = new BookmarkEdit(this, [this](bool keep) { endEditing(keep); });
        m_editor->setObjectName("noteEdit");
        m_editor->setMaxLength(Bookmark::kMaxLength);
    }
    m_editor->setFont(theme()->fonts().small);
    m_editor->setAccessibleName(tr("Bookmark note"));
    m_editor->setPlaceholderText(tr("Note at %1 s; press Enter to save").arg(format::timestamp(at)));
    m_editor->setText(text);
    m_editor->selectAll();
    m_editedAt = at;
    m_editing = true;
    const TimelineLayout& layout = picture().layout;
    const QFontMetrics metrics = m_editor->fontMetrics();
    // Qt's size hint has room for 17 letters.
    const int frame = m_editor->sizeHint().width() - 17 * metrics.horizontalAdvance('x');
    const int wide =
        std::max(kEditorWidth, metrics.horizontalAdvance(m_editor->placeholderText()) + frame + kHintRoom);
    const int x = std::clamp(m_picture.scale.pixelAt(at), layout.plot.left(),
                             std::max(layout.plot.left(), layout.plot.right() - wide));
    m_editor->setGeometry(x, layout.band.bottom() + 1, std::min(wide, room().width() - x),
                          m_editor->sizeHint().height());
    m_editor->show();
    m_editor->raise();
    m_editor->setFocus(Qt::OtherFocusReason);
}

} // namespace lockscope::ui

#include "moc_timeline_canvas.cpp"
