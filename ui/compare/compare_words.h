// How a comparison is put into words: what was measured, values, ratios, how many times as much. Any thread
// after the translations are installed.
#pragma once

#include "core/replay/compare/comparison.h"

#include <QString>

#include <vector>

namespace lockscope::ui::compare_words {

QString title(replay::Measure measure);
QString value(replay::Measure measure, const std::optional<double>& value); // "-" for none
QString ratio(const replay::ComparisonRow& row, const replay::WorkloadMatch& load = {}); // "49.0 × more"
QString finding(replay::FindingKind kind);                          // "No herd"
QString violation(replay::FindingKind kind); // "a herd": what is there when it is violated
QString findings(const std::vector<replay::FindingKind>& violated); // "✗ a herd", "all hold"

} // namespace lockscope::ui::compare_words
