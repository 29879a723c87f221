// What the fold remembers beside the rows that views show: who watches what, which nodes went lately, who
// believes to hold. A plain value inside RunState, kept by the reducer alone; views have no use for it.
// Invariants: clients and locks have the size of RunState's; a client is in a node's watcher list exactly
// when its `linked` is true.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event.h"

#include <cstdint>
#include <vector>

namespace lockscope::replay {

struct ClientBook
{
    // The client's next acquire or last grant, as events.
    EventIndex acquireCalled = EventIndex::none();
    EventIndex granted = EventIndex::none();
    // Its place in the list of those who watch the same node (NodeRow::firstWatcher starts it).
    ClientId nextWatcher = ClientId::none();
    ClientId previousWatcher = ClientId::none();
    LockId watchLock = LockId::none();
    bool linked = false;
    // The node it watches is gone and it has not noticed yet; the event that says so.
    EventIndex watchGoneBy = EventIndex::none();
    bool createPending = false;
    bool doomed = false; // a what-if was aimed at its session: the end may be seen before it is recorded
    bool thawed = false; // after a freeze: doomed until the server answers it again
    bool staleBySession = false; // its session went, not its node alone
    bool staleHold = false;      // its last hold was stale at its end, or is
    bool lostHold = false;       // its last hold was lost, not released
    bool refused = false;        // its token was refused since its grant
    SessionId goneSession = SessionId::none();
    EventIndex goneSessionBy = EventIndex::none();

    bool operator==(const ClientBook&) const = default;
};

// A node that is gone: late events about it (a reply, a watch, a slow observer) are still told apart.
struct GoneNode
{
    trace::Text name;
    std::int64_t sequence = -1;
    ClientId owner = ClientId::none();
    EventIndex by = EventIndex::none();
    ClientId firstWoken = ClientId::none();
    std::uint32_t woken = 0;
    std::uint32_t readersWoken = 0; // of these: they go in together
    bool watched = false;
    bool observed = false;

    bool operator==(const GoneNode&) const = default;
};

// The end of the last hold, until somebody takes the lock after it.
struct OpenRelease
{
    bool open = false;
    trace::Text node;
    TraceTime at{};                         // ReleaseCalled, or the session's end
    EventIndex goneBy = EventIndex::none(); // the first proof that the node is gone

    bool operator==(const OpenRelease&) const = default;
};

struct HighestToken
{
    Zxid token = Zxid::none();
    EventIndex by = EventIndex::none();

    bool operator==(const HighestToken&) const = default;
};

struct LockBook
{
    std::vector<GoneNode> gone; // the last ones, a ring
    std::uint32_t goneNext = 0;
    std::int64_t highestGone = -1;   // sequence number: nothing above it is gone
    std::vector<ClientId> believers; // who believes to hold, stale ones too
    HighestToken highest;            // of all grants
    HighestToken highestAlone;       // of those that hold alone
    OpenRelease release;
    ClientId inside = ClientId::none(); // who entered the protected section last and has not left
    std::uint32_t observedNodes = 0;    // in the observer's list, by its own records
    EventIndex lastObserved = EventIndex::none();
    EventIndex herdCause = EventIndex::none(); // of the children watches that fired last
    std::uint32_t herdWoken = 0;

    bool operator==(const LockBook&) const = default;
};

struct SessionEntry
{
    SessionId session;
    ClientId client;

    bool operator==(const SessionEntry&) const = default;
};

struct Bookkeeping
{
    std::vector<ClientBook> clients;
    std::vector<LockBook> locks;
    std::vector<SessionEntry> sessions; // by session id

    bool operator==(const Bookkeeping&) const = default;
};

} // namespace lockscope::replay
