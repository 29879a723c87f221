// What servers say of sessions in answer to the four-letter words cons and dump. Pure; any thread.
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
    std::int64_t received = 0; // packets, pings too
    std::int64_t timeoutMs = 0;
    std::int64_t lastRequest = 0;    // lcxid: the last real request's number
    std::int64_t establishedMs = 0;  // by the server's wall clock
    std::int64_t lastResponseMs = 0; // lresp, of pings too: by the server's own monotonic clock
};
std::vector<ConnectionLine> parseConnections(std::string_view cons);

// dump of the leader, or of a server that stands alone; the others list sessions without a time.
struct SessionDump
{
    struct Session
    {
        SessionId id;
        std::optional<std::int64_t> expiresAtS; // on a clock that only differences are to be taken of
    };
    std::vector<Session> sessions;
    bool hasTimes = false;
};
SessionDump parseDump(std::string_view dump);

} // namespace lockscope::field
