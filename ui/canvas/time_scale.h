// Converts between times and pixels for one time range on one row of pixels. The origin is a whole pixel
// counted from the trace's time zero: while the range moves, everything moves by whole pixels, without
// flicker. A width below one pixel counts as one. Plain value; any thread.
#pragma once

#include "core/base/time.h"

namespace lockscope::ui {

struct TimeScale
{
    double nsPerPixel = 1;
    double firstPixel = 0; // the pixel at `left`, counted from time zero; a whole number
    int left = 0;
    int width = 1;

    // The pixel column of this moment; bounded, so that it fits an int.
    int pixelAt(TraceTime time) const;
    double xAt(TraceTime time) const; // exact position, neither rounded nor bounded
    TraceTime timeAt(double x) const; // inverse of xAt
    TraceTime begin() const { return timeAt(left); }
    TraceTime end() const { return timeAt(left + width); }
    int right() const { return left + width; }
    Duration resolution() const; // duration of a pixel, at least 1 ns
    bool operator==(const TimeScale&) const = default;
};

TimeScale makeTimeScale(TraceTime begin, Duration length, int left, int width);

} // namespace lockscope::ui
