// A delete that is certain to hit the node that was seen. Not for the recipes: for a person who frees a lock.
#pragma once

#include "core/zk/hub.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lockscope::zk {

// One transaction (multi): deletes `path`, whatever its version, if exactly `creations` children of its
// parent have been made so far, those that are gone included (queue::creationsFrom()). Otherwise nothing
// changes, and the code is noNode with guardFailed. ZooKeeper has no such condition; what is asked is
//   1. make a sequential child of the parent, whose number is that count,
//   2. delete the child of the expected number, which is the one just made, or there is none,
//   3. delete `path`.
// It needs the right to make children of the parent: without it the code is noAuth with guardFailed; and the
// right to delete them: without it alone the code is noAuth without guardFailed. No client can list the
// child: it exists within the transaction only. Error: badArguments for a path that has over kLongestRemoved
// bytes with the session's chroot.
inline constexpr std::size_t kLongestRemoved = 380;
void removeWhile(HubSession& session, std::int32_t creations, const std::string& path,
                 UniqueFunction<void(GuardedReply)> handler);

} // namespace lockscope::zk
