#include "core/trace/json_line.h"

#include "core/trace/json_syntax.h"
#include "core/trace/plain_text.h"

#include <algorithm>
#include <new>

namespace lockscope::trace {

namespace {

constexpr std::size_t kMaxShownBytes = 40; // of an invalid token, quoted in the error message
constexpr std::string_view kBlank = " \t\r";
static_assert(LineParser::kPadding >= simdjson::SIMDJSON_PADDING);

Message lineEnd() { return message("the end of the line"); }

std::string quoted(std::string_view text)
{
    std::string out;
    appendJsonString(out, text.substr(0, kMaxShownBytes));
    if (text.size() > kMaxShownBytes)
        out.insert(out.size() - 1, "...");
    return out;
}

// The first offset at which lengthOf(rest of the text) is 0.
template <class F>
std::size_t firstBad(std::string_view text, F lengthOf)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = lengthOf(text.substr(at));
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

std::size_t unlessControl(std::string_view rest)
{
    return static_cast<unsigned char>(rest[0]) >= 0x20 || kBlank.find(rest[0]) != kBlank.npos ? 1 : 0;
}

} // namespace

JsonLine::JsonLine(std::string_view text, simdjson::ondemand::parser& parser)
    : m_text(text)
    , m_parser(parser)
{
    startOver();
    const std::size_t first = std::min(m_text.find_first_not_of(kBlank), m_text.size());
    const char* at = m_text.data() + first;
    if (first == m_text.size())
        fail(m_text.data(), message("an empty line"), message("an object in braces"), {}, true);
    if (*at != '{')
        fail(at, tokenAt(at), message("an object in braces"), {}, true);
    if (m_text[m_text.find_last_not_of(kBlank)] != '}')
        fail(m_text.data() + m_text.size(), lineEnd(), message("a closing brace"), {}, true);
}

void JsonLine::startOver()
{
    check(m_parser.iterate(m_text.data(), m_text.size(), m_text.size() + LineParser::kPadding).get(m_doc));
}

void JsonLine::checkEnd()
{
    const char* at = nullptr;
    if (m_doc.current_location().get(at) == simdjson::SUCCESS)
        fail(at, tokenAt(at), lineEnd());
}

void JsonLine::wrongLine(Message expectation)
{
    const std::size_t shown = std::min(m_text.size(), kMaxShownBytes);
    fail(m_text.data(), quoted(m_text.substr(0, shown)), std::move(expectation));
}

void JsonLine::wrongKey(Message expectation) { fail(m_key, tokenAt(m_key), std::move(expectation)); }

void JsonLine::wrongValue(const char* at, Message expectation, Message hint)
{
    fail(at, tokenAt(at), std::move(expectation), std::move(hint));
}

void JsonLine::missing(std::string_view name)
{
    const std::size_t brace = std::min(m_text.rfind('}'), m_text.size());
    fail(m_text.data() + brace, lineEnd(), message("the field \"%1\"", name));
}

void JsonLine::fail(const char* at, Message found, Message expectation, Message hint, bool incomplete) const
{
    if (const auto mistake = findSyntaxError(m_text)) {
        Message there = mistake->length > 0 ? Message(quoted(m_text.substr(mistake->offset, mistake->length)))
                                            : tokenAt(m_text.data() + mistake->offset);
        throw LineFailure{{mistake->offset, std::move(there), mistake->expected, {}, true}};
    }
    const char* const end = m_text.data() + m_text.size();
    const auto offset = static_cast<std::size_t>(std::clamp(at, m_text.data(), end) - m_text.data());
    throw LineFailure{{offset, std::move(found), std::move(expectation), std::move(hint), incomplete}};
}

const char* JsonLine::place()
{
    const char* at = nullptr;
    return m_doc.current_location().get(at) == simdjson::SUCCESS ? at : m_text.data() + m_text.size();
}

void JsonLine::notJson(simdjson::error_code error)
{
    const auto failAt = [this](std::size_t offset, Message expectation) {
        fail(m_text.data() + offset, quoted(m_text.substr(offset, 1)), std::move(expectation), {}, true);
    };
    switch (error) {
    case simdjson::MEMALLOC:
        throw std::bad_alloc();
    case simdjson::EMPTY:
        fail(m_text.data(), message("an empty line"), message("an object in braces"), {}, true);
    case simdjson::UNCLOSED_STRING:
        fail(m_text.data() + m_text.size(), lineEnd(), message("a closing quote"), {}, true);
    case simdjson::UTF8_ERROR:
        failAt(firstBad(m_text, utf8Length), message("text in UTF-8"));
        break;
    case simdjson::UNESCAPED_CHARS:
        failAt(firstBad(m_text, unlessControl), message("an escaped control character"));
        break;
    default:
        break;
    }
    const char* at = error == simdjson::STRING_ERROR && m_key ? m_key : place();
    fail(at, tokenAt(at), message("JSON: fields in braces, separated by commas"), {}, true);
}

Message JsonLine::tokenAt(const char* at) const
{
    const auto offset = static_cast<std::size_t>(at - m_text.data());
    std::string_view rest = m_text.substr(std::min(offset, m_text.size()));
    if (rest.find_first_not_of(kBlank) == std::string_view::npos)
        return lineEnd();
    if (rest[0] == '"') {
        rest.remove_prefix(1);
        std::size_t end = 0;
        while (end < rest.size() && rest[end] != '"')
            end += rest[end] == '\\' ? 2 : 1;
        return quoted(rest.substr(0, end));
    }
    const std::size_t end = std::min(rest.find_first_of(",:}] \t\r"), rest.size());
    const std::string text = quoted(rest.substr(0, std::max<std::size_t>(1, end)));
    const bool number = (rest[0] >= '0' && rest[0] <= '9') || rest[0] == '-';
    return number ? text.substr(1, text.size() - 2) : text;
}

} // namespace lockscope::trace
