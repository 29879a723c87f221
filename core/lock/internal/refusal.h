// After an acquire has timed out: asks who holds the lock, and says it. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/lock/participants.h"
#include "core/zk/pending.h"

#include <memory>
#include <optional>
#include <string>

namespace lockscope::lock {

// `own`: the node of the acquire, which may be deleted by now. Part of a clean-up: what it learns is in
// `refusal` when it ends, and what it cannot learn is no error.
zk::Task<std::optional<Error>> askWhoHolds(LockNodeClient nodeClient, Rule rule, std::string own,
                                           std::shared_ptr<Refusal> refusal);

// Empty when nothing is known. Names no session id.
Message describe(const Refusal& refusal);

} // namespace lockscope::lock
