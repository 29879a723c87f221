// A mutex between processes, for threads: the InterProcessMutex of Curator (Mutex).
#pragma once

#include "core/lock/blocking/blocking_lock.h"

namespace lockscope::lock {

class BlockingMutex : public BlockingLock
{
public:
    BlockingMutex(const Client& client, std::string path);
    BlockingMutex(const Client& client, LockOptions options);

    // The fencing token of the calling thread: it increases with every grant of the lock. None when the
    // thread does not hold the lock or its hold was lost: then the thread must not write. Does not wait.
    std::optional<Zxid> token() const { return tokenOf(Side::exclusive); }
};

} // namespace lockscope::lock
