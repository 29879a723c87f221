// How a comparison is put into words: what was measured, values, how the one run stands to the other. Pure.
#pragma once

#include "core/replay/compare/comparison.h"
#include "core/trace/phrase.h"

#include <span>

namespace lockscope::replay {

const char* measureTitle(Measure measure); // "clients woken per release, mean of the run"
std::string valueText(Measure measure, const std::optional<double>& value); // "-" for none
// How the first run stands to the second: "49.0 × more", "3.60 × shorter", "equal" where both read the same;
// the difference, "3 fewer", of what has no ratio or where one of them is 0; "not compared" of what the load
// decides.
trace::Phrase describeRatio(const ComparisonRow& row, const WorkloadMatch& load);
const char* violationTitle(FindingKind kind); // "a herd": what is there when it is violated
const char* noViolationTitle();             // "all hold"

std::span<const char* const> comparisonPhrases(); // all sources of the above

} // namespace lockscope::replay
