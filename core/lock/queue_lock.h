// A lock whose contenders queue up as sequential nodes: the base of the mutex and of both sides of the
// read/write lock. Fair; reentrant per owner; several owners of one object queue up like different clients.
// Scheduler thread. Pending deletes continue after the object is destroyed.
#pragma once

#include "core/lock/lock_options.h"
#include "core/lock/recipe_lock.h"

namespace lockscope::lock {

struct QueueCore;
enum class Rule : std::uint8_t;

// The position that an owner inherits from the other side of a read/write lock. It also inherits the token:
// nodes created meanwhile have greater tokens and are granted later.
struct InheritedPosition
{
    std::string digits; // of the node's name
    Zxid token;
};

class QueueLock : public RecipeLock
{
public:
    // Lets other clients request the lock (requestRevocation): `callback` is called at most once per hold,
    // and the holder decides. The Revocable of Curator. Applies to acquires that begin afterwards.
    void makeRevocable(std::function<void(OwnerId)> callback);
    // The hold of this owner, if any.
    std::optional<Grant> held(OwnerId owner) const;

protected:
    // With `findInheritedPosition`, an owner that already has a position gets a node with the digits of that
    // position, instead of the server's next ones, and its token.
    using FindInheritedPosition = std::function<std::optional<InheritedPosition>(OwnerId)>;
    QueueLock(zk::SessionPtr session, LockOptions options, Rule rule,
              FindInheritedPosition findInheritedPosition);
    std::shared_ptr<QueueCore> core() const;
};

} // namespace lockscope::lock
