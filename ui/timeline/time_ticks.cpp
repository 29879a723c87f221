#include "ui/timeline/time_ticks.h"

#include <algorithm>

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
