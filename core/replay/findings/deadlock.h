// Clients that wait for each other in a circle, over all locks together. A client that sleeps waits for the
// owner of the node it watches; for a lease of a semaphore, it waits for all holders of one. An unknown owner
// is taken to make progress. Pure functions on a state.
#pragma once

#include "core/replay/state/run_state.h"

#include <vector>

namespace lockscope::replay {

struct WaitEdge
{
    ClientId client; // waits for
    ClientId next;
    LockId lock; // on this one
};

// The circle that goes through this client, beginning with it; empty when there is none. O(clients and waits
// that can be reached).
std::vector<WaitEdge> findDeadlock(const RunState& state, ClientId client);
// Whether every client still waits for the next one, the last for the first.
bool isDeadlocked(const RunState& state, const std::vector<ClientId>& circle);
// The same acquires that wait for each other have the same fingerprint, in any order.
std::uint64_t fingerprint(const RunState& state, const std::vector<WaitEdge>& circle);
Message describeDeadlock(const RunState& state, const std::vector<WaitEdge>& circle);

} // namespace lockscope::replay
