// Translates the modes and Stats of the C client; zk::codeOf() translates its codes.
#pragma once

#include "core/zk/code.h"
#include "core/zk/session.h"

#include <zookeeper/zookeeper.h>

namespace lockscope::zk::c_client {

Stat fromC(const struct ::Stat* stat); // null gives an empty Stat
int toC(CreateMode mode);

} // namespace lockscope::zk::c_client
