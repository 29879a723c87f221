// The times at which a condition held, as a growing list of stretches: the pauses of a run, the outages of
// its server, when a client held a lock. How much of an interval they cover is found with two binary
// searches. A plain value; any thread.
#pragma once

#include "core/base/time.h"

#include <vector>

namespace lockscope::replay {

// `end` minus `begin`; 0 if `begin` is later, in a broken trace.
Duration lengthOf(TraceTime begin, TraceTime end);

class Stretches
{
public:
    struct Stretch
    {
        TraceTime begin{};
        TraceTime end = kForever; // kForever while it lasts
        Duration before{};        // the length of all earlier ones
        bool operator==(const Stretch&) const = default;
    };

    // The condition holds, or not, from `at` on. Call it in the order of the events.
    void set(bool on, TraceTime at);
    bool isOpen() const { return !m_all.empty() && m_all.back().end == kForever; }
    // Whether it has held since.
    bool since(TraceTime time) const { return !m_all.empty() && m_all.back().end > time; }
    // The covered time from zero to `time`. An open stretch counts up to `time`.
    Duration until(TraceTime time) const;
    // The time from `begin` to `end` in which it did not hold. O(log stretches).
    Duration without(TraceTime begin, TraceTime end) const;
    // Whether a stretch touches [begin, end), including a stretch of zero length.
    bool touches(TraceTime begin, TraceTime end) const;
    const std::vector<Stretch>& all() const { return m_all; } // in order

    std::size_t memoryBytes() const { return m_all.capacity() * sizeof(Stretch); }
    bool operator==(const Stretches&) const = default;

private:
    const Stretch* lastBefore(TraceTime time) const; // that begins before this time; null: none

    std::vector<Stretch> m_all;
};

} // namespace lockscope::replay
