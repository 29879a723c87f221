// The terms of ZooKeeper's locks that beginners do not know, each explained in a sentence or two. Pure; GUI
// thread.
#pragma once

#include <QString>

#include <vector>

namespace lockscope::ui {

struct Term
{
    const char* name;         // of its section in the manual: "herd"
    const char* pattern;      // a regular expression of the words that mention it, in both languages
    QString (*explanation)(); // begins with the term itself
};

const std::vector<Term>& terms();
const Term* findTerm(const QString& name); // null when there is none of this name

struct TermMention
{
    const Term* term;
    qsizetype at;
    qsizetype length;
};
// The first mention of each term, in the order of the text.
std::vector<TermMention> mentionsOfTerms(const QString& text);

// Explains the terms that the text mentions, a paragraph each; empty: it mentions none.
QString explainTerms(const QString& text, std::size_t most = 3);

} // namespace lockscope::ui
