#include "ui/canvas/time_scale.h"

#include <algorithm>
#include <cmath>

namespace lockscope::ui {

namespace {
constexpr double kFarPixels = 1 << 20;
}

int TimeScale::pixelAt(TraceTime time) const
{
    const double column = std::floor(static_cast<double>(time.count()) / nsPerPixel) - firstPixel;
    return left + static_cast<int>(std::clamp(column, -kFarPixels, kFarPixels));
}

double TimeScale::xAt(TraceTime time) const
{
    return left + static_cast<double>(time.count()) / nsPerPixel - firstPixel;
}

TraceTime TimeScale::timeAt(double x) const
{
    return TraceTime(std::llround((x - left + firstPixel) * nsPerPixel));
}

Duration TimeScale::resolution() const { return Duration(std::max(1LL, std::llround(nsPerPixel))); }

TimeScale makeTimeScale(TraceTime begin, Duration length, int left, int width)
{
    TimeScale scale;
    scale.left = left;
    scale.width = std::max(1, width);
    scale.nsPerPixel = static_cast<double>(std::max<Duration::rep>(1, length.count())) / scale.width;
    scale.firstPixel = std::floor(static_cast<double>(begin.count()) / scale.nsPerPixel);
    return scale;
}

} // namespace lockscope::ui
