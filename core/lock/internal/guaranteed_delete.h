// Deletes a node and retries until it is certainly gone (the guaranteed delete of Curator). Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/zk/pending.h"

#include <optional>
#include <string>

namespace lockscope::lock {

// Returns when the node is gone: it was deleted, it did not exist, or its session is over (it was ephemeral);
// the code says which. After an unknown outcome or a temporary refusal it tries again, with growing pauses
// and once the session is connected. It returns although the node may still exist only when a retry cannot
// help (noAuth, badArguments; CURATOR-42).
zk::Task<Answer<zk::Code>> deleteUntilGone(LockNodeClient nodeClient, std::string node, EventIndex cause);
// The same after a first delete, which was answered with `first`.
zk::Task<Answer<zk::Code>> continueDeleting(LockNodeClient nodeClient, std::string node, EventIndex cause,
                                            Answer<zk::Code> first);

// The error for a node that could not be deleted.
Error notDeletedError(const LockNodeClient& nodeClient, const std::string& node);

// deleteUntilGone(), then notDeletedError() when the node remains.
zk::Task<std::optional<Error>> guaranteedDelete(LockNodeClient nodeClient, std::string node,
                                                EventIndex cause);
// For a create whose outcome is unknown and whose caller has given up (CURATOR-45). Searches for nodes with
// this prefix and deletes them, until there is certainly none or the session is over. Only a list after a
// confirmed sync counts. Error: a node may remain, because listing the path or deleting the node is not
// permitted.
zk::Task<std::optional<Error>> findAndDelete(LockNodeClient nodeClient, std::string prefix, EventIndex cause);

// Starts `work` in a posted function; it must own everything that it uses.
void runInBackground(zk::Scheduler& scheduler, zk::Task<void> work);
// Deletes the node in the background; an error goes to the lock's onError.
void deleteInBackground(LockNodeClient nodeClient, std::string node, EventIndex cause);

// Waits until the session is connected (true) or over (false).
zk::Task<bool> waitUntilConnected(zk::SessionPtr session);
zk::Task<void> sleepFor(zk::Scheduler* scheduler, Duration pause);

} // namespace lockscope::lock
