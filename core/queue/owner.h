// What an ephemeralOwner means, and whose words the data of a node are. Pure; any thread.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::queue {

enum class OwnerKind : std::uint8_t { session, persistent, container, ttl };

// The kind of a stored ephemeralOwner (org.apache.zookeeper.server.EphemeralType). `extendedTypes`: whether
// zookeeper.extendedTypesEnabled is known to be set. Without that, a top byte of ones is a session that the
// server with the id 255 has opened.
constexpr OwnerKind ownerKindOf(std::int64_t owner, bool extendedTypes = false)
{
    const auto bits = static_cast<std::uint64_t>(owner);
    if (bits == 0)
        return OwnerKind::persistent;
    if (bits == std::uint64_t{1} << 63)
        return OwnerKind::container;
    return extendedTypes && bits >> 56 == 0xff ? OwnerKind::ttl : OwnerKind::session;
}

// The host that node data names: Curator writes an address, LockScope "HOST PID NAME". Empty for anything
// else.
std::string identityOf(std::string_view data);
// LockScope's announcement that the node's session holds the lock.
bool isAnnouncement(std::string_view data);
// Whether the data of a node are its owner's words: written when the node was created, or the announcement.
// Any client may write to a node later.
inline bool isOwnersWord(Zxid created, Zxid modified, std::string_view data)
{
    return created == modified || isAnnouncement(data);
}

} // namespace lockscope::queue
