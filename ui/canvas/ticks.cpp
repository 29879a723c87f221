#include "ui/canvas/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope::ui {

using namespace std::chrono_literals;

double roundStep(double wanted)
{
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= wanted * (1 - 1e-9))
            return power * factor;
    return power * 10;
}

Duration roundStep(Duration wanted)
{
    return Duration(std::llround(roundStep(std::max(1.0, static_cast<double>(wanted.count())))));
}

Duration niceTickStep(const TimeScale& scale, int minimumPixels)
{
    return roundStep(Duration(std::llround(std::ceil(scale.nsPerPixel * std::max(1, minimumPixels)))));
}

Duration wallTickStep(const TimeScale& scale, int minimumPixels)
{
    constexpr std::array<Duration, 18> kSteps = {15s, 30s, 1min, 2min, 5min, 10min, 15min, 30min, 1h,
                                                 2h,  3h,  6h,   12h,  24h,  48h,   168h,  336h,  672h};
    const Duration step = niceTickStep(scale, minimumPixels);
    if (step <= 10s)
        return step;
    const double wanted = scale.nsPerPixel * std::max(1, minimumPixels);
    const auto nice = std::find_if(kSteps.begin(), kSteps.end(), [wanted](Duration one) {
        return static_cast<double>(one.count()) >= wanted;
    });
    return nice == kSteps.end() ? step : *nice;
}

std::vector<TraceTime> ticksWithin(TraceTime begin, TraceTime end, Duration step, Duration zero)
{
    std::vector<TraceTime> ticks;
    if (step <= Duration::zero())
        return ticks;
    const Duration rest = zero % step; // small: the first tick is counted from near the run's beginning
    const Duration::rep first = (std::max(begin, TraceTime::zero()) + rest + step - Duration(1)) / step;
    for (TraceTime at = step * first - rest; at < end; at += step)
        ticks.push_back(at);
    return ticks;
}

} // namespace lockscope::ui
