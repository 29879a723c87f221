// The words that recipes write into names and data, as far as code recognizes them. Constants; any thread.
#pragma once

#include <string_view>

namespace lockscope::queue {

// Curator's semaphore: the leases <path>/leases/..., entered through the lock <path>/locks.
inline constexpr std::string_view kLeasesSuffix = "/leases";
inline constexpr std::string_view kMutexSuffix = "/locks";
// kazoo's semaphore: the lease <path>/<32 hexadecimal digits>, entered through the lock <path>-__lock__.
inline constexpr std::string_view kKazooMutexSuffix = "-__lock__";
// The complete node data by which Curator's Revoker asks the holder to release a lock.
inline constexpr std::string_view kRevokeMessage = "__REVOKE__";
// ClickHouse: the leader shares its place with every replica of this kind.
inline constexpr std::string_view kManyLeaders = "(multiple leaders Ok)";
// A LockScope holder announces its hold by data that ends in this, after a space if the node has other data.
inline constexpr std::string_view kAnnouncement = "__HOLDS__";

} // namespace lockscope::queue
