// Who takes part in a lock: the nodes under its path, in the order of the queue. Scheduler thread.
#pragma once

#include "core/base/error.h"
#include "core/lock/naming.h"
#include "core/zk/pending.h"

#include <string>
#include <vector>

namespace lockscope::lock {

// Empty when the path does not exist. Errors: connectionLost, sessionLost, noAuth.
zk::Task<Result<std::vector<std::string>>> listParticipants(zk::SessionPtr session, std::string path,
                                                            NodeNaming naming);

} // namespace lockscope::lock
