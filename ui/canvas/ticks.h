// The steps of all axes (1, 2 or 5 times a power of ten), and the ticks of a time axis. The ticks stand at
// fixed times, so that they move with the data. Pure; any thread.
#pragma once

#include "ui/canvas/time_scale.h"

#include <vector>

namespace lockscope::ui {

// The smallest round step (1, 2 or 5 times a power of ten) that is at least `wanted`, which is above zero.
double roundStep(double wanted);
// In nanoseconds, at least 1.
Duration roundStep(Duration wanted);
// The smallest round step at which neighbors are at least `minimumPixels` apart.
Duration niceTickStep(const TimeScale& scale, int minimumPixels);
// The same for the wall clock: in minutes, hours and days where seconds are too short.
Duration wallTickStep(const TimeScale& scale, int minimumPixels);
// The ticks in [begin, end), in order; none before time zero. `zero` is the label of time
// zero: ticks stand where the sum of time and zero is a multiple of the step.
std::vector<TraceTime> ticksWithin(TraceTime begin, TraceTime end, Duration step, Duration zero = {});

} // namespace lockscope::ui
