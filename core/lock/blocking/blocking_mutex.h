// A mutex between processes for threads: Curator's InterProcessMutex (Mutex) as the standard's TimedLockable,
// so that std::unique_lock, std::lock_guard and std::scoped_lock work with it. Recursive: the thread that
// holds it may lock it again, and unlocks as often. Any thread but the client's I/O thread, where locking is
// refused. Among threads of one process it is as exclusive as among processes, and fair.
#pragma once

#include "core/lock/blocking/lock_error.h"
#include "core/lock/blocking/thread_lock.h"
#include "core/lock/blocking/time_limit.h"
#include "core/lock/lock_options.h"

namespace lockscope::lock {

class BlockingMutex
{
public:
    BlockingMutex(const Client& client, std::string path);
    BlockingMutex(const Client& client, LockOptions options);
    // Not while another thread waits in it. What is held is released.

    // Waits as long as it takes; through the loss of the session too, queueing up again in the next one.
    // Throws LockError when it cannot be had: no session within the client's connectLimit, client closed,
    // access denied, path not taken, called on the I/O thread; or when this thread's hold was lost and it has
    // not unlocked yet.
    void lock() { m_lock.lock(Side::exclusive); }
    // True: locked. False: not in time, because others hold it or there is no connection; no node is left
    // behind. Everything that more time would not change throws LockError, as lock() does. try_lock() asks
    // the server once.
    bool try_lock() { return m_lock.tryLock(Side::exclusive, Duration{}); }
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return m_lock.tryLock(Side::exclusive, limitOf(limit));
    }
    template <class Clock, class D>
    bool try_lock_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return tryUntil(deadline, [this](Duration limit) { return m_lock.tryLock(Side::exclusive, limit); });
    }
    // Returns when the lock is free, or, without a connection, at once: it is freed when that is back.
    // Harmless when the hold was lost, and when this thread does not hold.
    void unlock() noexcept { m_lock.unlock(Side::exclusive); }

    // Whether the calling thread holds it, as far as this process knows: false as soon as its session or its
    // node is known to be lost. Only the token protects a resource from a holder that does not know yet.
    bool isHeld() const { return m_lock.token(Side::exclusive).has_value(); }
    // The calling thread's fencing token: greater with every grant of the lock. None when it does not hold,
    // also when its hold was lost: then there is nothing that it may write.
    std::optional<Zxid> token() const { return m_lock.token(Side::exclusive); }
    // Called on the I/O thread when a hold is lost; it must neither block nor throw. Set it before locking.
    void onLost(LostCallback callback) { m_lock.onLost(std::move(callback)); }
    const std::string& path() const { return m_lock.path(); }

private:
    ThreadLock m_lock;
};

} // namespace lockscope::lock
