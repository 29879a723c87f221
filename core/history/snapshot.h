// Reads a snapshot of ZooKeeper's tree: its ephemeral nodes, which locks consist of. Plain or compressed by
// gzip. A snapshot is used only if it is complete and its checksums are right. Blocks as read(2) does; any
// thread.
#pragma once

#include "core/base/ids.h"
#include "core/history/damage.h"
#include "core/history/lock_event.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::history {

using SnapshotNodes = std::vector<SnapshotNode>;

// All nodes and sessions of a snapshot, to tell whether a transaction is part of what led to it.
struct SnapshotTree
{
    struct Node
    {
        Zxid created;
        std::int32_t cversion = 0;
    };
    boost::unordered_flat_map<std::size_t, Node> nodes; // by the hash of the path
    boost::unordered_flat_set<std::int64_t> sessions;
    std::vector<Zxid> changed; // the newest change of each epoch that still shows in a node

    const Node* find(std::string_view path) const;
};

// nullopt: `damage` says why. Fills `tree`, if it is given.
std::optional<SnapshotNodes> readSnapshot(const std::filesystem::path& path, Damage& damage,
                                          SnapshotTree* tree = nullptr);

} // namespace lockscope::history
