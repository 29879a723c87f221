// Parses the name of a lock's child: which library made the node, the node's purpose, and where the text begins by
// which that library orders the children. Pure; any thread.
//   curator    _c_UUID-lock-%010d, __READ__, __WRIT__, latch-; lease- under a semaphore's leases; LockScope's own nodes
//   goZk       _c_ and 32 hexadecimal digits, -lock-%010d
//   kazoo      32 hexadecimal digits, __lock__%010d or __rlock__%010d; a semaphore's lease is these digits alone
//   zooKeeper  x-SESSION-%010d, the recipe that comes with ZooKeeper
#pragma once

#include "core/trace/event.h"

#include <cstddef>

namespace lockscope::trace {

enum class LockLibrary : std::uint8_t { none, curator, goZk, kazoo, zooKeeper };
// none: not a lock node. lock: an exclusive lock. read, write: a read/write lock. lease: one of a semaphore's.
enum class NodeKind : std::uint8_t { none, lock, read, write, lease };

struct NodeName
{
    LockLibrary library = LockLibrary::none;
    NodeKind kind = NodeKind::none;
    std::size_t sortKeyOffset = 0; // of the number; 0 = the whole name, which has no number
    bool numbered = false; // the key is ten digits, so that it sorts like its number

    bool operator==(const NodeName&) const = default;
};
NodeName parseNodeName(Text name);

} // namespace lockscope::trace
