// The position of a value in the text of a JSON document, for error messages: Qt's parser reports positions
// of syntax errors only. Pure; any thread.
#pragma once

#include <QByteArray>

namespace lockscope::ui {

struct TextPosition
{
    qsizetype line = 1;   // counted from 1
    qsizetype column = 1; // in characters, counted from 1
};
TextPosition positionOf(const QByteArray& text, qsizetype offset);

// Steps from value to value through a text that is known to be valid JSON.
class JsonLocator
{
public:
    explicit JsonLocator(const QByteArray& text)
        : m_text(text)
    {
        toValue();
    }
    qsizetype offset() const { return m_at; }
    // Steps into the object or array at offset(), to the value with this key or index. Returns false, and
    // stays, when there is none.
    bool member(const QByteArray& key);
    bool element(qsizetype index);

private:
    void toValue(); // skips blanks, colons and commas
    void skip();    // skips a value
    QByteArray string();
    bool closed() const;

    const QByteArray& m_text;
    qsizetype m_at = 0;
};

} // namespace lockscope::ui
