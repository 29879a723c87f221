// The state of a QueueLock, kept alive by work under way. Scheduler thread.
#pragma once

#include "core/base/guid.h"
#include "core/lock/internal/hold_watch.h"
#include "core/lock/internal/lock_core.h"
#include "core/lock/internal/lost_holds.h"
#include "core/lock/internal/pending_releases.h"
#include "core/lock/internal/refusal.h"
#include "core/lock/queue_lock.h"

#include <boost/container/flat_map.hpp>

namespace lockscope::lock {

struct Hold
{
    std::string node;
    Zxid token;
    std::uint16_t depth = 1;
    std::int32_t uncontendedNumber =
        -1;                             // sequence number of the node when it was alone at the grant, else -1
    MonotonicTime since{};              // time of the grant; set when there is an observer
    std::unique_ptr<HoldWatch> watch{}; // set shortly after the grant
    bool releaseRefused = false;        // released by its owner, but the server did not delete the node
};

// The last node that was alone under the path while it was held, and is certainly gone.
struct LastUncontended
{
    std::int32_t number = 0;
    Zxid czxid;
};

class AcquireOp;

struct QueueCore final : LockCore, NodeCore<QueueCore>
{
    using FindInheritedPosition = std::function<std::optional<InheritedPosition>(OwnerId)>;
    QueueCore(zk::SessionPtr session, LockOptions options, Rule rule,
              FindInheritedPosition findInheritedPosition);
    zk::Task<Result<Grant>> acquire(std::shared_ptr<LockCore> self, OwnerId owner,
                                    std::optional<Duration> limit, LinkedCancelToken cancel) override;
    zk::Task<Result<void>> release(std::shared_ptr<LockCore> self, OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    const std::string& path() const override { return nodeClient.path(); }
    void explainTimeouts() override { refusals.wanted = true; }
    std::optional<Refusal> takeRefusal(OwnerId owner) override { return refusals.take(owner); }
    void shutDown() override;

    std::optional<Grant> grantOf(OwnerId owner) const; // of its hold, if any
    void addHold(OwnerId owner, Hold hold);
    void watchHold(OwnerId owner, Duration after);
    // Restores a hold whose node the server refused to delete.
    void restoreHold(OwnerId owner, Hold hold);
    void loseHold(OwnerId owner, LostReason reason, EventIndex cause);
    void loseAll(LostReason reason);
    std::string newPrefix(); // a new, unique protection prefix
    bool isGateOpen() const { return !gate || gate->open(); }
    bool announces() const { return options.handoff == HandoffPolicy::announced && !revokeCallback; }

    LockOptions options;
    Rule rule;
    FindInheritedPosition findInheritedPosition;
    GuidSource guids;
    std::string precomputedPrefix; // prepared outside the critical path
    template <class T>
    using ByOwner = boost::container::flat_map<OwnerId, T>; // usually holds one entry
    ByOwner<Hold> holds;
    LostHolds<OwnerId> lostOwners;
    ByOwner<AcquireOp*> acquiring;
    PendingReleases releases;
    std::function<void(OwnerId)> revokeCallback;
    std::optional<LastUncontended> lastUncontended;
    std::optional<Error> invalidOptions; // when set, the error of every acquire
    bool keptGuidUsed = false;
    Refusals refusals;
};

// badUsage when a lock with these options cannot be acquired.
std::optional<Error> checkOptions(const LockOptions& options);
// "client 3, thread 0" for messages.
Message describeOwner(const Observer* observer, OwnerId owner);

} // namespace lockscope::lock
