// A semaphore between processes, for threads: the InterProcessSemaphoreV2 of Curator (Semaphore) with the
// acquire functions of std::counting_semaphore, which here return the leases. Clients are served in the order
// of their arrival. Any thread but the I/O thread of the client, where acquiring is refused. Movable while no
// other thread uses it.
#pragma once

#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/semaphore.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::lock {

struct BlockingSemaphoreOptions
{
    LockOptions lock; // as SemaphoreOptions::lock
    std::uint32_t leases = 1;
    // The path of a number that all clients follow (SharedCount) and that replaces `leases` as the limit;
    // created with `leases` when it is missing. Empty: each client has its own limit.
    std::string countPath{};
};

// Leases that are held, or none. The destructor releases them. Any thread may use it, one at a time.
class HeldLeases
{
public:
    HeldLeases() = default;
    HeldLeases(HeldLeases&&) noexcept = default;
    HeldLeases& operator=(HeldLeases&& other) noexcept;
    ~HeldLeases(); // as release(), but noAuth goes to Client::onError

    explicit operator bool() const { return m_set != nullptr; } // some were acquired and are not released yet
    std::size_t size() const { return tokens().size(); }
    // Whether all of them are held, as far as this process knows: false as soon as the loss of one is known.
    // Does not wait, as BlockingMutex::isHeld().
    bool isHeld() const;
    // The fencing tokens of the leases that are still held, without those of lost ones. Does not wait.
    std::vector<Zxid> tokens() const;
    // Returns when the leases are released; after Timeouts::unlock (1 s) when the server does not answer, and
    // at once without a connection: then the release continues in the background. Errors: noAuth (the leases
    // stay held, and the next release() tries again); sessionLost, noNode when one was lost before (the
    // others are released); timedOut and connectionLost when it continues in the background; busy on the I/O
    // thread; closed when the semaphore or the client is gone. Does nothing without leases.
    Result<void> release();

private:
    friend class BlockingSemaphore;
    struct Set;
    explicit HeldLeases(std::shared_ptr<Set> set)
        : m_set(std::move(set))
    {}
    std::shared_ptr<Set> m_set;
};

class BlockingSemaphore
{
public:
    BlockingSemaphore(const Client& client, std::string path, std::uint32_t leases);
    BlockingSemaphore(const Client& client, BlockingSemaphoreOptions options);
    // Releases all leases, in the background. Waiting threads get a LockError (operation_canceled); no thread
    // may begin another call meanwhile.
    ~BlockingSemaphore() = default;
    BlockingSemaphore(BlockingSemaphore&&) noexcept = default;
    BlockingSemaphore& operator=(BlockingSemaphore&& other) noexcept = default;

    // Waits indefinitely for `count` leases, all or none, even across the loss of the session. Throws
    // LockError when they cannot be acquired: as BlockingLock::lock(), and state_not_recoverable when `count`
    // exceeds the limit of the semaphore.
    HeldLeases acquire(std::uint32_t count = 1);
    // The same with a time limit; empty when the leases were not acquired in time. Time limits and errors are
    // those of BlockingLock::try_lock().
    HeldLeases try_acquire(std::uint32_t count = 1) { return tryAcquire(count, Duration{}, nullptr); }
    template <class Rep, class Period>
    HeldLeases try_acquire_for(const std::chrono::duration<Rep, Period>& limit, std::uint32_t count = 1)
    {
        return tryAcquire(count, toLimit(limit), nullptr);
    }
    template <class Clock, class D>
    HeldLeases try_acquire_until(const std::chrono::time_point<Clock, D>& deadline, std::uint32_t count = 1)
    {
        return tryAcquire(count, timeUntil(deadline), nullptr);
    }
    // When it returns none, `refusal` says who has a lease and what was ahead: see
    // Semaphore::explainTimeouts(), which it switches on for this semaphore.
    HeldLeases try_acquire(Refusal& refusal, std::uint32_t count = 1)
    {
        return tryAcquire(count, Duration{}, &refusal);
    }
    template <class Rep, class Period>
    HeldLeases try_acquire_for(const std::chrono::duration<Rep, Period>& limit, Refusal& refusal,
                               std::uint32_t count = 1)
    {
        return tryAcquire(count, toLimit(limit), &refusal);
    }

    // Adds a callback that is called on the I/O thread when a lease is lost, after HeldLeases::isHeld() has
    // become false. See BlockingLock::onLost().
    ListenerId onLost(std::function<void(const Lease&)> callback);
    void removeLostListener(ListenerId listener);
    const std::string& path() const { return m_path; }

private:
    friend class HeldLeases;
    struct State;
    HeldLeases tryAcquire(std::uint32_t count, Duration limit, Refusal* refusal);
    Result<HeldLeases> acquire(std::uint32_t count, std::optional<Duration> limit, Refusal* refusal);

    std::string m_path;
    Handle<State> m_state;
};

} // namespace lockscope::lock
