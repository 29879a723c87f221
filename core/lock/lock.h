// The interface of every lock, whatever its recipe. Scheduler thread. An owner is a logical thread of the
// client (for the blocking locks: the calling thread). What acquire() and release() return is awaited, in a
// coroutine of this library for a Result and in one of Asio for a value or an exception, or called with any
// completion token: void(error_code, Grant) and void(error_code), see zk::Task.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/lock/cancel_token.h"
#include "core/lock/participants.h"
#include "core/lock/timeouts.h"
#include "core/zk/pending.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::lock {

using lockscope::Duration;
using lockscope::Error;
using lockscope::ErrorCode;
using lockscope::OwnerId;
using lockscope::Result;
using lockscope::Zxid;

// The token of one part of a multi-lock.
struct PartToken
{
    std::string path;
    std::optional<Zxid> token;
};

// A lock that is held. The token increases with every grant of the lock on this ensemble: it is the czxid of
// the holder's node; a read lock acquired under the write lock has the token of the write lock. Pass it to
// the protected resource, which must refuse smaller tokens and requests without one.
struct Grant
{
    std::string node;            // empty for a multi-lock
    std::optional<Zxid> token{}; // none for a multi-lock: each part has its own
    std::uint16_t depth = 1;
    std::vector<PartToken> parts{}; // of a multi-lock, in the order in which they are acquired
};

// The owner of calls that name none.
inline constexpr OwnerId kOnlyOwner{0};

// How often one owner can hold a reentrant lock at once.
inline constexpr std::uint16_t kMaxDepth = std::numeric_limits<std::uint16_t>::max();

class Lock
{
public:
    using executor_type = boost::asio::any_io_executor; // of handlers that have none of their own
    virtual ~Lock() = default;

    // Without `limit` it waits indefinitely; zero is a single try, for Timeouts::singleTry at most. It
    // returns at the limit or up to Timeouts::cleanUp later: if the server answers in time, a failed acquire
    // leaves no node behind. While a release by this owner is under way, it first waits for the end of that
    // release. Errors: timedOut, cancelled, sessionLost, closed, noAuth (also when, after another error, its
    // own node cannot be deleted; the message reports both, and when the server demands an authentication
    // that the session does not have), busy (this owner is already waiting), badUsage (the path or the data
    // of the node), limitExceeded (the sequence numbers are used up, or the owner already holds the lock
    // kMaxDepth times), internal (retries exhausted; the message gives the reason). A grant is of a lock that
    // is held when the handler is called on the scheduler thread: when the hold is lost before that, onLost()
    // is called and the error is sessionLost.
    virtual zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                            CancelToken cancel = CancelToken::never()) = 0;
    // Releases one level. The last one deletes the node and returns when that is certain. Errors: notOwner,
    // naming the lock and the owner; closed when the lock was destroyed; sessionLost, noNode when the hold
    // was lost before; noAuth when the server refuses to delete the node: the lock stays held and depth()
    // is 1. The next release tries again, and the next acquire by this owner continues that hold at depth 1;
    // otherwise it ends with the session.
    virtual zk::Task<Result<void>> release(OwnerId owner) = 0;

    // The same for a lock that one logical thread uses: its owner is kOnlyOwner.
    zk::Task<Result<Grant>> acquire(std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never())
    {
        return acquire(kOnlyOwner, limit, std::move(cancel));
    }
    zk::Task<Result<void>> release() { return release(kOnlyOwner); }

    virtual std::uint16_t depth(OwnerId owner) const = 0; // 0 when the owner does not hold the lock
    std::uint16_t depth() const { return depth(kOnlyOwner); }
    // Called when a held lock is lost: its session is over, or its node was deleted. The hold is gone by
    // then. Callbacks run in the order in which they were added; an empty one is not added (returns 0). They
    // may destroy the lock. Their exceptions are rethrown from a posted function on the scheduler thread.
    virtual ListenerId onLost(std::function<void(OwnerId)> callback) = 0;
    virtual void removeLostListener(ListenerId listener) = 0; // does nothing for an unknown id
    // From now on an acquire that times out asks who holds the lock: its error says so, and takeRefusal()
    // returns it. It asks together with the delete of its node, within Timeouts::cleanUp: a list and a read.
    // An acquire that is granted costs no more than before. Who is the first in the queue of a semaphore, and
    // who is ahead: semaphore.h.
    virtual void explainTimeouts() {}
    // Once after such an acquire; none when it did not time out, or when nothing could be learned.
    virtual std::optional<Refusal> takeRefusal(OwnerId) { return std::nullopt; }
    virtual const std::string& path() const = 0;
    virtual zk::Scheduler& scheduler() = 0;
    executor_type get_executor() { return scheduler().executor(); }
};

} // namespace lockscope::lock
