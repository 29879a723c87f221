// What every lock can do, whatever recipe it follows. Everything on the scheduler's thread; an owner is a
// logical thread of the client (for the blocking face: the calling thread).
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/lock/cancel.h"
#include "core/zk/pending.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::lock {

// The token of one part of a lock over several others.
struct PartToken
{
    std::string path;
    std::optional<Zxid> token;
};

// A lock that is held. The token increases with every grant of the lock on this ensemble (czxid of the own
// node; a read lock that was taken under the write lock goes on with the write lock's): give it to the
// protected resource, which refuses smaller ones and whoever has none.
struct Grant
{
    std::string node;            // empty for a lock over several others
    std::optional<Zxid> token{}; // none for a lock over several others: each part has its own
    std::uint16_t depth = 1;
    std::vector<PartToken> parts{}; // of a lock over several others, in the order in which they are taken
};

class Lock
{
public:
    virtual ~Lock() = default;

    // Without `limit` waits as long as it takes; zero is one try. Errors: timedOut, cancelled (neither leaves
    // a node behind), sessionLost, noAuth, internal (retries exhausted; the message says of what).
    virtual zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                            Cancel cancel = Cancel::never()) = 0;
    // One level. The last one deletes the node and returns when that is certain. Errors: notOwner, naming the
    // lock and the owner; sessionLost, noNode when the hold was lost before; noAuth when the node may not be
    // deleted.
    virtual zk::Task<Result<void>> release(OwnerId owner) = 0;

    virtual std::uint16_t depth(OwnerId owner) const = 0; // 0 when it does not hold
    // Called when a held lock is lost: its session is over, or its node was deleted. The hold is gone by
    // then.
    virtual void onLost(std::function<void(OwnerId)> callback) = 0;
    virtual const std::string& path() const = 0;
    virtual zk::Scheduler& scheduler() = 0;
};

} // namespace lockscope::lock
