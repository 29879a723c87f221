// Finds the files that a history is read from: a server's data directory, its version-2, or single log and
// snapshot files, in any order, of one server or several of an ensemble. A file is known by its content, also
// if it was renamed or compressed by gzip; one that only has the name of a log or snapshot is recorded as
// damage. Blocks as the file system does; any thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/history/damage.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

namespace lockscope::history {

struct HistoryFile
{
    std::filesystem::path path;
    // Of a log: its first transaction's, which its name only repeats; without one, or if it is damaged, the
    // name's. Of a snapshot: in its name, the last transaction that it is sure to have.
    Zxid zxid;
};

struct HistoryFiles
{
    std::vector<HistoryFile> logs, snapshots; // by zxid; the latter are not read yet
    std::vector<Damage> damage;               // paths that were given or found but cannot be read
};

// True for a directory, and for a file named like a log or a snapshot, except "log.jsonl" (a trace) and
// "log.toml" (a scenario).
bool isHistory(const std::filesystem::path& path);

// Error: badInput if no file can be read, with the reason and the place.
// `known`: files that are left out.
Result<HistoryFiles> findHistoryFiles(const std::vector<std::filesystem::path>& given,
                                      const std::set<std::filesystem::path>& known = {});
// The approximate number of log bytes to read, without the space that ZooKeeper preallocates at the end of a
// log.
std::uint64_t dataBytes(const HistoryFiles& files);

} // namespace lockscope::history
