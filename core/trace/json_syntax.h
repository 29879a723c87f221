// Where a line is no JSON: for the message about one that could not be read, so that the place is that of the
// mistake and not that of what was missed because of it. Never called for a line that is right. Pure.
#pragma once

#include "core/base/message.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace lockscope::trace {

struct JsonSyntaxError
{
    std::size_t offset = 0; // of the first byte that cannot stand there; the line's length: it ends early
    Message expected;       // what could
    std::size_t length = 0; // of what is wrong; 0: the whole token
};

// None when the line is JSON, or does not begin with a brace. Text is not checked for UTF-8.
std::optional<JsonSyntaxError> findSyntaxError(std::string_view line);

} // namespace lockscope::trace
