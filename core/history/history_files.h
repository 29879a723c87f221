// Finds the files that a history is read from: a server's data directory, its version-2, or single log and snapshot
// files, in any order. Blocks as the file system does; any thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/history/damage.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lockscope::history {

struct HistoryFile
{
    std::filesystem::path path;
    Zxid zxid; // in its name: of a log's first transaction, of a snapshot's last one
};

struct HistoryFiles
{
    std::vector<HistoryFile> logs, snapshots; // by zxid
    std::vector<Damage> damage;               // paths that were given or found but cannot be read
};

// True for a directory, and for a file named like a log or a snapshot, except "log.jsonl" (a trace) and "log.toml" (a
// scenario).
bool isHistory(const std::filesystem::path& path);

// Error: badInput if no file can be read, with the reason and the place.
Result<HistoryFiles> findHistoryFiles(const std::vector<std::filesystem::path>& given);
// The approximate number of log bytes to read, without the space that ZooKeeper preallocates at the end of a log.
std::uint64_t dataBytes(const HistoryFiles& files);

} // namespace lockscope::history
