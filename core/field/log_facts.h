// Adds what only a server's log shows about watched locks: why each hold ended, and when a hold began that is
// older than the watch.
#pragma once

#include "core/base/error.h"
#include "core/field/snapshot.h"
#include "core/history/damage.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace lockscope::field {

// Reads the logs of one of the servers that were watched under `chroot` (empty: none). Fills in
// LockStatus::endsByLog; also the unknown ends, if the log has every acquisition, and the begin of holds for
// which it is not known exactly. Returns what could not be read. Error: badInput if there is nothing to read,
// cancelled if `isCancelled` returns true between two pieces of a log. Blocks for as long as the reading
// takes; any thread.
Result<std::vector<history::Damage>> addLogFacts(Snapshot& snapshot,
                                                 const std::vector<std::filesystem::path>& logs,
                                                 const std::string& chroot,
                                                 const std::function<bool()>& isCancelled);

} // namespace lockscope::field
