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

// Tries until the deadline on the clock of the deadline, which may be adjusted meanwhile. `tryFor` waits for
// the limit it is given; when the deadline has already passed, it is called once, with zero.
template <class Clock, class D, class TryFor>
bool tryUntil(const std::chrono::time_point<Clock, D>& deadline, TryFor tryFor)
{
    for (;;) {
        const auto now = Clock::now();
        const Duration limit = now < deadline ? toLimit(deadline - now) : Duration{};
        if (tryFor(limit))
            return true;
        if (Clock::now() >= deadline)
            return false;
    }
}

} // namespace lockscope::lock
