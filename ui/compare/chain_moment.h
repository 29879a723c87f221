// The clients of a lock at one moment, with holders, waiters and watches: what the two chains of a comparison
// draw. A plain value, any thread.
#pragma once

#include "core/replay/state/run_state.h"

#include <QString>

#include <set>
#include <vector>

namespace lockscope::ui {

struct ChainParticipant
{
    ClientId client;
    QString name;
    std::uint16_t colour = 0;
    bool holds = false;
    bool woken = false;   // by the next release
    bool next = false;    // gets the lock after that release
    bool watches = false; // waits with a watch
    int predecessor = -1; // of a chain: the index of the client that it watches; -1: none of these
};

struct ChainMoment
{
    bool star = false;                          // every waiter watches the same node
    QString watchedName;                        // of a star: the watched node
    QString holder;                             // its name; empty when the lock is free
    QString next;                               // the next holder's name; empty when not known
    std::vector<ChainParticipant> participants; // in the order of the queue
    std::size_t waiting = 0;
    std::size_t woken = 0;
};

ChainMoment chainMoment(const replay::RunState& state, LockId lock, const std::set<ClientId>& woken,
                        ClientId next = ClientId::none());

} // namespace lockscope::ui
