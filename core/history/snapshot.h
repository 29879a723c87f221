// A snapshot of ZooKeeper's tree: its ephemeral nodes, which are what locks are made of. Plain or compressed by gzip. It is
// used only when it is whole and its checksums are right. Blocks as read(2) does; any thread.
#pragma once

#include "core/base/ids.h"
#include "core/history/damage.h"
#include "core/history/lock_event.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace lockscope::history {

using SnapshotNodes = std::vector<SnapshotNode>;

// None: `damage` says why.
std::optional<SnapshotNodes> readSnapshot(const std::filesystem::path& path, Damage& damage);

} // namespace lockscope::history
