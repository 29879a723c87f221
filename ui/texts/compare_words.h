// The texts of a comparison: titles of measures, values and ratios. Any thread after the translations are
// installed.
#pragma once

#include "core/replay/compare/comparison.h"

#include <QString>

#include <vector>

namespace lockscope::ui::compare_words {

QString title(replay::Measure measure);
QString value(replay::Measure measure, const std::optional<double>& value); // "-" for none
// The value of one of the two runs; for the findings, the ones that the run violates.
QString value(const replay::Comparison& comparison, const replay::ComparisonRow& row, replay::Better side);
QString ratio(const replay::ComparisonRow& row, const replay::WorkloadMatch& load = {}); // "49.0 × more"
QString finding(replay::FindingKind kind);                                               // "No herd"
QString violation(replay::FindingKind kind);                        // "a herd": the violation
QString findings(const std::vector<replay::FindingKind>& violated); // "✗ a herd", "all hold"

} // namespace lockscope::ui::compare_words
