// Text from outside sources: reading UTF-8 and filtering characters that could mislead a reader; also the
// form of numbers and default names in all texts. Pure; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::trace {

// Length of the first character in bytes; 0 if the text is empty or begins with a malformed character.
std::size_t utf8Length(std::string_view text);

// Control characters, line separators, bidirectional marks and other characters that are invisible themselves
// but change how the other text looks.
bool isMisleading(char32_t code);

// Replaces misleading characters and bytes that are not UTF-8 with U+FFFD; cuts a text longer than `maxBytes`
// and ends it with an ellipsis.
std::string plainText(std::string_view text, std::size_t maxBytes);

// How many terminal columns a text takes, counted as fmt does when it pads a field: a wide character, such as
// a Chinese one, takes two.
std::size_t columnsOf(std::string_view text);
// The longest beginning of the text that fits into this many columns.
std::string_view cutToColumns(std::string_view text, std::size_t columns);

std::string groupDigits(std::uint64_t number); // "1,200"
// The name of a client without one: its number, counted from 1 ("client 3" for the id 2).
std::string defaultClientName(ClientId client);

} // namespace lockscope::trace
