// Who held each lock when: read once from the trace as it grows, in slices of a few milliseconds, and asked
// for a stretch of time at the cost of its pixels. Ends where the timeline's holds end: where the last
// release is called, and a belief that outlives its node is none. GUI thread; the store must outlive it or
// clear().
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
        EventIndex event = EventIndex::none(); // its Acquired, or what stands for it
    };
    // Holds that follow each other. A lock that several hold at a time has a track for each of them.
    using Track = std::vector<Hold>;
    struct Lock
    {
        LockId id;
        trace::Text path;
        std::vector<Track> tracks;
        bool watched = false; // who holds is told by Decided: first by the server's queue
    };

    void clear();
    // Reads on towards the first `drained` events, all of which the timeline has. False: more is left, call
    // again.
    bool readMore(const trace::TraceStore& store, std::size_t drained, const replay::Timeline& timeline);

    const std::vector<Lock>& locks() const { return m_locks; } // by id
    // Of the lock; those that last at this moment, else the one that began last before it. Of every lock when
    // it has none so far.
    std::vector<Hold> at(LockId lock, TraceTime time) const;

    // The holds of a track that touch [begin, end), in order. Those shorter than `shortest` that begin in
    // steps of that length next to each other come as one: Span::merged says how many they are. The steps lie
    // at its multiples, so that a picture that scrolls keeps its blocks. Appends to `out`. O(steps * log
    // holds).
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
    std::vector<Open>::iterator findOpen(const trace::Event& event, trace::Text node, OwnerId owner);
    void closeFor(const trace::Event& event, trace::Text node, OwnerId owner);
    template <class Test>
    void closeIf(TraceTime at, Test test);
    void close(const Open& open, TraceTime at);
    bool stale(const Open& open, TraceTime at) const;

    std::vector<Lock> m_locks;
    std::vector<Open> m_open;
    const replay::Timeline* m_timeline = nullptr; // while it reads
    std::size_t m_read = 0;                       // events looked at
};

} // namespace lockscope::ui
