// Where a value stands in the text of a JSON document, for messages about it: Qt's parser tells that for mistakes
// of grammar alone. Pure.
#pragma once

#include <QByteArray>

namespace lockscope::ui {

struct TextPosition
{
    qsizetype line = 1;   // counted from 1
    qsizetype column = 1; // in characters, counted from 1
};
TextPosition positionOf(const QByteArray& text, qsizetype offset);

// Steps through a text that is known to be valid JSON, from value to value.
class JsonLocator
{
public:
    explicit JsonLocator(const QByteArray& text)
        : m_text(text)
    {
        toValue();
    }
    qsizetype offset() const { return m_at; }
    // Into the object or array at which it stands, to the value of this key or number. Where there is none it stays.
    bool member(const QByteArray& key);
    bool element(qsizetype index);

private:
    void toValue(); // past blanks, colons and commas
    void skip();    // past a value
    QByteArray string();
    bool closed() const;

    const QByteArray& m_text;
    qsizetype m_at = 0;
};

} // namespace lockscope::ui
