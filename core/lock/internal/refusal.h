// After an acquire has timed out: asks who holds the lock, and says it. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/lock/participants.h"
#include "core/zk/pending.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lockscope::lock {

// `own`: the node of the acquire, which may be deleted by now. Part of a clean-up: what it learns is in
// `refusal` when it ends, and what it cannot learn is no error.
zk::Task<std::optional<Error>> askWhoHolds(LockNodeClient nodeClient, Rule rule, std::string own,
                                           std::shared_ptr<Refusal> refusal);

// What the last acquires that timed out have learned.
class Refusals
{
public:
    bool wanted = false;
    // When something was learned; returns the error that says it.
    Error keep(OwnerId owner, Error error, const Refusal& learned);
    std::optional<Refusal> take(OwnerId owner);

private:
    std::map<OwnerId, Refusal> m_all; // bounded
};

// Sorts behind all nodes: what may be asked by who has none.
inline std::string behindAll(const NodeNaming& naming) { return naming.lockName + "~"; }

} // namespace lockscope::lock
