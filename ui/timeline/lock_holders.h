// The holds of each lock: read once from the trace as it grows, in slices of a few milliseconds. The cost of
// a query is proportional to its pixels. A hold ends as in the timeline: at the call of the last release; a
// client's belief that it still holds after its node was deleted does not count. The store must outlive it or
// clear(). GUI thread.
#pragma once

#include "core/replay/timeline/timeline.h"

#include <vector>

namespace lockscope::ui {

class LockHolders
{
public:
    struct Hold
    {
        TraceTime begin{};
        TraceTime end = kForever; // while it lasts
        ClientId client = ClientId::none();
        EventIndex event = EventIndex::none(); // Acquired, or the event that stands for it
    };
    // Consecutive holds. A lock with several holders at a time has a track for each.
    using Track = std::vector<Hold>;
    struct Lock
    {
        LockId id;
        trace::Text path;
        std::vector<Track> tracks;
        bool watched = false; // holders follow from Decided events: first in the server's queue
    };

    void clear();
    // Continues reading up to the first `drained` events, which the timeline must have applied. Returns false
    // when events are left, because the time for a slice is over: call again.
    static constexpr Duration kSlice = std::chrono::milliseconds(4);
    bool readMore(const trace::TraceStore& store, std::size_t drained, const replay::Timeline& timeline,
                  Duration budget = kSlice);

    const std::vector<Lock>& locks() const { return m_locks; } // by id
    // The lock's holds at this moment, else its latest hold before it. If this lock has none yet, of all
    // locks.
    std::vector<Hold> at(LockId lock, TraceTime time) const;

    // Appends the holds of a track that touch [begin, end) to `out`, in order. Holds shorter than `shortest`
    // in adjacent steps of that length are merged; Span::merged is their number. Steps lie at multiples of
    // `shortest`, so that blocks stay the same while the picture scrolls. O(steps * log holds).
    static void condense(const Track& track, TraceTime begin, TraceTime end, Duration shortest,
                         std::vector<replay::Span>& out);

private:
    struct Open
    {
        std::size_t lock, track; // in m_locks
        ClientId client;
        trace::Text node;
        OwnerId owner;
    };

    template <class E>
    void apply(const trace::Event&, std::size_t, const E&)
    {}
    void apply(const trace::Event& event, std::size_t index, const trace::LockAdded& added);
    void apply(const trace::Event& event, std::size_t index, const trace::Acquired& acquired);
    void apply(const trace::Event& event, std::size_t index, const trace::Decided& decided);
    void apply(const trace::Event& event, std::size_t index, const trace::NodeVanished& vanished);
    void apply(const trace::Event& event, std::size_t index, const trace::ReleaseCalled& called);
    void apply(const trace::Event& event, std::size_t index, const trace::Released& released);
    void apply(const trace::Event& event, std::size_t index, const trace::HoldLost& lost);
    void apply(const trace::Event& event, std::size_t index, const trace::SessionState& state);
    void apply(const trace::Event& event, std::size_t index, const trace::ClientRemoved& removed);
    Lock* lockOf(LockId id);
    void closeFor(const trace::Event& event, trace::Text node, OwnerId owner);
    template <class Test>
    void closeIf(TraceTime at, Test test);
    void close(const Open& open, TraceTime at);
    bool stale(const Open& open, TraceTime at) const;

    std::vector<Lock> m_locks;
    std::vector<Open> m_open;
    const replay::Timeline* m_timeline = nullptr; // set while reading
    std::size_t m_read = 0;                       // events
};

} // namespace lockscope::ui
