#include "ui/models/run/json_locator.h"

#include <QString>

namespace lockscope::ui {

TextPosition positionOf(const QByteArray& text, qsizetype offset)
{
    const QByteArray before = text.left(offset);
    const qsizetype lineStart = before.lastIndexOf('\n') + 1;
    return {before.count('\n') + 1, QString::fromUtf8(before.mid(lineStart)).size() + 1};
}

void JsonLocator::toValue()
{
    while (m_at < m_text.size() && QByteArrayView(" \t\r\n:,").contains(m_text[m_at]))
        ++m_at;
}

bool JsonLocator::closed() const
{
    return m_at >= m_text.size() || m_text[m_at] == '}' || m_text[m_at] == ']';
}

QByteArray JsonLocator::string()
{
    const qsizetype begin = ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != '"')
        m_at += m_text[m_at] == '\\' ? 2 : 1;
    const QByteArray content = m_text.mid(begin, m_at - begin);
    ++m_at;
    return content;
}

void JsonLocator::skip()
{
    int depth = 0;
    do {
        toValue();
        if (m_at >= m_text.size())
            return;
        const char first = m_text[m_at];
        if (first == '"') {
            string();
        } else if (first == '{' || first == '[') {
            ++depth;
            ++m_at;
        } else if (first == '}' || first == ']') {
            --depth;
            ++m_at;
        } else {
            while (m_at < m_text.size() && !QByteArrayView(" \t\r\n:,]}").contains(m_text[m_at]))
                ++m_at;
        }
    } while (depth > 0);
}

bool JsonLocator::member(const QByteArray& key)
{
    const qsizetype start = m_at;
    if (m_at >= m_text.size() || m_text[m_at] != '{')
        return false;
    ++m_at;
    for (toValue(); !closed(); toValue()) {
        const QByteArray name = string();
        toValue();
        if (name == key)
            return true;
        skip();
    }
    m_at = start;
    return false;
}

bool JsonLocator::element(qsizetype index)
{
    const qsizetype start = m_at;
    if (m_at >= m_text.size() || m_text[m_at] != '[')
        return false;
    ++m_at;
    for (toValue(); !closed(); toValue()) {
        if (index-- == 0)
            return true;
        skip();
    }
    m_at = start;
    return false;
}

} // namespace lockscope::ui
