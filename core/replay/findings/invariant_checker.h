// The rules of the findings. The fold reports what happens at one event; the checker counts it in the
// findings. The rule of each function, and the orders of events that the rule must tolerate, are documented
// at its definition: invariant_checker.cpp (grants, tokens and beliefs), invariant_checker_nodes.cpp
// (watches, deadlocks and the end of clients and of the run), deadlock.h. Lives for one event; one thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <string>

namespace lockscope::replay {

struct InvariantChecker
{
    RunState& state;
    EventIndex index; // of the event
    TraceTime at;

    // A grant, called before the rows are updated: `one` is the use that gets the lock, `grant` has its new
    // values. `place` is the index of its node in the queue, or node_queue::kNotFound.
    void granted(const LockRow& lock, LockBookkeeping& book, ClientId client, const LockUse& one,
                 std::size_t place, const trace::Acquired& grant, bool lease);
    // The protected resource let the client in while another client, with this token, was inside.
    void conflict(const LockBookkeeping& book, ClientId client, Zxid otherToken);
    void staleBegins(ClientId client, const LockUse& hold);
    void staleChanged(ClientId client,
                      const LockUse& hold); // it ended, its cause is known, or its token was refused

    void nodeEnded();
    // A hold in the server's log ended. expired: because its session expired.
    void holdEndedOnServer(ClientId client, const NodeRow& node, bool expired);
    void clientAtRest(ClientId client);
    void runAtRest();

    void woken(Text node, std::uint32_t all, std::uint32_t woken, ClientId client, EventIndex against);
    void wakeUpNoticed();
    void existsWatched(ClientId client, Text node, bool isThere, EventIndex request);

    void locksChanged();
    void waitBegan(ClientId client, const LockUse& one); // called after the rows show that it sleeps
    void recheckDeadlock();

    // For the rules.
    void checked(FindingKind kind);
    void violated(FindingKind kind, ClientId client, EventIndex against, Message sentence);
    Message name(ClientId client) const;
};

} // namespace lockscope::replay
