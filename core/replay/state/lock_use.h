// One use of a lock by a client, from asking and waiting to holding and releasing. A client has several uses
// at once if it holds one lock and wants another, holds the read side and wants the write side, or has
// several leases. Plain values inside ClientRow; texts point into the TraceStore. Invariants: a use has at
// most one node; it is `linked` exactly while it is in the watcher list of the node that it watches.
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

// The line of the algorithm that the client executes (see the Algorithm view).
enum class Step : std::uint8_t { none, reenter, create, list, decide, watch, sleep, hold, release, remove };

// Identifies a lock use. `number` counts the client's uses and is never reused.
struct LockUseRef
{
    ClientId client = ClientId::none();
    std::uint32_t number = 0;

    bool valid() const { return client.valid(); }
    bool operator==(const LockUseRef&) const = default;
};

struct LockUse
{
    LockId lock = LockId::none();    // the lock that it holds or waits for
    OwnerId owner = OwnerId::none(); // the client's logical thread that called acquire
    ClientPhase phase = ClientPhase::connecting;
    Step step = Step::none;
    std::uint16_t depth = 0;    // the reentrancy count that the client assumes
    bool watchesList = false;   // its watch is on the whole list of children, not on a node
    bool isStale = false;       // the client believes that it holds, but its node or session is gone
    std::uint32_t position = 0; // in the last list that it read
    Text node;                  // the name of its own node; empty = no node
    Text watches;               // the node on which the client believes it has a watch
    Zxid token = Zxid::none();
    TraceTime phaseSince{};
    TraceTime waitingSince{}; // of the current or last wait (AcquireCalled)
    TraceTime heldSince{};
    TraceTime staleSince{};                  // when isStale became true
    EventIndex phaseBy = EventIndex::none(); // the event that began the phase
    EventIndex depthBy = EventIndex::none(); // the event that last changed the depth
    EventIndex watchBy = EventIndex::none(); // the event that reported its watch as set
    EventIndex wokenBy = EventIndex::none(); // while it waits but is not asleep: the watch event
    EventIndex staleBy = EventIndex::none(); // the event that last made it stale

    // For the fold only.
    std::uint32_t number = 0;
    std::uint32_t requests = 0;                    // sent for the acquire in progress
    EventIndex acquireCalled = EventIndex::none(); // the acquire in progress
    EventIndex calledAgain = EventIndex::none();   // an acquire of a holder: a re-entry, or the other side
    EventIndex granted = EventIndex::none();
    EventIndex began = EventIndex::none();   // AcquireCalled, then Acquired: the latest use has the focus
    EventIndex asked = EventIndex::none();   // the AcquireCalled, kept while it holds; leases may share it
    EventIndex decided = EventIndex::none(); // its last Decided
    Text ahead;                              // the node that was in front of its own in that list
    // Its place in the list of the uses that watch the same node (NodeRow::firstWatcher is the head).
    LockUseRef nextWatcher;
    LockUseRef previousWatcher;
    LockId watchLock = LockId::none();
    bool linked = false;
    bool createPending = false;
    EventIndex listWatchBy = EventIndex::none(); // the request for its last list, if that set a watch
    // The event that shows that the watched node is gone, while the client has not noticed.
    EventIndex watchGoneBy = EventIndex::none();

    bool operator==(const LockUse&) const = default;

    bool waits() const
    {
        return phase == ClientPhase::joining || phase == ClientPhase::waiting ||
               (phase == ClientPhase::lost && lock.valid());
    }
    bool holds() const { return phase == ClientPhase::holding || phase == ClientPhase::releasing; }
    bool active() const { return waits() || holds(); }
    // Whether it sleeps: it does nothing before its watch fires.
    bool asleep() const { return phase == ClientPhase::waiting && (watchesList || !watches.empty()); }
};

} // namespace lockscope::replay
