#include "core/replay/timeline/lane.h"

#include <algorithm>

namespace lockscope::replay {

namespace {

template <class Match>
Activity* find(std::vector<Activity>& activities, Match match)
{
    const auto found = std::ranges::find_if(activities, match);
    return found == activities.end() ? nullptr : &*found;
}

StoredSpan spanOf(const Activity& one)
{
    return {one.begin, kForever, one.beginEvent, EventIndex::none(), one.lock, one.depth, one.kind};
}

} // namespace

Activity* Lane::hold(LockId lock, trace::Text node, OwnerId owner)
{
    const auto onLock = [&](const Activity& one) { return one.isHold() && one.lock == lock; };
    const auto unnamed = [&](const Activity& one) {
        return onLock(one) && (node.empty() || one.node.empty());
    };
    if (!node.empty())
        if (Activity* found =
                find(m_activities, [&](const Activity& one) { return onLock(one) && one.node == node; }))
            return found;
    if (Activity* found =
            find(m_activities, [&](const Activity& one) { return unnamed(one) && one.owner == owner; }))
        return found;
    return find(m_activities, unnamed);
}

Activity* Lane::wait(LockId lock, OwnerId owner)
{
    return find(m_activities, [&](const Activity& one) {
        return one.kind == SpanKind::waiting && one.lock == lock && one.owner == owner;
    });
}

Activity* Lane::findByNode(LockId lock, trace::Text node)
{
    return find(m_activities,
                [&](const Activity& one) { return !node.empty() && one.lock == lock && one.node == node; });
}

void Lane::erase(const Activity* activity)
{
    m_activities.erase(m_activities.begin() + (activity - m_activities.data()));
}

bool Lane::does(SpanKind kind) const
{
    return std::ranges::find(m_activities, kind, &Activity::kind) != m_activities.end();
}

StoredSpan Lane::worstActivity() const
{
    const Activity* worst = nullptr;
    for (const Activity& one : m_activities) {
        if (one.kind == SpanKind::stale || one.kind == SpanKind::releasing)
            continue; // these kinds have their own rows
        const bool worse = !worst || one.kind > worst->kind;
        if (worse || (one.kind == worst->kind && one.beginEvent < worst->beginEvent))
            worst = &one;
    }
    return worst ? spanOf(*worst) : StoredSpan{};
}

StoredSpan Lane::worstOverlay() const
{
    if (does(SpanKind::stale))
        return oldest(SpanKind::stale);
    if (frozen())
        return {.beginEvent = m_frozen, .kind = SpanKind::frozen};
    if (suspended())
        return {.beginEvent = m_suspended, .kind = SpanKind::suspended};
    return {};
}

StoredSpan Lane::oldest(SpanKind kind) const
{
    StoredSpan oldest;
    for (const Activity& one : m_activities)
        if (one.kind == kind && one.beginEvent < oldest.beginEvent)
            oldest = spanOf(one);
    return oldest;
}

// The oldest wait of a client that holds a lock meanwhile; otherwise none, because spans() shows the wait.
StoredSpan Lane::waitDuringHold() const
{
    return does(SpanKind::holding) ? oldest(SpanKind::waiting) : StoredSpan{};
}

void Lane::show(SpanPyramid& row, const StoredSpan& now, TraceTime at, EventIndex by)
{
    if (row.isOpen()) {
        const StoredSpan& shown = row.last();
        if (now.kind == shown.kind && now.beginEvent == shown.beginEvent) {
            if (now.depth > shown.depth)
                row.raiseDepth(now.depth);
            return;
        }
        row.close(at, by);
    }
    if (now.kind == SpanKind::none)
        return;
    StoredSpan next = now;
    next.begin = at; // a worse activity may have hidden it until now
    row.open(next);
}

void Lane::update(TraceTime at, EventIndex by)
{
    show(m_spans, worstActivity(), at, by);
    show(m_overlays, worstOverlay(), at, by);
    show(m_waits, waitDuringHold(), at, by);
    show(m_releases, oldest(SpanKind::releasing), at, by);

    std::size_t depth = 0;
    for (const Activity& one : m_activities)
        if (one.kind == SpanKind::holding)
            depth = std::max<std::size_t>(depth, one.depth);
    depth = std::min(depth, kMaxDepth);
    if (depth >= 2 && m_depths.size() < depth - 1)
        m_depths.resize(depth - 1);
    for (std::size_t i = 0; i < m_depths.size(); ++i) {
        const std::size_t level = i + 2;
        if (m_depths[i].isOpen() && level > depth)
            m_depths[i].close(at, by);
        else if (!m_depths[i].isOpen() && level <= depth)
            m_depths[i].open({at, kForever, by, EventIndex::none(), LockId::none(),
                              static_cast<std::uint16_t>(level), SpanKind::holding});
    }
}

std::size_t Lane::memoryBytes() const
{
    std::size_t bytes = sizeof(Lane) + m_activities.capacity() * sizeof(Activity) + m_spans.memoryBytes() +
                        m_overlays.memoryBytes() + m_waits.memoryBytes() + m_releases.memoryBytes() +
                        m_depths.capacity() * sizeof(SpanPyramid);
    for (const SpanPyramid& row : m_depths)
        bytes += row.memoryBytes();
    return bytes;
}

} // namespace lockscope::replay
