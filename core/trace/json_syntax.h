// Finds the first syntax error of a line that the parser could not read, so that the error message points at
// the mistake itself and not at a later consequence of it. Never called for a valid line. Pure.
#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace lockscope::trace {

struct JsonSyntaxError
{
    std::size_t offset = 0; // of the first invalid byte; the length of the line if the line ends too early
    Message expected;       // what would be valid there
    std::size_t length = 0; // of the invalid text in bytes; 0 = the whole token
};

// None if the line is valid JSON or does not begin with a brace. Does not check that texts are UTF-8.
std::optional<JsonSyntaxError> findSyntaxError(std::string_view line);

} // namespace lockscope::trace
