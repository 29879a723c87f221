// One client's lane: its present activities on each lock, and the rows of spans that result from them. If
// several activities overlap, each row shows the worst. Append-only; private to the timeline.
#pragma once

#include "core/replay/timeline/span_pyramid.h"
#include "core/trace/event.h"

#include <array>
#include <vector>

namespace lockscope::replay {

// A wait or a hold in progress.
struct Activity
{
    LockId lock = LockId::none();
    OwnerId owner = OwnerId::none();
    trace::Text node;               // of a hold, or of a wait in the server's log
    SpanKind kind = SpanKind::none; // waiting, holding, releasing or stale
    std::uint16_t depth = 0;
    bool givenUp = false; // released or taken away: the lock may pass to the next client
    TraceTime begin{};
    EventIndex beginEvent = EventIndex::none();

    bool isHold() const { return kind != SpanKind::waiting; }
};

class Lane
{
public:
    // Deeper levels of reentrancy are drawn as this level.
    static constexpr std::size_t kMaxDepth = 16;

    explicit Lane(ClientId client)
        : m_client(client)
    {}
    ClientId client() const { return m_client; }

    std::vector<Activity>& activities() { return m_activities; }
    // The hold with this node; if a node is unknown, the one of this owner, otherwise any hold of the lock;
    // or null.
    Activity* hold(LockId lock, trace::Text node, OwnerId owner);
    Activity* wait(LockId lock, OwnerId owner);
    Activity* findByNode(LockId lock, trace::Text node); // a wait or a hold; null if there is none
    void erase(const Activity* activity);

    bool does(SpanKind kind) const;
    // Whether the timeline counts this lane among those with such an activity; kept by the timeline.
    bool& counted(SpanKind kind) { return m_counted[static_cast<std::size_t>(kind)]; }

    void setFrozen(EventIndex by) { m_frozen = by; } // none = not frozen
    void setSuspended(EventIndex by) { m_suspended = by; }
    bool frozen() const { return m_frozen.valid(); }
    bool suspended() const { return m_suspended.valid(); }

    // Brings the rows up to date with the activities, as of this event.
    void update(TraceTime at, EventIndex by);

    const SpanPyramid& spans() const { return m_spans; }
    const SpanPyramid& overlays() const { return m_overlays; }
    const std::vector<SpanPyramid>& depths() const { return m_depths; } // [0] = depth 2
    const SpanPyramid& waits() const { return m_waits; }                // waits while it holds another lock
    const SpanPyramid& releases() const { return m_releases; }          // release called, not answered

    SessionId session = SessionId::none();
    bool sessionClosed = false;

    std::size_t memoryBytes() const;

private:
    StoredSpan worstActivity() const;
    StoredSpan worstOverlay() const;
    StoredSpan waitDuringHold() const;
    StoredSpan oldest(SpanKind kind) const;
    static void show(SpanPyramid& row, const StoredSpan& now, TraceTime at, EventIndex by);

    ClientId m_client;
    std::array<bool, 7> m_counted{}; // by SpanKind
    std::vector<Activity> m_activities;
    EventIndex m_frozen = EventIndex::none();
    EventIndex m_suspended = EventIndex::none();
    SpanPyramid m_spans;
    SpanPyramid m_overlays;
    std::vector<SpanPyramid> m_depths;
    SpanPyramid m_waits;
    SpanPyramid m_releases;
};

} // namespace lockscope::replay
