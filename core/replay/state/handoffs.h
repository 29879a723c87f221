// The handoffs of a lock between clients: what the fold remembers to find them, and what it finds. Plain
// values; texts point into the TraceStore.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockscope::replay {

struct Handoff
{
    LockId lock = LockId::none();
    ClientId from = ClientId::none();
    ClientId to = ClientId::none();
    TraceTime released{};  // ReleaseCalled (or SessionGone): where the arrow starts
    TraceTime requested{}; // the delete was sent; = released if unknown
    TraceTime committed{}; // earliest proof that the node is gone (reply or watch event)
    TraceTime woken{};     // the next holder's watch fired; = acquired if it never slept
    TraceTime listed{};    // the list request was sent; = woken with announced handoff
    TraceTime answered{};  // the list arrived; = listed if there was none
    TraceTime acquired{};  // where the arrow ends
    EventIndex releaseEvent = EventIndex::none();
    EventIndex wokenEvent = EventIndex::none();
    EventIndex acquiredEvent = EventIndex::none();
    EventIndex requestEvent = EventIndex::none(); // these are none if unknown, or without such an event
    EventIndex commitEvent = EventIndex::none();
    EventIndex listEvent = EventIndex::none();
    EventIndex answerEvent = EventIndex::none();
    bool paused = false;     // the run was paused during the handoff: excluded from statistics
    std::uint32_t ended = 0; // the number of the ended hold before it: for Timeline::wakeUps()
    Duration latency() const { return acquired - released; }
};

// A hold that its client gave up or that was taken away.
struct EndedHold
{
    ClientId client = ClientId::none();
    trace::Text node;
    TraceTime at{};
    EventIndex event = EventIndex::none();
    EventIndex goneBy = EventIndex::none(); // the first proof that the node is gone
    TraceTime requested = kForever;         // the delete was sent
    TraceTime committed = kForever;         // earliest reply or watch event that says that the node is gone
    EventIndex requestedBy = EventIndex::none();
    EventIndex committedBy = EventIndex::none();
    std::uint32_t number = 0; // counts all ended holds of the run
    bool handedOver = false;  // some client got the lock because of it

    bool operator==(const EndedHold&) const = default;
};

struct LockHandoffs
{
    // At least so many holds: several of a lock with several holders may await a successor, older ones are
    // assumed to have none.
    static constexpr std::size_t kRemembered = 16;

    std::vector<EndedHold> ended;     // the last ones; the newest last
    std::vector<trace::Text> foreign; // the last nodes of other programs
    std::uint32_t holders = 0;        // that have not given up

    EndedHold* find(trace::Text node); // the newest; null if none
    bool operator==(const LockHandoffs&) const = default;
};

} // namespace lockscope::replay
