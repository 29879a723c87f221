// How a comparison is put into words: what was measured, values, ratios, how many times as much. Any thread
// after the translations are installed.
#pragma once

#include "core/replay/comparison.h"

#include <QString>

#include <vector>

namespace lockscope::ui::compare_words {

QString title(replay::Measure measure);
QString value(replay::Measure measure, const std::optional<double>& value); // "-" for none
// How the first run stands to the second: "49.0 × more", "3.60 × shorter", "equal" where both read the same;
// the difference, "3 fewer", of what has no ratio or where one of them is 0.
QString ratio(const replay::ComparisonRow& row);
QString finding(replay::FindingKind kind);                          // "No herd"
QString broken(replay::FindingKind kind); // "a herd": what is there when it is violated
QString findings(const std::vector<replay::FindingKind>& violated); // "✗ a herd", "all hold"

} // namespace lockscope::ui::compare_words
