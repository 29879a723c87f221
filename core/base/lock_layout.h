// The names and data that recipes write to ZooKeeper, for code that recognizes them without including the recipes.
#pragma once

#include <string_view>

namespace lockscope {

// Curator's semaphore: the leases <path>/leases/..., entered through the lock <path>/locks.
inline constexpr std::string_view kLeasesSuffix = "/leases";
inline constexpr std::string_view kMutexSuffix = "/locks";
// The complete node data by which Curator's Revoker asks the holder to release a lock.
inline constexpr std::string_view kRevokeMessage = "__REVOKE__";

} // namespace lockscope
