// The core's phrases in the person's language. GUI thread, or any once the translations are installed.
#pragma once

#include "core/trace/phrase.h"

#include <QString>

#include <span>

namespace lockscope::ui {

QString translateComparison(const trace::Phrase& phrase); // of core/replay/compare/comparison_text.h

// All that is translated, to be held against what the core can say.
std::span<const char* const> comparisonSources();

} // namespace lockscope::ui
