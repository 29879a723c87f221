// Checks that a server accepts sessions, by a ZooKeeper handshake over a plain socket and an orderly close.
// Needs no client library. Any thread; blocks until the deadline at the latest.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <string>

namespace lockscope::server {

// Error: noServer when there was no session by the deadline.
Result<void> probeSession(const std::string& address, MonotonicTime deadline);

} // namespace lockscope::server
