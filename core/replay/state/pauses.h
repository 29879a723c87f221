// The pauses of a run: time in which it was stopped, such as for a reader, and which counts neither as
// waiting nor as holding. A plain value; any thread.
#pragma once

#include "core/base/time.h"

#include <vector>

namespace lockscope::replay {

// `end` minus `begin`; 0 if `begin` is later, in a broken trace.
Duration lengthOf(TraceTime begin, TraceTime end);

class Pauses
{
public:
    // The run is paused, or not, from `at` on. Call it in the order of the events.
    void change(TraceTime at, bool paused);

    bool since(TraceTime time) const
    {
        return !m_all.empty() && m_all.back().end > time;
    } // whether it was paused since
    // The time from `begin` to `end` in which the run was not paused. O(log pauses).
    Duration running(TraceTime begin, TraceTime end) const;

    std::size_t memoryBytes() const { return m_all.capacity() * sizeof(Pause); }
    bool operator==(const Pauses&) const = default;

private:
    struct Pause
    {
        TraceTime begin{};
        TraceTime end = kForever; // kForever while it lasts
        Duration before{};        // the length of all earlier pauses
        bool operator==(const Pause&) const = default;
    };
    Duration until(TraceTime time) const; // the length of all pauses before `time`

    std::vector<Pause> m_all;
};

} // namespace lockscope::replay
