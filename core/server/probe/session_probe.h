// Answers "does this server take sessions?" by making one: the ZooKeeper handshake over a plain socket, then
// an orderly close. Needs no client library. Any thread; blocks the caller until the deadline at the latest.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <string>

namespace lockscope::server {

// Error: noServer when no session could be made by then.
Result<void> probeSession(const std::string& address, MonotonicTime deadline);

} // namespace lockscope::server
