// The holds of each lock over time, and how many clients waited meanwhile, from the facts that the fold
// finds. A hold ends as in the timeline: at the call of the last release, or when it is lost on the server,
// whatever its client believes. Append-only; the cost of a query is proportional to its pixels. One thread;
// texts point into the TraceStore.
#pragma once

#include "core/replay/fold/facts.h"
#include "core/replay/timeline/timeline.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lockscope::replay {

// A number that changes with time, and its maximum over each kBlock changes.
class StepSeries
{
public:
    void set(TraceTime at, std::uint32_t value)
    {
        if (m_values.size() % kBlock == 0)
            m_most.push_back(0);
        m_times.push_back(at);
        m_values.push_back(value);
        m_most.back() = std::max(m_most.back(), value);
    }
    // The maximum in [begin, end), with the value that it has at `begin`.
    std::uint32_t most(TraceTime begin, TraceTime end) const
    {
        std::size_t i = firstFrom(begin + Duration(1));
        const std::size_t last = firstFrom(end);
        std::uint32_t most = i > 0 ? m_values[i - 1] : 0;
        while (i < last) {
            const bool whole = i % kBlock == 0 && i + kBlock <= last;
            most = std::max(most, whole ? m_most[i / kBlock] : m_values[i]);
            i += whole ? kBlock : 1;
        }
        return most;
    }
    std::size_t memoryBytes() const
    {
        return m_times.capacity() * sizeof(TraceTime) +
               (m_values.capacity() + m_most.capacity()) * sizeof(std::uint32_t);
    }

private:
    std::size_t firstFrom(TraceTime time) const
    {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_times, time) - m_times.begin());
    }
    static constexpr std::size_t kBlock = 64;
    std::vector<TraceTime> m_times;
    std::vector<std::uint32_t> m_values, m_most;
};

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
    void setWaiting(TraceTime at, std::uint32_t clients) { m_waiting.set(at, clients); }
    // For each of `steps` equal steps from `begin` on, the most clients that waited at one time. O(steps *
    // log changes).
    std::vector<std::uint32_t> waiting(TraceTime begin, Duration step, std::size_t steps) const;
    std::size_t memoryBytes() const;

private:
    Lock& of(LockId lock);
    bool end(const Facts::Ended& hold, TraceTime at);

    std::vector<Lock> m_locks;
    StepSeries m_waiting;
};

} // namespace lockscope::replay
