// The participants of a lock: the nodes under its path, in the order of the queue. Every node created before
// the call is listed, also when the server of the session lags, because a sync precedes the list. Scheduler
// thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/lock/naming.h"
#include "core/zk/pending.h"

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
    std::string data; // what its client wrote to say who it is, without an announcement
    bool announced = false; // it says that it holds the lock
    SessionId session = SessionId::none(); // none: not ephemeral, or not read
    Zxid token;                            // the token it has, or gets with the grant
};

// The same with what is in the nodes. A node that is gone before it is read is left out; one that this session may
// not read has no data, session or token. Costs one read for each node.
zk::Task<Result<std::vector<Participant>>> readParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming);

} // namespace lockscope::lock
