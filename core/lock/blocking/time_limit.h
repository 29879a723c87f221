// Converts the time limits of the standard library (any duration, time points of any clock). Any thread.
#pragma once

#include "core/base/time.h"

namespace lockscope::lock {

// Longer limits are cut to a year, which counts as forever and is far from overflow.
inline constexpr Duration kMaxLimit = std::chrono::hours(24 * 365);

template <class Rep, class Period>
Duration toLimit(const std::chrono::duration<Rep, Period>& wanted)
{
    if (wanted <= wanted.zero())
        return Duration{};
    if (std::chrono::duration<double>(wanted) >= std::chrono::duration<double>(kMaxLimit))
        return kMaxLimit;
    return std::chrono::ceil<Duration>(wanted);
}

// The time left until the deadline; zero when it has passed. The clock is read once: an acquire waits for
// this long by the monotonic clock, even when another clock is adjusted meanwhile. (A new try at the end
// would begin at the end of the queue, and wait for as long as the clock was set back.)
template <class Clock, class D>
Duration timeUntil(const std::chrono::time_point<Clock, D>& deadline)
{
    const auto now = Clock::now();
    return now < deadline ? toLimit(deadline - now) : Duration{};
}

} // namespace lockscope::lock
