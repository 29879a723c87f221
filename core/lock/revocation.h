// Asking a holder to give up its lock, with its consent: Curator's Revoker. Works on locks that were made
// revocable (QueueLock::makeRevocable, Curator's Revocable). Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/zk/pending.h"

#include <string>

namespace lockscope::lock {

// `node`: the whole path of the holder's node, from participants(). Returns when the request is written;
// whether the holder gives the lock up is its own decision. Errors: noNode (it has gone), connectionLost (it
// may be written or not), sessionLost, noAuth, badUsage (not a path), internal (the server is too busy).
zk::Task<Result<void>> requestRevocation(zk::SessionPtr session, std::string node);

} // namespace lockscope::lock
