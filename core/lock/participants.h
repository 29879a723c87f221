// The participants of a lock: the nodes under its path, in the order of the queue. Every node created before
// the call is listed, also when the server of the session lags, because a sync precedes the list. Scheduler
// thread.
#pragma once

#include "core/base/error.h"
#include "core/lock/naming.h"
#include "core/zk/pending.h"

#include <string>
#include <vector>

namespace lockscope::lock {

// Empty when the path does not exist. Errors: connectionLost, sessionLost, closed, noAuth, badUsage (the
// path), busy (the server is throttled), internal (any other refusal).
zk::Task<Result<std::vector<std::string>>> listParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming);

} // namespace lockscope::lock
