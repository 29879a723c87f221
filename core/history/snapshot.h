// A snapshot of ZooKeeper's tree: its ephemeral nodes, which are what locks are made of. Plain or compressed by gzip. It is
// used only when it is whole and its checksums are right. Blocks as read(2) does; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/history/damage.h"
#include "core/history/lock_table.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lockscope::history {

struct Snapshot
{
    std::vector<LockTable::SnapshotNode> ephemerals;
    std::vector<SessionId> sessions;
    std::uint64_t nodes = 0; // all of them
};

// None: `damage` says why.
std::optional<Snapshot> readSnapshot(const std::filesystem::path& path, Damage& damage);

} // namespace lockscope::history
