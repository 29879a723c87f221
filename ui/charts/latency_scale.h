// How the latency histogram divides its axis: an upper bound near the 99th percentile at a round number, so
// that one slow handoff does not press all others into the first bar. Pure, any thread.
#pragma once

#include "core/base/time.h"

#include <QString>

namespace lockscope::ui {

struct LatencyScale
{
    Duration upTo{}; // end of the axis
    int bars = 25;
    int labels = 6;  // on the axis, both ends included
    Duration unit{}; // of the labels: 1 us, 1 ms or 1 s
    bool operator==(const LatencyScale&) const = default;
};

LatencyScale latencyScale(Duration p99);
QString latencyUnit(const LatencyScale& scale); // "ms"
int latencyDecimals(const LatencyScale& scale); // that the labels need
// From one label to the next, in parts of the axis: as few as there is room for side by side.
int latencyLabelEvery(const LatencyScale& scale, int width, int labelWidth);

} // namespace lockscope::ui
