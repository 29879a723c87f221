// The participants of a lock: the nodes under its path, in the order of the queue. Every node created before
// the call is listed, even when the session's server lags, because a sync precedes the list. Scheduler
// thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/lock/naming.h"
#include "core/zk/pending.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

// Empty when the path does not exist. Errors: connectionLost, sessionLost, closed, noAuth, badUsage (the
// path), busy (the server is throttled), internal (any other refusal).
zk::Task<Result<std::vector<std::string>>> listParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming);

// A node in the queue of a lock.
struct Participant
{
    std::string node;
    std::string data;                      // how its client identifies itself, without an announcement
    bool announced = false;                // the data announces that the node holds the lock
    SessionId session = SessionId::none(); // none: not ephemeral, or not read
    Zxid token;                            // of its hold, or of its future hold
    // When its client queued up, by the clock of the ensemble's leader; 1970: not known.
    std::chrono::sys_time<std::chrono::milliseconds> since{};
};

// Who was ahead of an acquire that timed out.
struct Refusal
{
    std::uint32_t ahead = 0; // how many nodes it waited for; 0: not known
    // The first in the queue, which held the lock when it was asked (with other readers, when it is one).
    // None: not known. Of a node that was gone, or that may not be read, only the name is known.
    std::optional<Participant> holder{};
};

// The same with the contents of the nodes. A node that is deleted before it is read is left out; one that
// this session may not read has no data, session or token. Costs one read per node.
zk::Task<Result<std::vector<Participant>>> readParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming);

} // namespace lockscope::lock
