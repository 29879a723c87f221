// Curator's InterProcessMutex on one session: fair, reentrant per owner, compatible on the wire (names,
// order, data, container parents, watches). Scheduler thread; see queue_lock.h.
#pragma once

#include "core/lock/participants.h"
#include "core/lock/queue_lock.h"

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

} // namespace lockscope::lock
