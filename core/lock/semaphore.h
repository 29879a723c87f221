// The InterProcessSemaphoreV2 of Curator on one session: limits the number of leases held at a time. Its
// layout: a mutex in `<path>/locks`, and a node for each lease in `<path>/leases`. Only the owner of the
// mutex acquires and watches leases, so clients are served in the order of arrival. Each client has its own
// limit, or all use a SharedCount. Scheduler thread. Pending deletes continue after the object is destroyed.
#pragma once

#include "core/lock/lock_options.h"
#include "core/lock/recipe_lock.h"
#include "core/lock/shared_count.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

// A lease that is held. The token increases with every grant.
struct Lease
{
    std::string node;
    std::optional<Zxid> token{};
    OwnerId owner = OwnerId::none(); // the owner that acquired it; any owner may release it
};

struct SemaphoreOptions
{
    // `naming` and `keptGuid` are ignored; `handoff` applies to the mutex; `observer` observes the leases:
    // one AcquireCalled for an acquire, one Acquired for each lease.
    LockOptions lock;
    std::uint32_t leases = 1;
    // When set, its value is the limit, even when it changes while clients wait. It must have been started.
    // Raising it admits waiting clients at once. Lowering it revokes no lease and fails acquires of more
    // leases than the new limit; a count of zero or less closes the semaphore: acquires wait.
    std::shared_ptr<SharedCount> count{};
    std::shared_ptr<Observer> acquireMutexObserver{}; // of the mutex, which is a separate lock
};

struct SemaphoreCore;

class Semaphore
{
public:
    using executor_type = boost::asio::any_io_executor;
    // The destructor ends waiting acquires (closed) and releases all leases, in the background. Moves: as of
    // a RecipeLock.
    Semaphore(zk::SessionPtr session, SemaphoreOptions options);

    // Acquires `count` leases, all or none, without letting another client in between. `limit` applies to all
    // of them together; zero is a single try. Errors: timedOut, cancelled, closed, limitExceeded (`count`
    // exceeds maxLeases(), which is reported at once, even when that falls meanwhile; but a SharedCount of
    // zero or less makes it wait; or the sequence numbers are used up), sessionLost, noAuth, badUsage (no
    // lease requested; the path or the data of the node), internal (retries exhausted). A failed acquire
    // leaves no node behind if the server answers in time.
    zk::Task<Result<std::vector<Lease>>> acquire(OwnerId owner, std::uint32_t count = 1,
                                                 std::optional<Duration> limit = std::nullopt,
                                                 CancelToken cancel = CancelToken::never());
    // Returns when the nodes are certainly deleted. Each lease is released even if others fail; the first
    // error is returned. Errors: notOwner when a lease is not held; sessionLost and noNode when it was lost
    // before; noAuth when the server refuses to delete the node: that lease stays held and may be released
    // again.
    zk::Task<Result<void>> release(Lease lease);
    zk::Task<Result<void>> release(std::vector<Lease> leases);

    std::vector<Lease> held() const;
    // Called when a lease is lost: the session is over, or its node was deleted. By then the lease is no
    // longer held. See Lock::onLost().
    ListenerId onLost(std::function<void(const Lease&)> callback);
    void removeLostListener(ListenerId listener); // does nothing for an unknown id
    std::uint32_t maxLeases() const;              // the limit as known now
    // As those of Lock. The first in the queue is the oldest lease; ahead are the leases that had to come
    // back first, or, while others were in the queue before this acquire, these.
    void explainTimeouts();
    std::optional<Refusal> takeRefusal(OwnerId owner);
    // The nodes of all leases, in the order of creation. As in Curator, they include nodes of leases that a
    // client is still waiting for.
    zk::Task<Result<std::vector<std::string>>> participants();
    const std::string& path() const;
    zk::Scheduler& scheduler();
    executor_type get_executor() { return scheduler().executor(); }

private:
    Handle<SemaphoreCore> m_core;
};

// The InterProcessSemaphoreMutex of Curator: a semaphore with one lease, as a non-reentrant lock. A second
// acquire waits, even by the same owner. Any owner may release what this object holds, so one thread may lock
// and another unlock; notOwner: this object does not hold the lock. depth(), onLost() and the observer report
// the owner that acquired. Only a hold whose release was refused is continued by the next acquire of its
// owner.
class SemaphoreMutex final : public RecipeLock
{
public:
    // `acquireMutexObserver`: of the mutex in `<path>/locks`, which is a separate lock.
    SemaphoreMutex(zk::SessionPtr session, LockOptions options,
                   std::shared_ptr<Observer> acquireMutexObserver = nullptr);
};

} // namespace lockscope::lock
