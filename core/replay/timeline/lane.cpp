#include "core/replay/timeline/lane.h"

#include <algorithm>

namespace lockscope::replay {

namespace {

// What a client does at one moment, as the span that each row shows.
struct Shown
{
    StoredSpan span, overlay, wait, release;
};

// Keeps the worst kind; of several of one kind, the oldest.
void add(StoredSpan& worst, SpanKind kind, EventIndex by, const LockUse& one)
{
    if (kind > worst.kind || (kind == worst.kind && by < worst.beginEvent))
        worst = {.beginEvent = by,
                 .lock = one.lock,
                 .depth = kind == SpanKind::holding ? one.depth : std::uint16_t{0},
                 .kind = kind};
}

Shown shownOf(const ClientRow& client)
{
    Shown now;
    // Without a session it neither holds nor acts, whether or not it knows.
    const bool over =
        client.session == trace::SessionPhase::lost || client.session == trace::SessionPhase::closed;
    client.forEach([&](const LockUse& one) {
        if (one.phase == ClientPhase::joining || one.phase == ClientPhase::waiting) {
            add(now.wait, SpanKind::waiting, one.asked, one);
        } else if (over) {
            return;
        } else if (one.phase == ClientPhase::releasing) {
            add(now.release, SpanKind::releasing, one.phaseBy, one);
        } else if (one.phase == ClientPhase::holding) {
            if (one.isStale)
                add(now.overlay, SpanKind::stale, one.staleBy, one);
            else
                add(now.span, SpanKind::holding, one.granted, one);
            if (one.calledAgain.valid())
                add(now.wait, SpanKind::waiting, one.calledAgain, one);
        }
    });
    if (now.span.kind == SpanKind::none)
        now.span = now.wait;
    if (now.overlay.kind == SpanKind::none && client.frozen && !over)
        now.overlay = {.beginEvent = client.frozenBy, .kind = SpanKind::frozen};
    else if (now.overlay.kind == SpanKind::none && client.suspendedBy.valid())
        now.overlay = {.beginEvent = client.suspendedBy, .kind = SpanKind::suspended};
    return now;
}

void show(SpanPyramid& row, const StoredSpan& now, TraceTime at, EventIndex by)
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

} // namespace

void Lane::update(const ClientRow& client, TraceTime at, EventIndex by)
{
    const Shown now = shownOf(client);
    m_holds = now.span.kind == SpanKind::holding;
    m_waits = now.wait.kind == SpanKind::waiting;
    const auto rowOf = [this](LaneRow row) -> SpanPyramid& { return m_rows[static_cast<std::size_t>(row)]; };
    show(rowOf(LaneRow::spans), now.span, at, by);
    show(rowOf(LaneRow::overlays), now.overlay, at, by);
    show(rowOf(LaneRow::waitsDuringHold), m_holds ? now.wait : StoredSpan{}, at, by);
    show(rowOf(LaneRow::releases), now.release, at, by);

    std::uint16_t depth = 0;
    if (m_holds)
        client.forEach([&](const LockUse& one) {
            if (one.phase == ClientPhase::holding && !one.isStale)
                depth = std::max(depth, std::min(one.depth, kMaxDepth));
        });
    if (depth >= 2 && m_depths.size() + 1 < depth)
        m_depths.resize(depth - std::size_t{1});
    for (std::uint16_t level = 2; level < m_depths.size() + 2; ++level) {
        SpanPyramid& row = m_depths[level - std::size_t{2}];
        if (row.isOpen() && level > depth)
            row.close(at, by);
        else if (!row.isOpen() && level <= depth)
            row.open({at, kForever, by, EventIndex::none(), LockId::none(), level, SpanKind::holding});
    }
}

std::size_t Lane::memoryBytes() const
{
    std::size_t bytes = sizeof(Lane) + m_depths.capacity() * sizeof(SpanPyramid);
    for (const SpanPyramid& row : m_rows)
        bytes += row.memoryBytes();
    for (const SpanPyramid& row : m_depths)
        bytes += row.memoryBytes();
    return bytes;
}

} // namespace lockscope::replay
