// One client's lane: what it does on which lock at this moment, and the rows of spans that come of it. Where
// several things go on at once, each row shows the worst. Append-only; private to the timeline.
#pragma once

#include "core/replay/timeline/span_pyramid.h"
#include "core/trace/event.h"

#include <array>
#include <vector>

namespace lockscope::replay {

// A wait or a hold that goes on.
struct Activity
{
    LockId lock = LockId::none();
    OwnerId owner = OwnerId::none();
    trace::Text node;               // of a hold; of a wait when it is from the server's log
    SpanKind kind = SpanKind::none; // waiting, holding, releasing or stale
    std::uint16_t depth = 0;
    bool givenUp = false; // release called, or taken away: the lock may go on to the next one
    TraceTime begin{};
    EventIndex beginEvent = EventIndex::none();

    bool isHold() const { return kind != SpanKind::waiting; }
};

class Lane
{
public:
    // Levels of re-entry beyond this one are drawn as this one.
    static constexpr std::size_t kMaxDepth = 16;

    explicit Lane(ClientId client)
        : m_client(client)
    {}
    ClientId client() const { return m_client; }

    std::vector<Activity>& activities() { return m_activities; }
    // The hold of this node; where the node is not known, of this owner, else any on the lock.
    Activity* hold(LockId lock, trace::Text node, OwnerId owner);
    Activity* wait(LockId lock, OwnerId owner);
    Activity* findByNode(LockId lock, trace::Text node); // a wait or a hold; null when there is none
    void erase(const Activity* activity);

    bool does(SpanKind kind) const;
    // Whether the timeline counts this lane among those that do: its own note.
    bool& counted(SpanKind kind) { return m_counted[static_cast<std::size_t>(kind)]; }

    void setFrozen(EventIndex by) { m_frozen = by; } // none = not (any more)
    void setSuspended(EventIndex by) { m_suspended = by; }
    bool frozen() const { return m_frozen.valid(); }
    bool suspended() const { return m_suspended.valid(); }

    // Carries what goes on into the rows, as of this event.
    void update(TraceTime at, EventIndex by);

    const SpanPyramid& spans() const { return m_spans; }
    const SpanPyramid& overlays() const { return m_overlays; }
    const std::vector<SpanPyramid>& depths() const { return m_depths; } // [0] = depth 2
    const SpanPyramid& waits() const { return m_waits; }                // while it holds another lock
    const SpanPyramid& releases() const { return m_releases; }          // called, not answered

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
