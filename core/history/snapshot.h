// Reads a snapshot of ZooKeeper's tree: its ephemeral nodes, which locks consist of. Plain or compressed by gzip. A
// snapshot is used only if it is complete and its checksums are right. Blocks as read(2) does; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/history/damage.h"
#include "core/history/lock_event.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lockscope::history {

using SnapshotNodes = std::vector<SnapshotNode>;

// nullopt: `damage` says why.
std::optional<SnapshotNodes> readSnapshot(const std::filesystem::path& path, Damage& damage);

} // namespace lockscope::history
