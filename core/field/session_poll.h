// What is known about the sessions of an ensemble after one round of requests to all its servers. Values; any
// thread.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/server/probe/four_letter.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::field {

// How long a server has not heard from a session.
struct Silence
{
    Duration least{}, most{}; // they differ by one poll, or one tick of the server
};

struct SessionFacts
{
    std::string address; // empty: unknown, or connected to no server
    bool connected = false;
    bool alive = false; // connected or in a dump
    Duration timeout{}; // zero: unknown
    std::optional<Silence> silence{};
    std::optional<Duration> expiresIn{}; // an upper bound, from the leader's dump
    std::int64_t lastRequest = 0;
    std::uint32_t requestsSeen = 0; // number of rounds in which lastRequest had changed
};

struct SessionPoll
{
    MonotonicTime begun{}, ended{};
    bool whole = false;           // it has every live session
    bool hasEverySession = false; // also those without a connection: a server has listed them, with our own
    std::map<SessionId, SessionFacts> sessions;
    std::optional<server::WatchTable> watches{}; // of all servers, if they were asked
    std::optional<std::int64_t> clockAheadMs{};  // the servers' wall clock minus ours
};

// Translates a server's paths for a client below this chroot; drops paths outside of it.
server::WatchTable belowChroot(server::WatchTable watches, const std::string& chroot);

} // namespace lockscope::field
