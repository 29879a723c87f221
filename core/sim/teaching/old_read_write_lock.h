// For teaching: the read/write lock of Curator before 5.5.0 (CURATOR-621). A writer that also reads gets a
// number behind the waiting writers, so that one of them gets the lock beside it when the write lock is
// released. Use ReadWriteLock instead. Scheduler thread.
#pragma once

#include "core/lock/queue_lock.h"

#include <memory>

namespace lockscope::lock {

class OldReadWriteLock
{
public:
    OldReadWriteLock(zk::SessionPtr session, LockOptions options);
    ~OldReadWriteLock();
    Lock& readLock();
    Lock& writeLock();
    void makeRevocable(const std::function<void(OwnerId)>& callback); // both sides

private:
    class Queue;
    class Reader;
    std::unique_ptr<Queue> m_write;
    std::unique_ptr<Reader> m_read;
};

} // namespace lockscope::lock
