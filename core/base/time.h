// Time as the project uses it: a monotonic clock and spans in nanoseconds. TraceTime counts from the
// trace's time zero (its header holds that moment as wall clock and as CLOCK_MONOTONIC).
#pragma once

#include <chrono>

namespace lockscope {

using Duration = std::chrono::nanoseconds;
using MonotonicClock = std::chrono::steady_clock;
using MonotonicTime = std::chrono::time_point<MonotonicClock, Duration>;

inline MonotonicTime monotonicNow() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }
using TraceTime = Duration;

inline constexpr TraceTime kForever = TraceTime::max();

} // namespace lockscope
