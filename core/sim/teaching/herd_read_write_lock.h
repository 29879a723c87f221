// For teaching: a read/write lock whose waiting clients all watch the children of the path, so that every
// change wakes them all. Nodes are `<path>/<host>-R-0000000001` and `<host>-W-...`: without protection, so
// `host` must be unique to this client, and each side has one owner at a time. Use ReadWriteLock instead.
// Scheduler thread.
#pragma once

#include "core/sim/teaching/teaching_lock.h"

namespace lockscope::lock {

class HerdReadWriteLock
{
public:
    HerdReadWriteLock(zk::SessionPtr session, LockOptions options, std::string host);
    ~HerdReadWriteLock();
    Lock& readLock();
    Lock& writeLock();

private:
    class Side;
    std::unique_ptr<Side> m_read;
    std::unique_ptr<Side> m_write;
};

} // namespace lockscope::lock
