// A lock whose contenders queue up as numbered nodes: what the mutex and both sides of the read/write lock
// are made of. Fair, reentrant per owner; other owners of the same object queue up like other clients.
// Scheduler thread. Work that must go on after the object is gone (deleting a node) does.
#pragma once

#include "core/lock/decide.h"
#include "core/lock/lock.h"
#include "core/lock/lock_options.h"

#include <vector>

namespace lockscope::lock {

struct QueueCore;

// The place that an owner has by holding the other side of a read/write lock. Its token goes on, too: nodes
// that were made meanwhile have greater ones, and are granted later.
struct InheritedPosition
{
    std::string digits; // of the node's name
    Zxid token;
};

class QueueLock : public Lock
{
public:
    ~QueueLock() override; // gives up what is waiting and releases what is held, in the background
    QueueLock(const QueueLock&) = delete;
    QueueLock& operator=(const QueueLock&) = delete;

    zk::Task<Result<Grant>> acquire(OwnerId owner, std::optional<Duration> limit = std::nullopt,
                                    CancelToken cancel = CancelToken::never()) override;
    zk::Task<Result<void>> release(OwnerId owner) override;
    std::uint16_t depth(OwnerId owner) const override;
    ListenerId onLost(std::function<void(OwnerId)> callback) override;
    void removeLostListener(ListenerId listener) override;
    const std::string& path() const override;
    zk::Scheduler& scheduler() override;

    // From now on others may ask for the lock (requestRevocation): `callback` is told once for each hold, and
    // it is for the holder to decide. Curator's Revocable. Acquires that begin afterwards are revocable.
    void makeRevocable(std::function<void(OwnerId)> callback);
    // What is held now by this owner; empty when it does not hold.
    std::optional<Grant> held(OwnerId owner) const;

protected:
    // With `findInheritedPosition` an owner that has a place already gets a node with its digits instead of the server's
    // next ones, and its token.
    using FindInheritedPosition = std::function<std::optional<InheritedPosition>(OwnerId)>;
    QueueLock(zk::SessionPtr session, LockOptions options, Rule rule, FindInheritedPosition findInheritedPosition);

    std::shared_ptr<QueueCore> m_core;
};

} // namespace lockscope::lock
