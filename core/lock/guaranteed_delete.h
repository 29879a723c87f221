// Deleting a node until it is certain that it is gone (Curator's guaranteed delete). Scheduler thread.
#pragma once

#include "core/lock/lock_node_client.h"
#include "core/zk/pending.h"

#include <optional>
#include <string>

namespace lockscope::lock {

// Returns when the node is gone: deleted, was not there, or its session is over (it was ephemeral); the code
// says which. An unknown outcome is tried again once the session is connected; other refusals with growing
// pauses. Only when it may never be deleted (noAuth, badArguments) it returns with the node still there
// (CURATOR-42).
zk::Task<Answer<zk::Code>> deleteUntilGone(LockNodeClient nodeClient, std::string node, EventIndex cause);
// The same for whoever sent the first delete, with its answer.
zk::Task<Answer<zk::Code>> continueDeleting(LockNodeClient nodeClient, std::string node, EventIndex cause,
                                        Answer<zk::Code> first);

// The error for a node that is still there then.
Error notDeletedError(const LockNodeClient& nodeClient, const std::string& node);

// deleteUntilGone() with that error.
zk::Task<std::optional<Error>> guaranteedDelete(LockNodeClient nodeClient, std::string node, EventIndex cause);
// For a create whose outcome is unknown and whose caller has given up (CURATOR-45): looks for the node that
// starts with this prefix and deletes it, until it is certain that there is none or the session is over; certain is a
// list after a sync that the server has confirmed. An error when one may stay, because the path may not be listed or
// the node not be deleted.
zk::Task<std::optional<Error>> findAndDelete(LockNodeClient nodeClient, std::string prefix, EventIndex cause);

// Work that goes on by itself; whatever it uses, it holds.
void runInBackground(zk::Scheduler& scheduler, zk::Task<void> work);
// Deletes the node in the background; an error goes to the lock's onError.
void deleteInBackground(LockNodeClient nodeClient, std::string node, EventIndex cause);

// Waits until the session is connected (true) or over (false).
zk::Task<bool> waitUntilConnected(zk::SessionPtr session);
zk::Task<void> sleepFor(zk::Scheduler* scheduler, Duration pause);

} // namespace lockscope::lock
