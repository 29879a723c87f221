// How well what is typed matches a text, letter by letter or word by word. Pure, any thread.
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

// All letters in this order, best at the beginnings of words and side by side. Nothing when a letter is
// missing. Blanks in what was typed are not looked for. An empty one matches all.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

// What a word of what is typed is in a text, worst first.
enum class WordMatch { none, inside, beginning, whole };

struct WordPosition
{
    WordMatch match = WordMatch::none;
    int at = -1; // where the best one begins
};

WordPosition findWord(const QString& word, const QString& text);

} // namespace lockscope::ui
