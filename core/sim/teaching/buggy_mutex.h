// For teaching: the mutex with a mistake that other libraries made. Use Mutex instead. Pure; any thread.
#pragma once

#include "core/lock/mutex.h"

namespace lockscope::lock {

// Watches with exists: a node that is deleted between the list and the watch leaves a stray watch behind
// (CURATOR-107).
inline MutexOptions existsWatching(MutexOptions options)
{
    options.bugs.existsInsteadOfGet = true;
    return options;
}

// Nodes without a GUID (`lock-0000000001`): when the reply to a create is lost, the node stays and blocks the
// queue until its session ends (ZOOKEEPER-1262).
inline MutexOptions unprotected(MutexOptions options)
{
    options.bugs.noGuidSearch = true;
    return options;
}

} // namespace lockscope::lock
