// The core's phrases in the person's language. GUI thread, or any once the translations are installed.
#pragma once

#include "core/trace/phrase.h"

#include <QString>

#include <span>

namespace lockscope::ui {

QString comparisonWords(const trace::Phrase& phrase); // of core/replay/comparison_words.h
QString loadWords(const trace::Phrase& phrase);       // of core/sim/load.h

// All that is translated, to be held against what the core can say.
std::span<const char* const> translatedComparison();
std::span<const char* const> translatedLoad();

} // namespace lockscope::ui
