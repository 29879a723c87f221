// Which files a history is read from: a server's data directory, its version-2, or single log and snapshot
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
    Zxid zxid; // of its name: a log's first transaction, a snapshot's last one
};

struct HistoryFiles
{
    std::vector<HistoryFile> logs, snapshots; // by zxid
    std::vector<Damage> damage;               // what was given or found and cannot be read
};

// True for a directory, and for a log or a snapshot by its name; "log.jsonl" is a trace and "log.toml" a
// scenario.
bool isHistory(const std::filesystem::path& path);

// Error: badInput when nothing is there that could be read, with the reason and the place.
Result<HistoryFiles> findHistoryFiles(const std::vector<std::filesystem::path>& given);
// How many bytes of logs there are to be read, about: without the room that ZooKeeper keeps at their end.
std::uint64_t dataBytes(const HistoryFiles& files);

} // namespace lockscope::history
