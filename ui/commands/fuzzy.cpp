#include "ui/commands/fuzzy.h"

#include <algorithm>
#include <limits>

namespace lockscope::ui {

namespace {

constexpr int kLetterScore = 10;
constexpr int kWordStartScore = 18;   // at the start of a word
constexpr int kConsecutiveScore = 14; // right after the previous letter
constexpr int kSameCaseScore = 1;
constexpr int kNoMatch = std::numeric_limits<int>::min() / 2;
constexpr qsizetype kMaxTextLength = 200; // letters of the text that are searched

bool isWordStart(const QString& text, qsizetype at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

// Chinese has no blanks: each character begins and ends a word.
bool isIdeograph(QChar letter) { return letter.script() == QChar::Script_Han; }

bool canStartWord(const QString& text, qsizetype at)
{
    return isWordStart(text, at) || isIdeograph(text[at]);
}

bool canEndWord(const QString& text, qsizetype end)
{
    return end >= text.size() || !text[end].isLetterOrNumber() || isIdeograph(text[end - 1]);
}

int worth(const QString& letters, qsizetype letter, const QString& text, qsizetype at)
{
    return kLetterScore + (isWordStart(text, at) ? kWordStartScore : 0) +
           (letters[letter] == text[at] ? kSameCaseScore : 0);
}

} // namespace

// best[i][j]: the best score of the first i + 1 letters with the last of them at j.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& whole)
{
    QString letters = typed;
    letters.removeIf([](QChar letter) { return letter.isSpace(); });
    const QString text = whole.left(kMaxTextLength);
    if (letters.isEmpty()) {
        return FuzzyMatch{};
    }
    if (letters.size() > text.size()) { // such as a pasted page
        return std::nullopt;
    }
    const auto rows = static_cast<std::size_t>(letters.size());
    const auto columns = static_cast<std::size_t>(text.size());
    std::vector<std::vector<int>> best(rows, std::vector<int>(columns, kNoMatch));
    std::vector<std::vector<int>> from(rows, std::vector<int>(columns, -1));
    for (std::size_t i = 0; i < rows; ++i) {
        int before = i == 0 ? 0 : kNoMatch; // the best of the row above, at least two letters back
        int where = -1;
        for (std::size_t j = 0; j < columns; ++j) {
            const auto at = static_cast<qsizetype>(j);
            const auto letter = static_cast<qsizetype>(i);
            if (i > 0 && j >= 2 && best[i - 1][j - 2] > before) {
                before = best[i - 1][j - 2];
                where = static_cast<int>(j) - 2;
            }
            if (text[at].toCaseFolded() != letters[letter].toCaseFolded()) {
                continue;
            }
            int score = before;
            int source = where;
            if (i > 0 && j >= 1 && best[i - 1][j - 1] > kNoMatch &&
                best[i - 1][j - 1] + kConsecutiveScore > score) {
                score = best[i - 1][j - 1] + kConsecutiveScore;
                source = static_cast<int>(j) - 1;
            }
            if (score > kNoMatch) {
                best[i][j] = score + worth(letters, letter, text, at);
                from[i][j] = source;
            }
        }
    }
    const auto& last = best.back();
    const auto end = std::max_element(last.begin(), last.end());
    if (end == last.end() || *end <= kNoMatch) {
        return std::nullopt;
    }
    FuzzyMatch match{*end - static_cast<int>(text.size()) / 8, std::vector<int>(rows)};
    int at = static_cast<int>(end - last.begin());
    for (std::size_t i = rows; i-- > 0;) {
        match.positions[i] = at;
        at = from[i][static_cast<std::size_t>(at)];
    }
    return match;
}

WordPosition findWord(const QString& word, const QString& text)
{
    WordPosition best;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0 && best.match != WordMatch::whole;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        const WordMatch match = !canStartWord(text, at)              ? WordMatch::inside
                                : canEndWord(text, at + word.size()) ? WordMatch::whole
                                                                     : WordMatch::beginning;
        if (match > best.match) {
            best = {match, static_cast<int>(at)};
        }
    }
    return best;
}

} // namespace lockscope::ui
