// The holds of each lock over time, from the facts that the fold finds. A hold ends as in the timeline: at
// the call of the last release, or when it is lost on the server, whatever its client believes. Append-only;
// the cost of a query is proportional to its pixels. One thread; texts point into the TraceStore.
#pragma once

#include "core/replay/fold/facts.h"
#include "core/replay/timeline/timeline.h"

#include <vector>

namespace lockscope::replay {

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
    struct Open
    {
        std::size_t track; // whose last hold it is
        ClientId client;
        trace::Text node;
    };
    struct Lock
    {
        LockId id;
        trace::Text path{};
        std::vector<Track> tracks{};
        std::vector<Open> open{};
    };

    // For each event in order, at this time of the timeline.
    void apply(const trace::Event& event, EventIndex self, TraceTime at, const Facts& facts);

    const std::vector<Lock>& locks() const { return m_locks; } // by id
    // The lock's holds at this moment, else its latest hold before it. If this lock has none yet, of all
    // locks.
    std::vector<Hold> at(LockId lock, TraceTime time) const;

    // Appends the holds of a track that touch [begin, end) to `out`, in order. Holds shorter than `shortest`
    // in adjacent steps of that length are merged; Span::merged is their number. Steps lie at multiples of
    // `shortest`, so that blocks stay the same while the picture scrolls. O(steps * log holds).
    static void condense(const Track& track, TraceTime begin, TraceTime end, Duration shortest,
                         std::vector<Span>& out);
    std::size_t memoryBytes() const;

private:
    Lock& of(LockId lock);
    bool end(const Facts::Ended& hold, TraceTime at);

    std::vector<Lock> m_locks;
};

} // namespace lockscope::replay
