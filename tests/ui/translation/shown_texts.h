// All words of a window, as a test reads them: in widgets, commands and tables, and what is painted.
#pragma once

#include <QHash>
#include <QMultiMap>
#include <QRegularExpression>
#include <QString>
#include <QWidget>

#include <vector>

namespace lockscope::ui::test {

// What it is, and the words. Only of what is visible in the window, and of all commands.
using Texts = QMultiMap<QString, QString>;
Texts allTexts(QWidget& window);

// What cannot be said in Chinese unless it is left over: the English words, with places for what was filled
// in. Single small words are none: many of them are the protocol's own.
class EnglishWords
{
public:
    EnglishWords();
    bool has(const QString& text);

private:
    struct Text
    {
        QString literal; // the longest of it that is not filled in
        QRegularExpression whole;
    };
    std::vector<Text> m_all;
    QHash<QString, bool> m_asked;
};

} // namespace lockscope::ui::test
