// A read/write lock between processes, for threads: the InterProcessReadWriteLock of Curator (ReadWriteLock)
// as a SharedTimedLockable of the standard, for std::unique_lock, std::shared_lock and std::scoped_lock. Both
// sides are recursive per thread. A thread that holds it exclusively may lock it shared and unlock the
// exclusive side (downgrade). An upgrade would wait for itself: lock() throws, the timed functions time out.
// The exclusive side, the write lock, behaves like BlockingMutex; errors, results, tokens and losses mean the
// same on both sides.
#pragma once

#include "core/lock/blocking/blocking_lock.h"

namespace lockscope::lock {

class BlockingSharedMutex : public BlockingLock
{
public:
    BlockingSharedMutex(const Client& client, std::string path);
    BlockingSharedMutex(const Client& client, LockOptions options);
    std::optional<Zxid> token() const { return tokenOf(Side::exclusive); } // see BlockingMutex::token()

    // ---- shared: the read lock; each function works like its counterpart of the exclusive side ----
    void lock_shared() { m_lock.lock(Side::shared); }
    bool try_lock_shared() { return m_lock.tryLock(Side::shared, Duration{}); }
    template <class Rep, class Period>
    bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return m_lock.tryLock(Side::shared, toLimit(limit));
    }
    template <class Clock, class D>
    bool try_lock_shared_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return m_lock.tryLock(Side::shared, timeUntil(deadline));
    }
    void unlock_shared() noexcept { m_lock.unlock(Side::shared); }
    Result<void> releaseShared() { return m_lock.release(Side::shared); }
    bool isHeldShared() const { return m_lock.held(Side::shared).has_value(); }
    std::optional<Zxid> sharedToken() const { return tokenOf(Side::shared); }
};

} // namespace lockscope::lock
