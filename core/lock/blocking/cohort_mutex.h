// A mutex between processes whose threads share one node (lock cohorting): a release passes the lock to the
// next thread of the process that waits for it, without the server, as often and as long as LocalHandoffs
// says; then the node goes, and the others in the queue are served. Any thread but the I/O thread of the
// client, where locking is refused. Movable while no other thread uses it.
#pragma once

#include "core/lock/blocking/blocking_mutex.h"

namespace lockscope::lock {

class Client;

// How long the threads of one process may keep a node among themselves: the others in the queue wait for no
// more than that, and for the hold during which it is used up. A count of 0: every thread gets a node of its
// own, one after the other.
struct LocalHandoffs
{
    std::uint32_t count = 100;
    Duration time = std::chrono::milliseconds(10); // from the grant of the node
};

// Used as a BlockingMutex is, and its functions return, throw and wait as those do. What is different:
//
// - Threads that are to share a node use one object. In the order in which they began to wait.
// - The token is the node's, so threads that pass the lock on have the same one.
// - try_lock() asks the server only when no thread of this process has a node or waits for one.
// - While the connection is suspended nothing is passed on: the next holder has a node of its own.
// - A release that the server refuses (noAuth) leaves the node to the next thread of this process that locks;
//   isHeld() is false.
// - Observers see the acquires of the nodes, and the data of a node is the same for all threads.
class CohortMutex
{
public:
    CohortMutex(const Client& client, std::string path, LocalHandoffs handoffs = {});
    CohortMutex(const Client& client, LockOptions options, LocalHandoffs handoffs = {});
    // Releases the hold, in the background. Waiting threads get a LockError (operation_canceled); no thread
    // may begin another call meanwhile.
    ~CohortMutex() = default;
    CohortMutex(CohortMutex&&) noexcept = default;
    CohortMutex& operator=(CohortMutex&&) noexcept = default;

    void lock();
    bool try_lock() { return tryLock(Duration{}, nullptr); }
    bool try_lock(Refusal& refusal) { return tryLock(Duration{}, &refusal); }
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit)
    {
        return tryLock(toLimit(limit), nullptr);
    }
    // When it returns false, `refusal` says who held the lock, which may be this process, and how many nodes
    // there were, with that of this process.
    template <class Rep, class Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& limit, Refusal& refusal)
    {
        return tryLock(toLimit(limit), &refusal);
    }
    template <class Clock, class D>
    bool try_lock_until(const std::chrono::time_point<Clock, D>& deadline)
    {
        return tryLock(timeUntil(deadline), nullptr);
    }
    // At once when it passes the lock on; otherwise as BlockingMutex::unlock().
    void unlock() noexcept;
    Result<void> release() { return release(false); }

    bool isHeld() const { return token().has_value(); }
    std::optional<Zxid> token() const; // of the node that the calling thread holds
    std::optional<BootTime> safeUntil() const;
    std::size_t waiting() const; // threads of this process, at this moment
    // Only the thread that held the lock has lost it; those that waited go on waiting, for another node.
    ListenerId onLost(LostCallback callback);
    void removeLostListener(ListenerId listener);
    const std::string& path() const { return m_path; }

private:
    struct State;
    bool tryLock(Duration limit, Refusal* refusal);
    Result<void> release(bool reports);
    std::string m_path;
    Handle<State> m_state;
};

} // namespace lockscope::lock
