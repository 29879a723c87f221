// Text from outside: one walk over UTF-8, one filter of characters that could mislead a reader, and numbers
// and names as every text of ours has them. Pure; any thread.
#pragma once

#include "core/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::trace {

struct Utf8Character
{
    char32_t code = 0;
    std::size_t length = 0; // in bytes; 0: the text does not begin with a well-formed character
};
// The first character of a text that is not empty. Overlong forms and surrogates are not well-formed.
Utf8Character firstCharacter(std::string_view text);
// Length of the first character in bytes; 0 when the text is empty or does not begin with a well-formed one.
std::size_t utf8Length(std::string_view text);

// Control characters, line separators, bidirectional marks and other characters that are invisible themselves
// but change how the rest looks.
bool isMisleading(char32_t code);

// Misleading characters and bytes that are no UTF-8 become U+FFFD; a longer text ends with an ellipsis after
// at most `maxBytes`.
std::string plainText(std::string_view text, std::size_t maxBytes);

// The columns of a terminal that a text takes: a wide character, as Chinese ones are, takes two. As fmt
// counts them when it fills a field.
std::size_t columnsOf(std::string_view text);
// The beginning of a text that fits into so many columns.
std::string_view cutToColumns(std::string_view text, std::size_t columns);

std::string groupDigits(std::uint64_t number); // "1,200"
// A client without a name is called by its number, counted from 1: "client 3" for the id 2.
std::string defaultClientName(ClientId client);

} // namespace lockscope::trace
