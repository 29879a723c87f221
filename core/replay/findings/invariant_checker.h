// The rules of the findings. The fold reports what happens at one event; the checker counts it in the
// findings. The rule of each function, and the orders of events that the rule must tolerate, are documented
// at its definition: invariant_checker.cpp (grants, tokens and beliefs), invariant_checker_nodes.cpp
// (watches, deadlocks and the end of clients and of the run), deadlock.h. Lives for one event; one thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <string>

namespace lockscope::replay {

class InvariantChecker
{
public:
    InvariantChecker(RunState& state, EventIndex index, TraceTime at)
        : m_state(state)
        , m_index(index)
        , m_at(at)
    {}

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

private:
    void oneHolder(const LockBookkeeping& book, ClientId client, const LockUse& one, Text node,
                   OwnerId owner);
    void enoughPermits(const LockRow& lock, const LockBookkeeping& book, ClientId client, const LockUse& one);
    void orderKept(const LockRow& lock, ClientId client, std::size_t place);
    void tokensIncrease(LockBookkeeping& book, ClientId client, Text node, Zxid token);
    void tokensOfGrant(LockBookkeeping& book, ClientId client, EventIndex asked, Zxid token);
    bool inheritsToken(LockId lock, ClientId client, const LockUse& one, const trace::Acquired& grant) const;
    void notAbove(ClientId client, Zxid token, const HighestToken& before);
    void checked(FindingKind kind);
    void violated(FindingKind kind, ClientId client, EventIndex against, Message sentence);
    Message name(ClientId client) const;
    Message staleText(ClientId client, const LockUse& hold) const;
    bool stale(LockUseRef ref) const;
    ClientId insideWith(const LockBookkeeping& book, ClientId client, Zxid otherToken) const;
    bool isOrphan(const NodeRow& node) const;
    void unknownAtRest(const ClientRow& row);
    void atRest(ClientId client, const LockUse& one);
    void stillAsleep(const ClientRow& row, const LockUse& one);

    RunState& m_state;
    EventIndex m_index;
    TraceTime m_at;
};

} // namespace lockscope::replay
