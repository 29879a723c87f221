// Curator's InterProcessSemaphoreV2 on one session: at most so many leases are out at a time. Its layout: a
// mutex in `<path>/locks`, and a node for each lease in `<path>/leases`; only who has the mutex takes
// leases and watches them, so the clients are served in the order of arrival. Which number is the most is
// each client's own word, or a SharedCount's. Scheduler thread. Work that must go on after the object is
// gone (deleting nodes) does.
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

// A lease that is out. The token grows from grant to grant.
struct Lease
{
    std::string node;
    std::optional<Zxid> token{};
    OwnerId owner = OwnerId::none(); // who acquired it; anybody may release it
};

struct SemaphoreOptions
{
    // `naming` and `keptGuid` are not used, `handoff` is that of the mutex, `trace` tells about the leases:
    // one AcquireCalled for an acquire, one Acquired for each lease.
    LockOptions lock;
    std::uint32_t leases = 1;
    // When given, its value is the most, also when it changes while clients wait. Raising lets waiters in
    // at once. Lowering takes no lease away, and ends the acquires that wait for more than there are now; a
    // count of zero or less closes the semaphore. It must have been started.
    std::shared_ptr<SharedCount> count{};
    TraceSink acquireMutexTrace{}; // of the mutex, which is a lock of its own
};

struct SemaphoreCore;

class Semaphore
{
public:
    Semaphore(zk::SessionPtr session, SemaphoreOptions options);
    ~Semaphore(); // gives up what is waiting and returns all leases, in the background
    Semaphore(const Semaphore&) = delete;
    Semaphore& operator=(const Semaphore&) = delete;

    // `count` leases, all or none: they are taken without letting another client in between. The limit is
    // for all of them; zero is one look. Errors: timedOut, cancelled, limitExceeded (more than most(): at
    // once, whatever the limit, and also when the count sinks below that while it waits, but not to 0: that
    // closes the semaphore until the count is raised; none of the three leaves a node behind), sessionLost, closed, noAuth, badUsage (no lease wanted; the path), internal
    // (retries exhausted).
    zk::Task<Result<std::vector<Lease>>> acquire(OwnerId owner, std::uint32_t count = 1,
                                                 std::optional<Duration> limit = std::nullopt,
                                                 CancelToken cancel = CancelToken::never());
    // Returns when it is certain that the nodes are gone. Of several each is released, whatever happens to
    // the others; the error is the first one. Errors: notOwner, when it is not out; sessionLost, noNode
    // when it was lost before; noAuth when the server refuses to delete the node: that lease stays out, and
    // may be released again.
    zk::Task<Result<void>> release(Lease lease);
    zk::Task<Result<void>> release(std::vector<Lease> leases);

    std::vector<Lease> held() const;
    // Called when a lease is lost: the session is over, or its node was deleted. It is not held any more by
    // then. Several are called in the order in which they were added; see Lock::onLost().
    ListenerId onLost(std::function<void(const Lease&)> callback);
    void removeLostListener(ListenerId listener); // harmless when it is gone
    std::uint32_t maxLeases() const;                   // leases at a time, as known now
    // The nodes of all clients' leases, in the order in which they were made. While a client waits, the
    // nodes of the leases that it wants are among them, as Curator does it.
    zk::Task<Result<std::vector<std::string>>> participants();
    const std::string& path() const;
    zk::Scheduler& scheduler();

private:
    std::shared_ptr<SemaphoreCore> m_core;
};

} // namespace lockscope::lock
