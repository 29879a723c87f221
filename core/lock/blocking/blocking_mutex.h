// The locks for threads: BlockingMutex, BlockingSharedMutex and BlockingMultiLock, as the TimedLockable and
// SharedTimedLockable of the standard, for std::unique_lock, std::lock_guard, std::shared_lock and
// std::scoped_lock. Recursive: the thread that holds one may lock it again and must unlock it as often. Any
// thread but the I/O thread of the client, where locking is refused. Fair; excludes the threads of this
// process just like other processes. Movable while no other thread uses it.
#pragma once

#include "core/base/error.h"
#include "core/base/listeners.h"
#include "core/lock/blocking/lock_error.h"
#include "core/lock/blocking/time_limit.h"
#include "core/lock/handle.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"
#include "core/lock/safe_time.h"

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace lockscope::lock {

class Client;

// A hold that was lost before it was unlocked: with its session, or because its node was deleted.
struct LostHold
{
    std::thread::id thread;
    std::optional<Zxid> token{};    // of that hold
    std::vector<PartToken> parts{}; // of a multi-lock
};
using LostCallback = std::function<void(const LostHold&)>;

// The tokens of a thread that holds a lock: one fencing token, or one for each part of a multi-lock.
struct HeldTokens
{
    std::optional<Zxid> token{};
    std::vector<PartToken> parts{};
};

// What they have in common: a lock whose owners are threads, over a recipe that is bound to one session; the
// next acquire makes a new recipe on the next session.
class BlockingLock
{
public:
    // Waits indefinitely, even across the loss of the session: it queues up again in the next one. Throws
    // LockError when the lock cannot be acquired: no session within the client's connectTimeout, client
    // closed, access denied, invalid path, called on the I/O thread; when this thread holds it kMaxDepth
    // times already; or when the hold of this thread was lost and is not unlocked yet.
    void lock() { lock(Side::exclusive); }
    // True: locked. False: not in time, because another owner holds it, there is no connection, or the server
    // does not answer. Returns at the limit or up to Timeouts::cleanUp (1 s) later: if the server answers in
    // time, no node is left behind; otherwise the node is deleted in the background. try_lock() asks the
    // server once and waits up to Timeouts::singleTry (2 s) for the answer. Throws LockError, as lock() does,
    // when more time would not help, also when the server refuses to delete the node of a failed try. The
    // clock of a deadline is read once, at the call.
    bool try_lock() { return tryLock(Side::exclusive, Duration{}); }
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return tryLock(Side::exclusive, toLimit(limit));
    }
    template <class Clock, class D>
    bool try_lock_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return tryLock(Side::exclusive, timeUntil(deadline));
    }
    // The same; when it returns false, `refusal` says who held the lock, and how many were ahead, as far as
    // the server said so in time (Lock::explainTimeouts).
    bool try_lock(Refusal& refusal) { return tryLock(Side::exclusive, Duration{}, &refusal); }
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit, Refusal& refusal)
    {
        return tryLock(Side::exclusive, toLimit(limit), &refusal);
    }
    // Returns when the lock is released, after Timeouts::unlock (1 s) when the server does not answer, and at
    // once without a connection. In the last two cases the release continues in the background, or the hold
    // ends with the session; the next lock() of this thread waits for that. Harmless when the hold was lost.
    // Errors go to Client::onError: notOwner when this thread does not hold the lock; noAuth when the server
    // refuses. After noAuth the lock stays held, isHeld() is true, and the node exists until the session
    // ends: the next lock() of this thread continues that hold, and the unlock() after it, or the destructor,
    // tries again.
    void unlock() noexcept { unlock(Side::exclusive); }
    // The same, with a result. Errors: noAuth, notOwner; sessionLost when the hold was lost; timedOut and
    // connectionLost when the release continues in the background; busy on the I/O thread; closed.
    Result<void> release() { return release(Side::exclusive); }

    // Whether the calling thread holds the lock, as far as this process knows: false as soon as the loss of
    // its session or node is known. Only the token protects a resource from a holder that has not learned of
    // its loss. isHeld() and the tokens do not wait for the I/O thread: they lock a mutex briefly.
    bool isHeld() const { return held(Side::exclusive).has_value(); }
    // Until then no other client holds the lock that the calling thread holds, by the server's rule: see
    // Client::keepSafeTime() and SafeTime::until(). None when it does not hold it. Does not wait.
    std::optional<BootTime> safeUntil() const { return safeUntil(Side::exclusive); }
    // Adds a callback that is called on the I/O thread when a hold is lost, after isHeld() has become false.
    // It must not block or lock; its exceptions go to Client::onError. It covers holds taken after this call.
    // An empty callback is not added (returns 0).
    ListenerId onLost(LostCallback callback);
    // Waits for the I/O thread: afterwards the callback neither runs nor is called. Unknown ids are ignored.
    void removeLostListener(ListenerId listener);
    const std::string& path() const { return m_path; }

protected:
    // The recipe on one session; `shared` is empty for a mutex.
    struct Recipe
    {
        std::shared_ptr<Lock> exclusive;
        std::shared_ptr<Lock> shared;
    };
    using RecipeFactory = std::function<Recipe(zk::SessionPtr, const LockOptions&)>;
    BlockingLock(const Client& client, LockOptions options, RecipeFactory makeRecipe);
    // Releases the hold, in the background. Waiting threads get a LockError (operation_canceled); no thread
    // may begin another call meanwhile. Afterwards the only callback is the client's onError, for a node that
    // cannot be deleted.
    ~BlockingLock() = default;
    BlockingLock(BlockingLock&& other) noexcept = default;
    BlockingLock& operator=(BlockingLock&& other) noexcept = default;

    void lock(Side side);
    bool tryLock(Side side, Duration limit, Refusal* refusal = nullptr); // zero or less: a single try
    void unlock(Side side) noexcept;                                     // errors go to the client's onError
    Result<void> release(Side side) { return release(side, false); }
    std::optional<HeldTokens> held(Side side) const; // by the calling thread; does not wait
    std::optional<BootTime> safeUntil(Side side) const;
    // The fencing token of the calling thread on one side, while it holds it.
    std::optional<Zxid> tokenOf(Side side) const
    {
        const std::optional<HeldTokens> tokens = held(side);
        return tokens ? tokens->token : std::nullopt;
    }

private:
    struct State;
    Result<Grant> acquire(Side side, std::optional<Duration> limit, Refusal* refusal = nullptr);
    Result<void> release(Side side, bool reports);

    std::string m_path;
    Handle<State> m_state;
};

// A mutex between processes, for threads: the InterProcessMutex of Curator (Mutex).
class BlockingMutex : public BlockingLock
{
public:
    BlockingMutex(const Client& client, std::string path);
    BlockingMutex(const Client& client, LockOptions options);

    // The fencing token of the calling thread: it increases with every grant of the lock. None when the
    // thread does not hold the lock or its hold was lost: then the thread must not write. Does not wait.
    std::optional<Zxid> token() const { return tokenOf(Side::exclusive); }
};

// A read/write lock between processes, for threads: the InterProcessReadWriteLock of Curator (ReadWriteLock)
// as a SharedTimedLockable of the standard, for std::unique_lock, std::shared_lock and std::scoped_lock. Both
// sides are recursive per thread. A thread that holds it exclusively may lock it shared and unlock the
// exclusive side (downgrade). An upgrade would wait for itself: lock() throws, the timed functions time out.
// The exclusive side, the write lock, behaves like BlockingMutex; errors, results, tokens and losses mean the
// same on both sides.
class BlockingSharedMutex : public BlockingLock
{
public:
    BlockingSharedMutex(const Client& client, std::string path);
    BlockingSharedMutex(const Client& client, LockOptions options);
    std::optional<Zxid> token() const { return tokenOf(Side::exclusive); } // see BlockingMutex::token()

    // ---- shared: the read lock; each function works like its counterpart of the exclusive side ----
    void lock_shared() { lock(Side::shared); }
    bool try_lock_shared() { return tryLock(Side::shared, Duration{}); }
    template <class Rep, class Period>
    bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return tryLock(Side::shared, toLimit(limit));
    }
    template <class Clock, class D>
    bool try_lock_shared_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return tryLock(Side::shared, timeUntil(deadline));
    }
    bool try_lock_shared(Refusal& refusal) { return tryLock(Side::shared, Duration{}, &refusal); }
    template <class Rep, class Period>
    bool try_lock_shared_for(const std::chrono::duration<Rep, Period>& limit, Refusal& refusal)
    {
        return tryLock(Side::shared, toLimit(limit), &refusal);
    }
    void unlock_shared() noexcept { unlock(Side::shared); }
    Result<void> releaseShared() { return release(Side::shared); }
    bool isHeldShared() const { return held(Side::shared).has_value(); }
    std::optional<BootTime> safeUntilShared() const { return safeUntil(Side::shared); }
    std::optional<Zxid> sharedToken() const { return tokenOf(Side::shared); }
};

// Several mutexes between processes as one, for threads: the InterProcessMultiLock of Curator (MultiLock).
// All or none are held. They are acquired in the order of their paths, so that two multi-locks over the same
// paths never deadlock. A std::scoped_lock over several BlockingMutexes does not deadlock either, but it
// releases them and tries again.
class BlockingMultiLock : public BlockingLock
{
public:
    // Throws LockError (badUsage) when there is no path; lock() throws it when a path occurs twice. Its
    // timeouts are those of the first part.
    BlockingMultiLock(const Client& client, const std::vector<std::string>& paths);
    BlockingMultiLock(const Client& client, std::initializer_list<std::string_view> paths);
    BlockingMultiLock(const Client& client, std::vector<LockOptions> parts);

    // The fencing token of each part, in the order in which they are acquired; empty when the calling thread
    // does not hold the lock, or lost a part of it: then it must not write. Does not wait.
    std::vector<PartToken> tokens() const
    {
        const std::optional<HeldTokens> tokens = held(Side::exclusive);
        return tokens ? tokens->parts : std::vector<PartToken>{};
    }
};

} // namespace lockscope::lock
