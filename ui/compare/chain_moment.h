// The queue of a lock just before a release, and the clients that it woke: as the two chains of a
// comparison show them. A plain value, any thread.
#pragma once

#include "core/replay/state/run_state.h"
#include "core/trace/store.h"

#include <QString>

#include <memory>
#include <set>

namespace lockscope::ui {

struct ChainMoment
{
    std::shared_ptr<const trace::TraceStore> store; // the state's texts point into it
    replay::RunState state;
    LockId lock = LockId::none();
    std::set<ClientId> woken;         // waiting clients that the release wakes
    ClientId next = ClientId::none(); // the waiting client that gets the lock next
    bool star = false;                // every waiter watches the same node
    QString holderName, nextName;     // empty when there is none
    std::size_t waiting = 0;
    std::size_t watching = 0; // waiting clients that sleep on a watch
};

// Keeps only waiting clients of `woken` and `next`.
ChainMoment chainMoment(std::shared_ptr<const trace::TraceStore> store, const replay::RunState& state,
                        LockId lock, const std::set<ClientId>& woken, ClientId next = ClientId::none());

} // namespace lockscope::ui
