// The ids of the project. Client and lock ids are small and dense (they index vectors);
// a ZooKeeper session id and a zxid are the server's own 64-bit numbers.
#pragma once

#include "core/base/strong_id.h"

namespace lockscope {

using ClientId = base::StrongId<struct ClientIdTag, std::uint32_t>;
using LockId = base::StrongId<struct LockIdTag, std::uint16_t>;
using EventIndex = base::StrongId<struct EventIndexTag, std::uint32_t>;
using OwnerId = base::StrongId<struct OwnerIdTag, std::uint32_t>; // a logical thread of a client
using SessionId = base::StrongId<struct SessionIdTag, std::int64_t>;
using Zxid =
    base::StrongId<struct ZxidTag, std::int64_t>; // the czxid of a client's own node is its fencing token

} // namespace lockscope
