#include "core/base/message.h"

#include <algorithm>

namespace lockscope {

namespace {

// A sentence is kBegin source (kArgument argument)* kEnd; a plain text has none of these bytes.
constexpr char kEnd = '\x1d';
constexpr char kBegin = '\x1e';
constexpr char kArgument = '\x1f';

bool isMark(char c) { return c >= kEnd && c <= kArgument; }

std::string withoutMarks(std::string text)
{
    std::ranges::replace_if(text, isMark, ' ');
    return text;
}

} // namespace

std::string_view MessageView::source() const
{
    if (!isSentence())
        return m_encoded;
    const std::string_view inside = m_encoded.substr(1);
    return inside.substr(0, static_cast<std::size_t>(std::ranges::find_if(inside, isMark) - inside.begin()));
}

std::vector<MessageView> MessageView::arguments() const
{
    std::vector<MessageView> all;
    if (!isSentence())
        return all;
    std::size_t at = 1 + source().size();
    while (at < m_encoded.size() && m_encoded[at] == kArgument) {
        const std::size_t begin = ++at;
        for (int depth = 0; at < m_encoded.size(); ++at) {
            const char c = m_encoded[at];
            if (depth == 0 && (c == kArgument || c == kEnd))
                break;
            depth += c == kBegin ? 1 : c == kEnd ? -1 : 0;
        }
        all.emplace_back(m_encoded.substr(begin, at - begin));
    }
    return all;
}

std::string MessageView::english() const
{
    if (!isSentence())
        return std::string(m_encoded);
    const std::vector<MessageView> values = arguments();
    const std::string_view text = source();
    std::string all;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t place = text[at] == '%' && at + 1 < text.size()
                                      ? static_cast<std::size_t>(text[at + 1] - '1')
                                      : values.size();
        if (place < values.size()) {
            all += values[place].english();
            ++at;
        } else {
            all += text[at];
        }
    }
    return all;
}

Message::Message(std::string text)
    : m_encoded(withoutMarks(std::move(text)))
{}

Message Message::sentence(std::string_view source, std::span<const Message> arguments)
{
    Message made;
    made.m_encoded = kBegin + withoutMarks(std::string(source));
    for (const Message& each : arguments)
        made.m_encoded.append(1, kArgument).append(each.m_encoded);
    made.m_encoded += kEnd;
    return made;
}

Message joined(const Message& first, const Message& second)
{
    if (first.empty() || second.empty())
        return first.empty() ? second : first;
    return message("%1 %2", first, second);
}

namespace {

// Nests in halves, so that the nesting depth is the logarithm of the length.
Message listedHalves(std::span<const Message> items)
{
    if (items.size() < 2)
        return items.empty() ? Message() : items.front();
    return message("%1, %2", listedHalves(items.first(items.size() / 2)),
                   listedHalves(items.subspan(items.size() / 2)));
}

} // namespace

Message listed(const std::vector<Message>& items) { return listedHalves(items); }

std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.english(); }
std::ostream& operator<<(std::ostream& out, MessageView message) { return out << message.english(); }

} // namespace lockscope
