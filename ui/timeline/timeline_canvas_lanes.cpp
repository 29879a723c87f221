// A TimelineCanvas's lanes: which are shown, in which order, and where it is scrolled to.
#include "ui/timeline/timeline_canvas.h"

#include "ui/timeline/acquisition_order.h"

#include <algorithm>
#include <utility>

namespace lockscope::ui {

namespace {

constexpr int kRowsMilliseconds = 250; // how often lanes can appear and disappear by the filter
constexpr std::size_t kFewLanes = 16;  // up to this many lanes keep their places by default

} // namespace

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

} // namespace lockscope::ui
