// The texts of a comparison: what was measured, values, and how one run compares with the other. Pure; any
// thread.
#pragma once

#include "core/base/message.h"
#include "core/replay/compare/comparison.h"

namespace lockscope::replay {

Message measureTitle(Measure measure); // "clients woken per release, mean of the run"
std::string valueText(Measure measure, const std::optional<double>& value); // "-" for none
// How the first run compares with the second: "49.0 × more", "3.60 × shorter", "equal" when both are
// displayed alike; the difference, "3 fewer", when there is no ratio; "not compared" when the workload
// affects the measure.
Message describeRatio(const ComparisonRow& row, const WorkloadMatch& load);
Message violationTitle(FindingKind kind); // "a herd": what happened when it is violated
Message noViolationTitle();               // "all hold"

} // namespace lockscope::replay
