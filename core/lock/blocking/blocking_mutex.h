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
    // What is held is released, in the background. Threads that wait in it are ended with a LockError
    // (operation_canceled); none may be about to call it.
    ~BlockingMutex() = default;

    // Waits as long as it takes; through the loss of the session too, queueing up again in the next one.
    // Throws LockError when it cannot be had: no session within the client's connectTimeout, client closed,
    // access denied, path not taken, called on the I/O thread; or when this thread's hold was lost and it has
    // not unlocked yet.
    void lock() { m_lock.lock(Side::exclusive); }
    // True: locked. False: not in time, because others hold it, there is no connection, or the server says
    // nothing. It returns at the limit, or up to kCleanUpTimeout (1 s) later: whenever the server answers in
    // time, no node is left behind then; else the node is deleted in the background. try_lock() asks the
    // server once, and waits for its answers up to kSingleTryTimeout (2 s). Everything that more time would not
    // change throws LockError, as lock() does, also that the server refuses to delete the node of a try that
    // failed.
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
    // Returns when the lock is free; after kUnlockTimeout (1 s) when the server says nothing, and at once
    // without a connection: then it is freed in the background, or ends with the session, and this thread's
    // next lock() waits for that. Harmless when the hold was lost. What goes wrong goes to Client::onError:
    // notOwner when this thread does not hold; noAuth when the server refuses. Then the lock stays held,
    // isHeld() is true, and the node is there until the session ends: the next lock() by this thread goes on
    // with that hold, and the unlock() after it tries again; the destructor tries, too.
    void unlock() noexcept { m_lock.unlock(Side::exclusive); }
    // The same with a result. Errors: noAuth, notOwner; sessionLost when the hold was lost; timedOut and
    // connectionLost when it is to be freed in the background; busy on the I/O thread; closed.
    Result<void> release() { return m_lock.release(Side::exclusive); }

    // Whether the calling thread holds it, as far as this process knows: false as soon as its session or its
    // node is known to be lost. Only the token protects a resource from a holder that does not know yet.
    bool isHeld() const { return m_lock.token(Side::exclusive).has_value(); }
    // The calling thread's fencing token: greater with every grant of the lock. None when it does not hold,
    // also when its hold was lost: then there is nothing that it may write.
    std::optional<Zxid> token() const { return m_lock.token(Side::exclusive); }
    // Called on the I/O thread when a hold is lost; it must neither block nor throw (what it throws goes to
    // Client::onError). Set it before locking.
    void onLost(LostCallback callback) { m_lock.onLost(std::move(callback)); }
    const std::string& path() const { return m_lock.path(); }

private:
    ThreadLock m_lock;
};

} // namespace lockscope::lock
