// For teaching: what turns the mutex into one with a mistake that other libraries made, by a session that
// alters its requests and an observer that reports what was really sent. Use Mutex instead. Scheduler thread.
#pragma once

#include "core/lock/observer.h"

#include <memory>

namespace lockscope::lock {

struct MutexParts
{
    zk::SessionPtr session;
    std::shared_ptr<Observer> observer{};
};

// Watches with exists: a node that is deleted between the list and the watch leaves a stray watch behind
// (CURATOR-107).
MutexParts existsWatching(MutexParts parts);
// Nodes without a GUID (`lock-0000000001`): when the reply to a create is lost, the node stays and blocks the
// queue until its session ends (ZOOKEEPER-1262).
MutexParts unprotected(MutexParts parts);

} // namespace lockscope::lock
