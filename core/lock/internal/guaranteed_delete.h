// Deletes a node until it is certain that it is gone (the guaranteed delete of Curator). Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"
#include "core/zk/pending.h"

#include <optional>
#include <string>

namespace lockscope::lock {

// Returns when the node is gone: it was deleted, did not exist, or its session is over (it was ephemeral); the code
// says which. After an unknown outcome it tries again once the session is connected, after other refusals with
// growing pauses. It returns with the node still there only when a retry cannot help (noAuth, badArguments;
// CURATOR-42).
zk::Task<Answer<zk::Code>> deleteUntilGone(LockNodeClient nodeClient, std::string node, EventIndex cause);
// The same after a first delete, whose answer is given.
zk::Task<Answer<zk::Code>> continueDeleting(LockNodeClient nodeClient, std::string node, EventIndex cause,
                                        Answer<zk::Code> first);

// The error for a node that could not be deleted.
Error notDeletedError(const LockNodeClient& nodeClient, const std::string& node);

// deleteUntilGone() with that error.
zk::Task<std::optional<Error>> guaranteedDelete(LockNodeClient nodeClient, std::string node, EventIndex cause);
// For a create whose outcome is unknown and whose caller has given up (CURATOR-45). Searches for a node with this
// prefix and deletes it, until it is certain that there is none or the session is over. Only a list after a confirmed
// sync counts. Error: a node may remain, because the path may not be listed or the node not be deleted.
zk::Task<std::optional<Error>> findAndDelete(LockNodeClient nodeClient, std::string prefix, EventIndex cause);

// Starts `work`, which must own everything that it uses.
void runInBackground(zk::Scheduler& scheduler, zk::Task<void> work);
// Deletes the node in the background; an error goes to the lock's onError.
void deleteInBackground(LockNodeClient nodeClient, std::string node, EventIndex cause);

// Waits until the session is connected (true) or over (false).
zk::Task<bool> waitUntilConnected(zk::SessionPtr session);
zk::Task<void> sleepFor(zk::Scheduler* scheduler, Duration pause);

} // namespace lockscope::lock
