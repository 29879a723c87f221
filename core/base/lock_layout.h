// What the recipes write into ZooKeeper, for those who recognise it without including them.
#pragma once

#include <string_view>

namespace lockscope {

// Curator's semaphore: the leases <path>/leases/..., entered through the lock <path>/locks.
inline constexpr std::string_view kLeasesSuffix = "/leases";
inline constexpr std::string_view kMutexSuffix = "/locks";
// All of the data by which Curator's Revoker requests a lock.
inline constexpr std::string_view kRevokeMessage = "__REVOKE__";

} // namespace lockscope
