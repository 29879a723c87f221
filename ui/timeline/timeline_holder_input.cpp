// Who holds, in the TimelineCanvas: the rows above the lanes under the mouse, and the way to a holder's lane.
#include "ui/timeline/timeline_canvas.h"

#include <algorithm>

namespace lockscope::ui {

// Where several holds share the pixels, the one at that moment, else the first of them.
LockHolders::Hold TimelineCanvas::exactHold(const TimelineHolder& holder, QPoint at) const
{
    const TimelineHolderRow& row = m_picture.holderRows[static_cast<std::size_t>(holder.row)];
    const LockHolders::Track& track = m_holders.locks()[row.lock.value].tracks[row.track];
    const TraceTime first = holder.bar.span.begin;
    const TraceTime time =
        std::max(first, holder.bar.span.merged > 1 ? m_picture.scale.timeAt(at.x()) : first);
    const auto after = std::partition_point(
        track.begin(), track.end(), [&](const LockHolders::Hold& hold) { return hold.begin <= time; });
    return *std::prev(after);
}

QString TimelineCanvas::holderTip(const TimelineHit& hit, QPoint at) const
{
    if (hit.what == TimelineHit::What::holderRow) {
        const TimelineHolderRow& row = m_picture.holderRows[hit.index];
        return TimelineText::holderRowTip(m_holders.locks()[row.lock.value].path, row.unseen);
    }
    const TimelineHolder& holder = m_picture.holders[hit.index];
    const LockHolders::Hold hold = exactHold(holder, at);
    replay::Span span = holder.bar.span;
    span.begin = hold.begin;
    span.end = hold.end;
    span.beginEvent = hold.event;
    return TimelineText::spanTip(hold.client, span, {}, holder.bar.span.merged, facts());
}

void TimelineCanvas::goToHold(const LockHolders::Hold& hold)
{
    centreLane(hold.client);
    m_selection->selectClient(hold.client, TimelineText::nodeOf(m_run->store(), hold.event), hold.event);
}

void TimelineCanvas::goToHolder()
{
    const std::vector<LockHolders::Hold> holds = m_holders.at(m_selection->lock(), m_run->cursorTime());
    if (holds.empty())
        return;
    requestReorder();
    const auto selected = std::find_if(holds.begin(), holds.end(), [this](const LockHolders::Hold& hold) {
        return hold.event == m_selection->event();
    });
    goToHold(selected == holds.end() || std::next(selected) == holds.end() ? holds.front()
                                                                           : *std::next(selected));
}

} // namespace lockscope::ui
