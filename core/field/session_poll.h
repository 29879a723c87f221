// What is known of the sessions of an ensemble after one round of questions to all its servers. Values; any
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

// How long a server has not heard of a session.
struct Silence
{
    Duration least{}, most{}; // one poll, or one tick of the server, apart
};

struct SessionFacts
{
    std::string address; // empty: connected to no server, or not known
    bool connected = false;
    bool alive = false; // connected, or in a dump
    Duration timeout{}; // zero: not known
    std::optional<Silence> silence{};
    std::optional<Duration> expiresIn{}; // at most, from the leader's dump
    std::int64_t lastRequest = 0;
    std::uint32_t requestsSeen = 0; // rounds in which lastRequest had changed
};

struct SessionPoll
{
    MonotonicTime begun{}, ended{};
    bool whole = false; // every session that lives is in it
    std::map<SessionId, SessionFacts> sessions;
    std::optional<server::WatchTable> watches{}; // of all servers, when they were asked
    std::optional<std::int64_t> clockAheadMs{};  // the servers' wall clock against ours
};

// A server's paths as a client below this chroot has them; what is elsewhere is left out.
server::WatchTable belowChroot(server::WatchTable watches, const std::string& chroot);

} // namespace lockscope::field
