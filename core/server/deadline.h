// Deadlines, and waits for a descriptor with a deadline. Any thread; waitFor() blocks.
#pragma once

#include "core/base/time.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace lockscope::server {

inline MonotonicTime deadlineIn(Duration span) { return monotonicNow() + span; }

// Rounded up, so that a wait does not spin just before its end; 0 when the deadline has passed, at most one
// hour.
inline int millisecondsLeft(MonotonicTime deadline)
{
    const auto left = deadline - MonotonicClock::now();
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    return static_cast<int>(std::clamp<std::int64_t>(rounded, 0, 3'600'000));
}

// True when one of the events, an error or a hang-up has occurred; false when the deadline came first.
inline bool waitFor(int fd, short events, MonotonicTime deadline)
{
    for (;;) {
        pollfd entry{fd, events, 0};
        const int ready = ::poll(&entry, 1, millisecondsLeft(deadline));
        if (ready > 0)
            return true;
        if (ready < 0 ? errno != EINTR : monotonicNow() >= deadline)
            return false;
    }
}

} // namespace lockscope::server
