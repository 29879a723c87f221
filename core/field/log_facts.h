// What only a server's log knows of locks that were watched: why each hold ended, and since when one holds
// that was there before.
#pragma once

#include "core/base/error.h"
#include "core/field/snapshot.h"
#include "core/history/damage.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace lockscope::field {

// Reads the logs of one of the servers that were watched under `chroot` (empty: none) and fills in
// LockStatus::endsByLog, the ends that are unknown where the log has every acquisition, and the begin of holds
// that is not known exactly. Returns what could not be read. Error: badInput when nothing is there to be
// read, cancelled when `isCancelled` returns true between two pieces of a log. Blocks for as long as the
// reading takes; any thread.
Result<std::vector<history::Damage>> addLogFacts(Snapshot& snapshot,
                                                 const std::vector<std::filesystem::path>& logs,
                                                 const std::string& chroot,
                                                 const std::function<bool()>& isCancelled);

} // namespace lockscope::field
