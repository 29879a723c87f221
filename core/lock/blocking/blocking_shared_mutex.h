// A read/write lock between processes, for threads: the InterProcessReadWriteLock of Curator (ReadWriteLock)
// as a SharedTimedLockable of the standard, for std::unique_lock, std::shared_lock and std::scoped_lock. Both
// sides are recursive per thread. A thread that holds it exclusively may lock it shared and unlock the
// exclusive side (downgrade). An upgrade would wait for itself: lock() throws, the timed functions time out.
// Otherwise like BlockingMutex; errors, results, tokens and losses mean the same on both sides.
#pragma once

#include "core/lock/blocking/lock_error.h"
#include "core/lock/blocking/thread_lock.h"
#include "core/lock/blocking/time_limit.h"
#include "core/lock/lock_options.h"

namespace lockscope::lock {

class BlockingSharedMutex
{
public:
    BlockingSharedMutex(const Client& client, std::string path);
    BlockingSharedMutex(const Client& client, LockOptions options);
    ~BlockingSharedMutex() = default; // as ~BlockingMutex()

    // ---- exclusive: the write lock ----
    void lock() { m_lock.lock(Side::exclusive); }
    bool try_lock() { return m_lock.tryLock(Side::exclusive, Duration{}); }
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return m_lock.tryLock(Side::exclusive, toLimit(limit));
    }
    template <class Clock, class D>
    bool try_lock_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return tryUntil(deadline, [this](Duration limit) { return m_lock.tryLock(Side::exclusive, limit); });
    }
    void unlock() noexcept { m_lock.unlock(Side::exclusive); }
    Result<void> release() { return m_lock.release(Side::exclusive); }
    bool isHeld() const { return m_lock.token(Side::exclusive).has_value(); }
    std::optional<Zxid> token() const { return m_lock.token(Side::exclusive); }

    // ---- shared: the read lock ----
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
        return tryUntil(deadline, [this](Duration limit) { return m_lock.tryLock(Side::shared, limit); });
    }
    void unlock_shared() noexcept { m_lock.unlock(Side::shared); }
    Result<void> releaseShared() { return m_lock.release(Side::shared); }
    bool isHeldShared() const { return m_lock.token(Side::shared).has_value(); }
    std::optional<Zxid> sharedToken() const { return m_lock.token(Side::shared); }

    ListenerId onLost(LostCallback callback) { return m_lock.onLost(std::move(callback)); }
    void removeLostListener(ListenerId listener) { m_lock.removeLostListener(listener); }
    const std::string& path() const { return m_lock.path(); }

private:
    ThreadLock m_lock;
};

} // namespace lockscope::lock
