// How a comparison is put into words: what was measured, values, ratios, who is better. Any thread after the
// translations are installed.
#pragma once

#include "core/replay/comparison.h"

#include <QString>

#include <vector>

namespace lockscope::ui::compare_words {

QString title(replay::Measure measure);
QString value(replay::Measure measure, const std::optional<double>& value); // "-" for none
QString ratio(const replay::ComparisonRow& row);                    // "49 ×", "1/49 ×"; empty for none
QString findings(const std::vector<replay::FindingKind>& violated); // "no_herd violated", "all hold"

} // namespace lockscope::ui::compare_words
