// What every lock can do, whatever recipe it follows. Everything on the scheduler's thread; an owner is a
// logical thread of the client (for the blocking face: the calling thread).
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/lock/cancel_token.h"
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

// How long an acquire with a zero limit waits for the answers of the server: one look.
inline constexpr Duration kSingleTryTimeout = std::chrono::seconds(2);
// How long an acquire that fails waits for its node to be deleted. Then, and without a connection at once, it
// returns, and the deleting goes on in the background until it is certain.
inline constexpr Duration kCleanUpTimeout = std::chrono::seconds(1);

class Lock
{
public:
    virtual ~Lock() = default;

    // Without `limit` waits as long as it takes; zero is one look, for kSingleTryTimeout at most. Returns at the
    // limit, or up to kCleanUpTimeout later: whenever the server answers in time, an acquire that fails leaves
    // no node behind. While a release by this owner is under way, waits for its end first. Errors: timedOut,
    // cancelled, sessionLost, noAuth (also when its own node may not be deleted after any other error; the
    // message says both), internal (retries exhausted; the message says of what).
    virtual zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                            CancelToken cancel = CancelToken::never()) = 0;
    // One level. The last one deletes the node and returns when that is certain. Errors: notOwner, naming the
    // lock and the owner; sessionLost, noNode when the hold was lost before. noAuth when the server refuses
    // to delete the node: the lock stays held, depth() is 1. The next release tries again, and the next
    // acquire by this owner goes on with that hold, at depth 1; else it ends with the session.
    virtual zk::Task<Result<void>> release(OwnerId owner) = 0;

    virtual std::uint16_t depth(OwnerId owner) const = 0; // 0 when it does not hold
    // Called when a held lock is lost: its session is over, or its node was deleted. The hold is gone by
    // then. Several are called in the order in which they were added; an empty function is not added (0). A
    // listener may let go of the lock. What it throws leaves a function of its own on the scheduler's thread.
    virtual ListenerId onLost(std::function<void(OwnerId)> callback) = 0;
    virtual void removeLostListener(ListenerId listener) = 0; // harmless when it is gone
    virtual const std::string& path() const = 0;
    virtual zk::Scheduler& scheduler() = 0;
};

} // namespace lockscope::lock
