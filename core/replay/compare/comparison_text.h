// The texts of a comparison: the values, and how one run compares with the other.
// Pure; any thread.
#pragma once

#include "core/base/message.h"
#include "core/replay/compare/comparison.h"

namespace lockscope::replay {

std::string valueText(Measure measure, const std::optional<double>& value); // "-" if there is no value
// How the first run compares with the second: "49.0 × more", "3.60 × shorter"; "equal" if both values are
// displayed alike; the difference, "3 fewer", if there is no ratio; "not compared" if the workload affects
// the measure.
Message describeRatio(const ComparisonRow& row, const WorkloadMatch& load);
Message noViolationTitle(); // "all hold": no finding is violated

} // namespace lockscope::replay
