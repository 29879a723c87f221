// The names of sessions in a trace. ZooKeeper derives a session's password from its id, so anyone who knows
// the id can take the session over; events, files and views therefore show another number. Any thread.
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
    // Returns the same name for the same id. SessionId::none() and 0 are returned unchanged.
    virtual SessionId of(SessionId real) const = 0;
};

// Renames the sessions in the node names of ZooKeeper's own recipe, x-SESSION-NUMBER. Its Java client writes
// the session in decimal digits, its C client in 16 hexadecimal digits; the new name has the same form.
std::string replaceSessionIds(std::string_view text, const SessionNames& names);

} // namespace lockscope::trace
