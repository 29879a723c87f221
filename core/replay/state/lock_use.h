// What a client has to do with one lock: it asks for it, waits, holds, gives it back. A client has several at
// once when it holds one lock and wants another, holds the read and wants the write side, or has several
// leases. Plain values inside ClientRow; texts point into the TraceStore.
// Invariants: at most one node each; `linked` exactly while it is in the watcher list of the node it watches.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event.h"

#include <cstdint>

namespace lockscope::replay {

using trace::Text;

// What the client believes it is doing. The order has no meaning.
enum class ClientPhase : std::uint8_t {
    connecting,
    idle,
    thinking,
    joining /* acquire called, not yet asleep or holding */,
    waiting /* asleep on its watch */,
    holding,
    releasing /* delete sent, not confirmed */,
    lost /* its session is lost */,
    finished,
    removed
};

// The line of the algorithm a client is at (see the Algorithm view).
enum class Step : std::uint8_t { none, reenter, create, list, decide, watch, sleep, hold, release, remove };

// Which one: `number` is the client's own count of them and never used again.
struct LockUseRef
{
    ClientId client = ClientId::none();
    std::uint32_t number = 0;

    bool valid() const { return client.valid(); }
    bool operator==(const LockUseRef&) const = default;
};

struct LockUse
{
    LockId lock = LockId::none();    // that it holds or waits for
    OwnerId owner = OwnerId::none(); // the client's logical thread that called acquire
    ClientPhase phase = ClientPhase::connecting;
    Step step = Step::none;
    std::uint16_t depth = 0;    // reentrancy count it believes in
    bool watchesList = false;   // its watch is on the whole list of children, not on a node
    bool isStale = false;       // the server dropped its node or session and it still believes to hold: stale
    std::uint32_t position = 0; // in the last list it read
    Text node;                  // its own node's name, empty when it has none
    Text watches;               // the node it has a watch on, as it believes
    Zxid token = Zxid::none();
    TraceTime phaseSince{};
    TraceTime waitingSince{}; // of the current or last wait (AcquireCalled)
    TraceTime heldSince{};
    TraceTime staleSince{};                  // when isStale became true
    EventIndex phaseBy = EventIndex::none(); // the event that began the phase
    EventIndex depthBy = EventIndex::none(); // that changed the depth last
    EventIndex watchBy = EventIndex::none(); // that said its watch is set
    EventIndex wokenBy = EventIndex::none(); // while it waits and is not asleep: the watch that fired

    // The fold's own.
    std::uint32_t number = 0;
    std::uint32_t requests = 0;                    // sent for the acquire that goes on
    EventIndex acquireCalled = EventIndex::none(); // the acquire that goes on
    EventIndex calledAgain = EventIndex::none();   // an acquire by who holds: a re-entry, or the other side
    EventIndex granted = EventIndex::none();
    EventIndex began = EventIndex::none();   // AcquireCalled, then Acquired: the youngest has the focus
    EventIndex asked = EventIndex::none();   // the AcquireCalled, kept through the hold: leases of one grant
    EventIndex decided = EventIndex::none(); // its last look at a list
    Text ahead;                              // what that list had in front of it
    // Its place in the list of those who watch the same node (NodeRow::firstWatcher starts it).
    LockUseRef nextWatcher;
    LockUseRef previousWatcher;
    LockId watchLock = LockId::none();
    bool linked = false;
    bool createPending = false;
    EventIndex listWatchBy = EventIndex::none(); // its last list, when it was asked for with a watch
    // The node it watches is gone and it has not noticed yet; the event that says so.
    EventIndex watchGoneBy = EventIndex::none();

    bool operator==(const LockUse&) const = default;

    bool waits() const
    {
        return phase == ClientPhase::joining || phase == ClientPhase::waiting ||
               (phase == ClientPhase::lost && lock.valid());
    }
    bool holds() const { return phase == ClientPhase::holding || phase == ClientPhase::releasing; }
    bool active() const { return waits() || holds(); }
    // It sleeps: nothing goes on before its watch fires.
    bool asleep() const { return phase == ClientPhase::waiting && (watchesList || !watches.empty()); }
};

} // namespace lockscope::replay
