// The seven rules. The fold tells what happens at one event, the judge writes it into the findings.
// Each rule stands beside its function in judge.cpp, with the orders of events that it must tolerate.
// Lives for one event; one thread.
#pragma once

#include "core/replay/run_state.h"

#include <string>

namespace lockscope::replay {

class Judge
{
public:
    Judge(RunState& state, EventIndex index, TraceTime at)
        : m_state(state)
        , m_index(index)
        , m_at(at)
    {}

    // A grant, before the rows say so. `place` is its node's index in the queue, or node_queue::kNowhere.
    void granted(const LockRow& lock, LockBook& book, ClientId client, std::size_t place, Text node,
                 Zxid token);
    // The resource let the client in while somebody was inside, with this token.
    void conflict(const LockBook& book, ClientId client, Zxid otherToken);

    void woken(Text node, std::uint32_t woken, ClientId client, EventIndex against);
    void wakeUpNoticed();
    void nodeEnded();

    void staleBegins(ClientId client);
    void staleChanged(ClientId client); // ended, or its token was refused

    void clientAtRest(ClientId client);
    void runAtRest();

private:
    void oneHolder(const LockBook& book, ClientId client, Text node);
    void orderKept(const LockRow& lock, ClientId client, std::size_t place);
    void tokensIncrease(LockBook& book, ClientId client, Text node, Zxid token);
    void checked(FindingKind kind);
    void violated(FindingKind kind, ClientId client, EventIndex against, std::string detail);
    std::string name(ClientId client) const;
    bool stale(ClientId client) const;
    ClientId insideWith(const LockBook& book, ClientId client, Zxid otherToken) const;
    bool isOrphan(const NodeRow& node) const;

    RunState& m_state;
    EventIndex m_index;
    TraceTime m_at;
};

} // namespace lockscope::replay
