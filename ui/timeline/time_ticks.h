// The grid lines of a time axis: multiples of 1, 2 or 5 times a power of ten nanoseconds, at fixed times, so
// that they move with the data. Pure; any thread.
#pragma once

#include "ui/timeline/time_scale.h"

#include <vector>

namespace lockscope::ui {

// The smallest nice step at which neighbours are at least `minimumPixels` apart.
Duration niceTickStep(const TimeScale& scale, int minimumPixels);
// The same for the wall clock: in minutes, hours and days where seconds are too short.
Duration wallTickStep(const TimeScale& scale, int minimumPixels);
// The ticks within the scale, in order; none before time zero. `zero` is the label of time zero: ticks stand
// where the sum of time and zero is a multiple of the step.
std::vector<TraceTime> ticksWithin(const TimeScale& scale, Duration step, Duration zero = {});

} // namespace lockscope::ui
