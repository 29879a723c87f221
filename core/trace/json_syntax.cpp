#include "core/trace/json_syntax.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::trace {

namespace {

constexpr std::string_view kJsonBlank = " \t\r";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

class Grammar
{
public:
    explicit Grammar(std::string_view text)
        : m_text(text)
    {}

    // Not recursive, but with a stack of the open brackets: a hostile line may nest as deep as it is long.
    std::optional<JsonSyntaxError> check()
    {
        do {
            if (!next())
                return m_mistake;
        } while (!m_open.empty());
        skipBlank();
        return m_at < m_text.size() ? JsonSyntaxError{m_at, message("the end of the line")}
                                    : std::optional<JsonSyntaxError>();
    }

private:
    bool wrong(std::size_t at, Message expected, std::size_t length = 0)
    {
        m_mistake = JsonSyntaxError{std::min(at, m_text.size()), std::move(expected), length};
        return false;
    }
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void skipBlank() { m_at = std::min(m_text.find_first_not_of(kJsonBlank, m_at), m_text.size()); }
    bool take(char c)
    {
        skipBlank();
        if (peek() != c)
            return false;
        ++m_at;
        return true;
    }

    // Reads a value (inside braces, its name too) and the closing brackets after it.
    bool next()
    {
        skipBlank();
        if (!m_open.empty() && m_open.back() == '{') {
            if (peek() != '"')
                return m_at < m_text.size() ? wrong(m_at, message("the name of a field in quotes"))
                                            : wrong(m_at, message("a closing brace"));
            if (!string())
                return false;
            if (!take(':'))
                return wrong(m_at, message("a colon"));
            skipBlank();
        }
        const char first = peek();
        if (first == '{' || first == '[') {
            ++m_at;
            m_open.push_back(first);
            if (!take(first == '{' ? '}' : ']'))
                return true;
            m_open.pop_back();
            return m_open.empty() || behindValue();
        }
        const bool read = first == '"' ? string() : first == '-' || digit(first) ? number() : word();
        return read && behindValue();
    }

    // Reads a comma, or the closing brackets after the value.
    bool behindValue()
    {
        while (!take(',')) {
            const bool object = m_open.back() == '{';
            if (!take(object ? '}' : ']')) {
                const bool ends = m_at == m_text.size();
                return wrong(
                    m_at,
                    object ? (ends ? message("a closing brace") : message("a comma or a closing brace"))
                           : (ends ? message("a closing bracket") : message("a comma or a closing bracket")));
            }
            m_open.pop_back();
            if (m_open.empty())
                return true;
        }
        return true;
    }

    static bool digit(char c) { return c >= '0' && c <= '9'; }

    bool string()
    {
        for (++m_at; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (static_cast<unsigned char>(c) < 0x20)
                return wrong(m_at, message("an escaped control character"), 1);
            if (c == '\\' && !escape())
                return false;
        }
        return wrong(m_at, message("a closing quote"));
    }

    // Reads from the backslash to the last character of the escape.
    bool escape()
    {
        const std::size_t begin = m_at++;
        if (m_at >= m_text.size())
            return wrong(m_at, message("a closing quote"));
        bool known = std::string_view("\"\\/bfnrt").find(m_text[m_at]) != std::string_view::npos;
        if (m_text[m_at] == 'u') {
            const std::string_view code = m_text.substr(m_at + 1, 4);
            known = code.size() == 4 && code.find_first_not_of(kHexDigits) == code.npos;
            m_at += 4;
        }
        return known || wrong(begin, message("an escape that JSON knows"), m_at + 1 - begin);
    }

    bool number()
    {
        const std::size_t begin = m_at;
        const std::size_t end = endOfWord();
        const auto digits = [&] {
            const std::size_t from = m_at;
            m_at = std::min(m_text.find_first_not_of(kDigits, m_at), m_text.size());
            return m_at > from;
        };
        if (peek() == '-')
            ++m_at;
        const bool zero = peek() == '0';
        const std::size_t whole = m_at;
        bool good = digits() && !(zero && m_at > whole + 1);
        if (good && peek() == '.') {
            ++m_at;
            good = digits();
        }
        if (good && (peek() == 'e' || peek() == 'E')) {
            ++m_at;
            if (peek() == '+' || peek() == '-')
                ++m_at;
            good = digits();
        }
        return (good && m_at == end) || wrong(begin, message("a number that JSON knows"));
    }

    bool word()
    {
        const std::size_t end = endOfWord();
        const std::string_view found = m_text.substr(m_at, end - m_at);
        if (found != "true" && found != "false" && found != "null")
            return wrong(m_at, message("a value: a text in quotes, a number, true or false"));
        m_at = end;
        return true;
    }

    std::size_t endOfWord() const
    {
        return std::min(m_text.find_first_of(",:{}[]\" \t\r", m_at), m_text.size());
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<char> m_open;
    std::optional<JsonSyntaxError> m_mistake;
};

} // namespace

std::optional<JsonSyntaxError> findSyntaxError(std::string_view line)
{
    const std::size_t first = line.find_first_not_of(kJsonBlank);
    return first != line.npos && line[first] == '{' ? Grammar(line).check() : std::nullopt;
}

} // namespace lockscope::trace
