// Finds clients that wait for each other in a circle, across all locks. A sleeping client waits for the owner
// of the node it watches; a client that wants a lease of a semaphore waits for all holders of a lease. An
// unknown owner is assumed to make progress. Pure functions on a state.
#pragma once

#include "core/replay/state/run_state.h"

#include <vector>

namespace lockscope::replay {

struct WaitEdge
{
    ClientId client; // the one that waits
    ClientId next;   // the one it waits for
    LockId lock;     // the lock on which it waits
};

// The circle that contains this client, beginning with it; empty if there is no circle. O(clients and waits
// that can be reached).
std::vector<WaitEdge> findDeadlock(const RunState& state, ClientId client);
// Whether every client still waits for the next one, and the last one for the first.
bool isDeadlocked(const RunState& state, const std::vector<ClientId>& circle);
// A circle of the same acquires has the same fingerprint, with whichever client it begins.
std::uint64_t fingerprint(const RunState& state, const std::vector<WaitEdge>& circle);
Message describeDeadlock(const RunState& state, const std::vector<WaitEdge>& circle);

} // namespace lockscope::replay
