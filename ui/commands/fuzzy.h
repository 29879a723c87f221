// How well a few typed letters match a text: all of them, in this order, best at the beginnings of words and
// side by side. Pure, any thread.
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace lockscope::ui {

struct FuzzyMatch
{
    int score = 0;              // more is better
    std::vector<int> positions; // of the letters in the text
};

// Nothing when a letter is missing. Blanks in what was typed are not looked for. An empty one matches all.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

} // namespace lockscope::ui
