// Reading UTF-8. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace lockscope {

struct Utf8Character
{
    char32_t code = 0;
    std::size_t length = 0; // in bytes; 0: the text does not begin with a well-formed character
};
// The first character of `text`, which must not be empty. Overlong forms and surrogates are not well-formed.
Utf8Character firstCharacter(std::string_view text);

} // namespace lockscope
