// Requests that a holder give up its lock: the Revoker of Curator. Works on locks that were made revocable
// (QueueLock::makeRevocable, the Revocable of Curator). Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/zk/pending.h"

#include <string>

namespace lockscope::lock {

// `node`: the full path of the holder's node, from participants(). Returns when the request is written; the
// holder decides whether it releases the lock. Errors: noNode (the node is gone), connectionLost (the request
// may have been written), sessionLost, closed, noAuth, badUsage (not a path), busy (throttled), internal.
zk::Task<Result<void>> requestRevocation(zk::SessionPtr session, std::string node);

} // namespace lockscope::lock
