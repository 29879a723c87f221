// Ports of the loopback address. Any thread. A port that is free now may be taken by another program at any
// time.
#pragma once

#include "core/base/error.h"

#include <cstdint>

#include <sys/types.h>

namespace lockscope::server {

bool isLoopbackPortFree(std::uint16_t port);

// True if this process listens on the port of 127.0.0.1, or if /proc does not show whether it does.
bool isListeningOnLoopback(pid_t process, std::uint16_t port);

// A free port, if possible below the range for outgoing connections. Inside that range, a client that
// reconnects while the server is down may get the server's port for its own end, or even connect to itself.
// Error: limitExceeded.
Result<std::uint16_t> pickFreePort();

} // namespace lockscope::server
