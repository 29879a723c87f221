// Parses what servers answer about sessions to the four-letter words cons and dump. Pure; any thread.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::field {

// A line of cons: a connection that has a session.
struct ConnectionLine
{
    SessionId session;
    std::string address;       // "10.1.2.3:49228"
    std::int64_t received = 0; // packets, including pings
    std::int64_t timeoutMs = 0;
    std::int64_t lastRequest = 0;    // lcxid: the number of the last real request
    std::int64_t establishedMs = 0;  // by the server's wall clock
    std::int64_t lastResponseMs = 0; // lresp, including pings: by the server's monotonic clock
};
std::vector<ConnectionLine> parseConnections(std::string_view cons);

// The dump of a leader or a standalone server; other servers list sessions without times.
struct SessionDump
{
    struct Session
    {
        SessionId id;
        std::optional<std::int64_t> expiresAtS; // by an arbitrary clock: only differences count
    };
    std::vector<Session> sessions;
    bool hasTimes = false;
};
SessionDump parseDump(std::string_view dump);

} // namespace lockscope::field
