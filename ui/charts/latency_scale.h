// The axis of the latency histogram: it ends at a round number near the 99th percentile, so that one slow
// handoff does not squeeze all others into the first bar. Pure; any thread.
#pragma once

#include "core/base/time.h"

#include <QString>

namespace lockscope::ui {

struct LatencyScale
{
    Duration axisEnd{}; // end of the axis
    int bars = 25;
    int labels = 6;  // on the axis, both ends included
    Duration unit{}; // of the labels: 1 us, 1 ms or 1 s
    bool operator==(const LatencyScale&) const = default;
};

LatencyScale latencyScale(Duration p99);
QString latencyUnit(const LatencyScale& scale); // "ms"
int latencyDecimals(const LatencyScale& scale); // that the labels need
// The smallest distance between labels, in parts of the axis, at which they do not overlap.
int latencyLabelEvery(const LatencyScale& scale, int width, int labelWidth);

} // namespace lockscope::ui
