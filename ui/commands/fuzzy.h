// How well a query matches a text, letter by letter or word by word. Pure, any thread.
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace lockscope::ui {

struct FuzzyMatch
{
    int score = 0;              // higher is better
    std::vector<int> positions; // of the matching letters in the text
};

// Matches all letters in this order; letters at word starts and consecutive letters score higher. None when a
// letter is missing. Blanks in the query are ignored. An empty query matches every text.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

// How a word of the query occurs in a text, worst first.
enum class WordMatch { none, inside, beginning, whole };

struct WordPosition
{
    WordMatch match = WordMatch::none;
    int at = -1; // the position of the best occurrence
};

WordPosition findWord(const QString& word, const QString& text);

} // namespace lockscope::ui
