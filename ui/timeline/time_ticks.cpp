#include "ui/timeline/time_ticks.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace lockscope::ui {

Duration niceTickStep(const TimeScale& scale, int minimumPixels)
{
    const double wanted = scale.nsPerPixel * std::max(1, minimumPixels);
    Duration::rep power = 1;
    while (static_cast<double>(power) * 10 <= wanted && power < 1'000'000'000'000'000LL)
        power *= 10;
    for (const Duration::rep factor : {1, 2, 5})
        if (static_cast<double>(power * factor) >= wanted)
            return Duration(power * factor);
    return Duration(power * 10);
}

Duration wallTickStep(const TimeScale& scale, int minimumPixels)
{
    using namespace std::chrono_literals;
    constexpr std::array<std::chrono::minutes, 16> kSteps = {1min, 2min, 5min,  10min, 15min, 30min, 1h,   2h,
                                                             3h,   6h,   12h,   24h,   48h,   168h,  336h, 672h};
    const Duration step = niceTickStep(scale, minimumPixels);
    if (step <= 10s)
        return step;
    const double wanted = scale.nsPerPixel * std::max(1, minimumPixels);
    for (const Duration nice : std::initializer_list<Duration>{15s, 30s})
        if (static_cast<double>(nice.count()) >= wanted)
            return nice;
    for (const std::chrono::minutes nice : kSteps)
        if (static_cast<double>(Duration(nice).count()) >= wanted)
            return nice;
    return step;
}

std::vector<TraceTime> ticksWithin(const TimeScale& scale, Duration step, Duration zero)
{
    std::vector<TraceTime> ticks;
    if (step <= Duration::zero())
        return ticks;
    const TraceTime begin = std::max(scale.begin(), TraceTime::zero());
    const Duration rest = zero % step; // small: the first tick is counted from near the run's beginning
    const Duration::rep first = (begin + rest + step - Duration(1)) / step;
    for (TraceTime at = step * first - rest; at < scale.end(); at += step)
        ticks.push_back(at);
    return ticks;
}

} // namespace lockscope::ui
