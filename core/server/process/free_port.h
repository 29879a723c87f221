// Ports of the loopback address. Any thread; what is free now may be taken a moment later.
#pragma once

#include "core/base/error.h"

#include <cstdint>

#include <sys/types.h>

namespace lockscope::server {

bool isLoopbackPortFree(std::uint16_t port);

// Whether this process is the one that listens on the port of 127.0.0.1. True when the kernel does not tell.
bool isListeningOnLoopback(pid_t process, std::uint16_t port);

// A free port, below the range the kernel gives to outgoing connections when there is room. A server that is
// down for a moment then finds its port free again: inside that range a reconnecting client's own connection
// may get it, or even connect to itself. Error: limitExceeded.
Result<std::uint16_t> pickFreePort();

} // namespace lockscope::server
