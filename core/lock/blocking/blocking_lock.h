// The common base of the blocking locks: a TimedLockable of the standard, for std::unique_lock,
// std::lock_guard and std::scoped_lock. Recursive: the thread that holds it may lock it again and must unlock
// it as often. Any thread but the I/O thread of the client, where locking is refused. Fair; excludes the
// threads of this process just like other processes. Movable while no other thread uses it.
#pragma once

#include "core/lock/blocking/lock_error.h"
#include "core/lock/blocking/thread_lock.h"
#include "core/lock/blocking/time_limit.h"
#include "core/lock/lock_options.h"

namespace lockscope::lock {

class BlockingLock
{
public:
    // Waits indefinitely, even across the loss of the session: it queues up again in the next one. Throws
    // LockError when the lock cannot be acquired: no session within the client's connectTimeout, client
    // closed, access denied, invalid path, called on the I/O thread; when this thread holds it kMaxDepth
    // times already; or when the hold of this thread was lost and is not unlocked yet.
    void lock() { m_lock.lock(Side::exclusive); }
    // True: locked. False: not in time, because another owner holds it, there is no connection, or the server
    // does not answer. Returns at the limit or up to kCleanUpTimeout (1 s) later: if the server answers in
    // time, no node is left behind; otherwise the node is deleted in the background. try_lock() asks the
    // server once and waits up to kSingleTryTimeout (2 s) for the answer. Throws LockError, as lock() does,
    // when more time would not help, also when the server refuses to delete the node of a failed try. The
    // clock of a deadline is read once, at the call.
    bool try_lock() { return m_lock.tryLock(Side::exclusive, Duration{}); }
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return m_lock.tryLock(Side::exclusive, toLimit(limit));
    }
    template <class Clock, class D>
    bool try_lock_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return m_lock.tryLock(Side::exclusive, timeUntil(deadline));
    }
    // Returns when the lock is released, after kUnlockTimeout (1 s) when the server does not answer, and at
    // once without a connection. In the last two cases the release continues in the background, or the hold
    // ends with the session; the next lock() of this thread waits for that. Harmless when the hold was lost.
    // Errors go to Client::onError: notOwner when this thread does not hold the lock; noAuth when the server
    // refuses. After noAuth the lock stays held, isHeld() is true, and the node exists until the session
    // ends: the next lock() of this thread continues that hold, and the unlock() after it, or the destructor,
    // tries again.
    void unlock() noexcept { m_lock.unlock(Side::exclusive); }
    // The same, with a result. Errors: noAuth, notOwner; sessionLost when the hold was lost; timedOut and
    // connectionLost when the release continues in the background; busy on the I/O thread; closed.
    Result<void> release() { return m_lock.release(Side::exclusive); }

    // Whether the calling thread holds the lock, as far as this process knows: false as soon as the loss of
    // its session or node is known. Only the token protects a resource from a holder that has not learned of
    // its loss. isHeld() and the tokens do not wait for the I/O thread: they lock a mutex briefly.
    bool isHeld() const { return m_lock.held(Side::exclusive).has_value(); }
    // Adds a callback that is called on the I/O thread when a hold is lost, after isHeld() has become false.
    // It must not block or lock; its exceptions go to Client::onError. It covers holds taken after this call.
    // An empty callback is not added (returns 0).
    ListenerId onLost(LostCallback callback) { return m_lock.onLost(std::move(callback)); }
    // Waits for the I/O thread: afterwards the callback neither runs nor is called. Unknown ids are ignored.
    void removeLostListener(ListenerId listener) { m_lock.removeLostListener(listener); }
    const std::string& path() const { return m_lock.path(); }

protected:
    BlockingLock(const Client& client, LockOptions options, ThreadLock::RecipeFactory makeRecipe)
        : m_lock(client, std::move(options), std::move(makeRecipe))
    {}
    // Releases the hold, in the background. Waiting threads get a LockError (operation_canceled); no thread
    // may begin another call meanwhile.
    ~BlockingLock() = default;
    BlockingLock(BlockingLock&&) noexcept = default;
    BlockingLock& operator=(BlockingLock&&) noexcept = default;

    // The fencing token of the calling thread on one side, while it holds it.
    std::optional<Zxid> tokenOf(Side side) const
    {
        const std::optional<HeldTokens> held = m_lock.held(side);
        return held ? held->token : std::nullopt;
    }

    ThreadLock m_lock;
};

} // namespace lockscope::lock
