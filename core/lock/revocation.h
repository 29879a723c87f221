// Requests that a holder give up its lock: the Revoker of Curator. Works on locks that were made revocable
// (QueueLock::makeRevocable, the Revocable of Curator). Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/zk/pending.h"

#include <string>

namespace lockscope::lock {

// `node`: the full path of the node of the holder, from participants(). Returns when the request is written;
// the holder decides whether it releases the lock. Errors: noNode (it is gone), connectionLost (it may have
// been written), sessionLost, noAuth, badUsage (not a path), internal (the server is too busy).
zk::Task<Result<void>> requestRevocation(zk::SessionPtr session, std::string node);

} // namespace lockscope::lock
