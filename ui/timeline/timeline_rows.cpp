// Which lanes the TimelineCanvas shows, in which order, and how far it is scrolled.
#include "ui/timeline/timeline_canvas.h"

#include "ui/timeline/acquisition_order.h"

#include <algorithm>

namespace lockscope::ui {

namespace {
constexpr int kRowsMilliseconds = 250; // lanes that come and go with what they do, do so this often at most
constexpr std::size_t kFewLanes = 16;  // so many keep their places, unless somebody wants them by turn
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
        m_acquisitionOrder.clear();
    else
        for (std::size_t lane = m_acquisitionOrder.size(); lane < timeline.laneCount(); ++lane) // who joined since
            m_acquisitionOrder.push_back(ClientId{static_cast<std::uint32_t>(lane)});
    auto rows = std::make_shared<const LaneRows>(m_filter, timeline, m_names, m_window->begin(),
                                                 m_window->end(), m_acquisitionOrder);
    const bool differs = m_notifiedShown != rows->shown().size() || m_notifiedFolded != rows->folded().size();
    m_notifiedShown = rows->shown().size();
    m_notifiedFolded = rows->folded().size();
    m_rowsAge.start();
    m_rows = std::move(rows);
    if (differs)
        QMetaObject::invokeMethod(this, &TimelineCanvas::rowsChanged, Qt::QueuedConnection);
    return m_rows;
}

LaneOrder TimelineCanvas::laneOrder() const
{
    return m_order.value_or(m_run->timeline().laneCount() > kFewLanes ? LaneOrder::byAcquisition : LaneOrder::added);
}

void TimelineCanvas::setLaneOrder(std::optional<LaneOrder> order)
{
    if (order == m_order)
        return;
    m_order = order;
    m_rows.reset();
    requestReorder();
    if (laneOrder() == LaneOrder::added)
        centreLane(holderShown());
    emit rowsChanged();
}

void TimelineCanvas::setCompactLanes(bool low)
{
    if (low == m_compactLanes)
        return;
    m_compactLanes = low;
    requestReorder();
    emit rowsChanged();
}

void TimelineCanvas::setLegend(std::optional<bool> shown)
{
    if (shown == m_legend)
        return;
    m_legend = shown;
    invalidate();
    emit rowsChanged();
}

void TimelineCanvas::requestReorder()
{
    m_reorderPending = true;
    m_scrolledByHand = false;
    invalidate();
}

// While the run is followed, lanes move only when they must; who travels wants to see who is at turn there.
void TimelineCanvas::onWindowChanged()
{
    const bool travels = !m_window->following();
    const TimeScale& scale = m_picture.scale;
    if (travels && (m_window->end() <= scale.begin() || m_window->begin() >= scale.end()))
        m_scrolledByHand = false;
    m_reorderPending = m_reorderPending || travels || m_orderedLength != m_window->length();
    invalidate();
}

// At the cursor, or in the middle of what is shown.
ClientId TimelineCanvas::holderShown() const
{
    const TraceTime cursor = m_run->cursorTime();
    const bool inSight = cursor >= m_window->begin() && cursor <= m_window->end();
    const auto holds =
        m_holders.at(m_selection->lock(), inSight ? cursor : m_window->begin() + m_window->length() / 2);
    return holds.empty() ? ClientId::none() : holds.front().client;
}

// In another room the same lanes come first, and the selected one stays in sight.
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

// By turn, who holds and the one below stay in sight as long as nobody scrolls away. Lanes keep their places
// until that needs others.
void TimelineCanvas::reorderLanes(TimelineInput& input)
{
    if (laneOrder() != LaneOrder::byAcquisition || m_scrolledByHand || m_drag == Drag::panning)
        return;
    const ClientId holder = holderShown();
    const auto isInSight = [&](int row) {
        const TimelineLayout layout = layoutOf(input);
        const int last = std::min(row + 1, layout.laneCount - 1);
        return row < 0 || (layout.scrollFor(row) == layout.scroll && layout.scrollFor(last) == layout.scroll);
    };
    if (!m_reorderPending && isInSight(input.rows->rowOf(holder)))
        return;
    m_reorderPending = false;
    m_orderedLength = m_window->length();
    m_acquisitionOrder = byAcquisition(m_holders, m_run->timeline(), m_run->state(), m_window->begin());
    m_rows.reset();
    input.rows = currentRows();
    // Those who held before it and those who come after it, as many as fit.
    const int row = std::max(0, input.rows->rowOf(holder));
    const TimelineLayout layout = layoutOf(input);
    const int after = std::max(1, layout.wholeLanes() / 3);
    const int first = std::clamp(row + after - (layout.wholeLanes() - 1), 0, row);
    m_scroll = input.scroll = first * layout.laneHeight;
}

void TimelineCanvas::notifyScroll()
{
    if (m_notifiedScroll == m_scroll && m_notifiedMaxScroll == m_picture.layout.maxScroll())
        return;
    m_notifiedScroll = m_scroll;
    m_notifiedMaxScroll = m_picture.layout.maxScroll();
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

} // namespace lockscope::ui
