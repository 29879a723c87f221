// What sessions are called in a trace. ZooKeeper derives the password of a session from its id, so anyone who knows the id
// can take the session over: events, files and views have another number instead. Any thread.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::trace {

enum class SessionIds : std::uint8_t { pseudonyms, real };

class SessionNames
{
public:
    virtual ~SessionNames() = default;
    // The same for the same id. No id, and 0, stay as they are.
    virtual SessionId of(SessionId real) const = 0;
};

// A text with the sessions renamed that nodes of ZooKeeper's own recipe have in their names: x-SESSION-NUMBER, by
// its Java in decimal digits, by its C in 16 hexadecimal ones. Written in the same digits.
std::string replaceSessionIds(std::string_view text, const SessionNames& names);

} // namespace lockscope::trace
