// The InterProcessSemaphoreV2 of Curator on one session: limits the number of leases that are out. Its
// layout: a mutex in `<path>/locks`, and a node for each lease in `<path>/leases`. Only the owner of the
// mutex acquires and watches leases, so clients are served in the order of arrival. Each client has its own
// limit, or all use a SharedCount. Scheduler thread. Pending deletes go on after the object is destroyed.
#pragma once

#include "core/lock/cancel_token.h"
#include "core/lock/lock_options.h"
#include "core/lock/shared_count.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

// A lease that is out. The token increases with every grant.
struct Lease
{
    std::string node;
    std::optional<Zxid> token{};
    OwnerId owner = OwnerId::none(); // who acquired it; any owner may release it
};

struct SemaphoreOptions
{
    // `naming` and `keptGuid` are ignored; `handoff` applies to the mutex; `observer` observes the leases:
    // one AcquireCalled for an acquire, one Acquired for each lease.
    LockOptions lock;
    std::uint32_t leases = 1;
    // When set, its value is the limit, also when it changes while clients wait. Raising it admits waiting
    // clients at once. Lowering it revokes no lease and fails acquires of more leases than the new limit; a
    // count of zero or less closes the semaphore. It must have been started.
    std::shared_ptr<SharedCount> count{};
    std::shared_ptr<Observer> acquireMutexObserver{}; // of the mutex, which is a lock of its own
};

struct SemaphoreCore;

class Semaphore
{
public:
    Semaphore(zk::SessionPtr session, SemaphoreOptions options);
    ~Semaphore(); // cancels waiting acquires and releases all leases, in the background
    Semaphore(Semaphore&& other) noexcept; // as QueueLock's
    Semaphore& operator=(Semaphore&& other) noexcept;

    // Acquires `count` leases, all or none, without letting another client in between. The limit is for all
    // of them; zero is a single try. Errors: timedOut, cancelled, limitExceeded (more than maxLeases(): at
    // once whatever the limit, also when the count falls below that meanwhile; a count of 0 makes it wait
    // instead), none of which leaves a node behind; sessionLost, closed, noAuth, badUsage (no lease
    // requested; the path), internal (retries exhausted).
    zk::Task<Result<std::vector<Lease>>> acquire(OwnerId owner, std::uint32_t count = 1,
                                                 std::optional<Duration> limit = std::nullopt,
                                                 CancelToken cancel = CancelToken::never());
    // Returns when the nodes are certainly gone. Each of several leases is released whatever happens to the
    // others; the first error is returned. Errors: notOwner, when a lease is not out; sessionLost, noNode
    // when it was lost before; noAuth when the server refuses to delete the node: that lease stays out and
    // may be released again.
    zk::Task<Result<void>> release(Lease lease);
    zk::Task<Result<void>> release(std::vector<Lease> leases);

    std::vector<Lease> held() const;
    // Called when a lease is lost: the session is over, or its node was deleted. It is not held any more by
    // then. See Lock::onLost().
    ListenerId onLost(std::function<void(const Lease&)> callback);
    void removeLostListener(ListenerId listener); // harmless when it is gone
    std::uint32_t maxLeases() const;              // the limit as known now
    // The nodes of all leases, in the order of creation. As in Curator, they include the nodes of leases that
    // a client waits for.
    zk::Task<Result<std::vector<std::string>>> participants();
    const std::string& path() const;
    zk::Scheduler& scheduler();

private:
    static zk::Task<Result<std::vector<Lease>>> acquire(std::shared_ptr<SemaphoreCore> core, OwnerId owner,
                                                        std::uint32_t count, std::optional<Duration> limit,
                                                        CancelToken own, CancelToken callers);
    std::shared_ptr<SemaphoreCore> m_core;
};

} // namespace lockscope::lock
