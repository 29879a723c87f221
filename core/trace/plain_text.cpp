#include "core/trace/plain_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockscope::trace {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

} // namespace

std::size_t utf8Length(std::string_view text) { return text.empty() ? 0 : firstCharacter(text).length; }

bool isMisleading(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
           (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) == 0xfffe ||
           (code >= 0xe0000 && code <= 0xe0fff);
}

std::string plainText(std::string_view text, std::size_t maxBytes)
{
    std::string plain;
    while (!text.empty()) {
        const auto [code, length] = firstCharacter(text);
        const std::string_view next =
            length == 0 || isMisleading(code) ? kReplacement : text.substr(0, length);
        if (plain.size() + next.size() > maxBytes)
            return plain.append(kEllipsis);
        plain.append(next);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return plain;
}

std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const std::string_view next = text.substr(0, std::max<std::size_t>(1, utf8Length(text)));
        // The padding that fmt adds to fill two columns.
        const std::size_t filled = fmt::formatted_size("{:<2}", next) - next.size();
        columns += 2 - filled;
        text.remove_prefix(next.size());
    }
    return columns;
}

std::string_view cutToColumns(std::string_view text, std::size_t columns)
{
    std::size_t end = 0;
    while (end < text.size()) {
        const std::size_t length = std::max<std::size_t>(1, utf8Length(text.substr(end)));
        const std::size_t taken = columnsOf(text.substr(end, length));
        if (taken > columns)
            break;
        columns -= taken;
        end += length;
    }
    return text.substr(0, end);
}

std::string groupDigits(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t from = text.size(); from > 3; from -= 3)
        text.insert(from - 3, ",");
    return text;
}

std::string defaultClientName(ClientId client)
{
    return "client " + std::to_string(std::uint64_t{client.value} + 1);
}

} // namespace lockscope::trace
