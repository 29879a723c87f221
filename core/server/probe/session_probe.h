// Checks that a server accepts sessions, by a ZooKeeper handshake over a plain socket and an orderly close.
// Needs no client library. Any thread; blocks until the deadline at the latest.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <string>

namespace lockscope::server {

// Error: noServer when there was no session by the deadline, closed when the server closed the connection.
Result<void> probeSession(const std::string& address, MonotonicTime deadline);

// True if the server closes a connection before a byte was sent on it, as a ZooKeeper does when its limit of
// connections from one address is reached. Any thread, blocks for `limit` at most.
bool closesConnectionsAtOnce(const std::string& address, Duration limit);

} // namespace lockscope::server
