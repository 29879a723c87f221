// Who stands between a waiting client and its lock. Pure; any thread.
#pragma once

#include "core/replay/state/run_state.h"

namespace lockscope::ui {

// The owner of the node that the client's node waits for: the watched one, else the nearest in front of it.
// None: it does not wait, or for a client that is not known.
ClientId blockerOf(const replay::RunState& state, ClientId client);
// From blocker to blocker, over all locks, to the one that does not wait; in a deadlock, once around.
// None: the client is not blocked.
ClientId rootBlockerOf(const replay::RunState& state, ClientId client);

} // namespace lockscope::ui
