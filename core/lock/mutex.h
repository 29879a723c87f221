// Curator's InterProcessMutex on one session: fair, reentrant per owner, compatible on the wire (names,
// order, data, container parents, watches). Scheduler thread; see queue_lock.h.
#pragma once

#include "core/lock/participants.h"
#include "core/lock/queue_lock.h"
#include "core/lock/safe_time.h"

namespace lockscope::lock {

using MutexOptions = LockOptions;

class Mutex final : public QueueLock
{
public:
    Mutex(zk::SessionPtr session, MutexOptions options);
    // Names of all nodes in the queue, in order.
    zk::Task<Result<std::vector<std::string>>> participants();
    // The same with the data, the session and the token of each node (participants.h).
    zk::Task<Result<std::vector<Participant>>> participantDetails();
};

// Requests that a holder give up its lock: the Revoker of Curator. Works on locks that were made revocable
// (QueueLock::makeRevocable, the Revocable of Curator).
// `node`: the full path of the holder's node, from participants(). Returns when the request is written; the
// holder decides whether it releases the lock. Errors: noNode (the node is gone), connectionLost (the request
// may have been written), sessionLost, closed, noAuth, badUsage (not a path), busy (throttled), internal.
zk::Task<Result<void>> requestRevocation(zk::SessionPtr session, std::string node);

} // namespace lockscope::lock
