// Who holds a lock, who waits for it and who watches whom at one moment: what the two chains of a comparison
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
    bool woken = false;   // by the release that comes next
    bool next = false;    // gets the lock after that release
    bool watches = false; // sleeps on a watch
    int predecessor = -1;       // of a chain: the index of whom it watches; -1 for nobody here
};

struct ChainMoment
{
    bool star = false;               // everybody watches one thing
    QString watchedName;                   // of a star: what is watched
    QString holder;                  // its name; empty when nobody holds
    QString next;                    // who gets it then; empty when not known
    std::vector<ChainParticipant> participants; // in the order of the queue
    std::size_t waiting = 0;
    std::size_t woken = 0;
};

ChainMoment chainMoment(const replay::RunState& state, LockId lock, const std::set<ClientId>& woken,
                        ClientId next = ClientId::none());

} // namespace lockscope::ui
