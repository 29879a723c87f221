// What the fold remembers beside the rows that views show: which nodes went lately, who believes to hold, who
// has waited how long. A plain value inside RunState, kept by the reducer alone; views have no use for it.
// Invariants: clients and locks have the size of RunState's; `clientsWithSeveralUses` is the number of clients with more than
// one lock use.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/replay/state/lock_use.h"
#include "core/trace/event.h"

#include <cstdint>
#include <vector>

namespace lockscope::replay {

struct ClientBookkeeping
{
    std::uint32_t nextNumber = 1; // of its lock uses
    bool asked = false;           // it has called acquire
    bool sessionEndExpected =
        false;           // a fault was aimed at its session: the end may be seen before it is recorded
    bool thawed = false; // after a freeze: doomed until the server answers it again
    bool staleBySession = false;    // its session went, not its node alone
    bool staleHold = false;         // its last hold was stale at its end, or is
    bool lostHold = false;          // its last hold was lost, not released
    bool refused = false;           // its token was refused since its grant
    bool inside = false;            // the protected section, by the record of that
    Zxid staleToken = Zxid::none(); // of the stale hold
    SessionId endedSession = SessionId::none();
    EventIndex endedSessionBy = EventIndex::none();

    bool operator==(const ClientBookkeeping&) const = default;
};

// A node that is gone: late events about it (a reply, a watch, a slow observer) are still distinguished.
struct DeletedNode
{
    trace::Text name;
    std::int64_t sequence = -1;
    ClientId owner = ClientId::none();
    EventIndex by = EventIndex::none();
    EventIndex createdBy = EventIndex::none();
    ClientId firstWoken = ClientId::none();
    std::uint32_t woken = 0;
    std::uint32_t readersWoken = 0; // of these: they go in together
    bool watched = false;
    bool observed = false;
    bool replaced = false; // one of the same name was created after it: only late watches mention this one

    bool operator==(const DeletedNode&) const = default;
};

// The end of the last hold, until a client takes the lock after it.
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

// An acquire that goes on, and what it takes to know how many have overtaken it: see statistics.h.
struct OpenWait
{
    EventIndex called;
    EventIndex firstAsleep = EventIndex::none(); // fell asleep for the first time; none: not yet
    std::uint32_t older = 0;                     // waits of others that were open then
    std::uint32_t olderFailed = 0;               // of these: ended without a grant
    std::uint64_t grantsBefore = 0;              // the lock's grants until then

    bool operator==(const OpenWait&) const = default;
};

struct LockBookkeeping
{
    std::vector<DeletedNode> gone; // the last ones, a ring
    std::uint32_t goneNext = 0;
    std::int64_t highestDeleted = -1;          // sequence number: nothing above it is gone
    std::vector<LockUseRef> believedHolders;   // who believes to hold, stale ones too
    HighestToken highest;                      // of all grants
    HighestToken highestAlone;                 // of those that hold alone
    HighestToken highestOfGrant;               // of the leases of the last grant
    EventIndex lastGrant = EventIndex::none(); // its AcquireCalled
    OpenRelease release;
    ClientId inside = ClientId::none(); // who entered the protected section last and has not left
    std::uint32_t observedNodes = 0;    // in the observer's list, by its own records
    EventIndex lastObserved = EventIndex::none();
    EventIndex herdCause = EventIndex::none(); // of the children watches that fired last
    EventIndex herdFirst = EventIndex::none(); // the first of them
    std::uint32_t herdWoken = 0;
    bool limited = false;            // the number of permits is known
    std::uint32_t permitsBefore = 1; // until the last change of the permits
    EventIndex limitedBy = EventIndex::none();
    std::vector<OpenWait> waits; // by `called`
    std::uint64_t grants = 0;    // of waits

    bool operator==(const LockBookkeeping&) const = default;
};

struct SessionEntry
{
    SessionId session;
    ClientId client;

    bool operator==(const SessionEntry&) const = default;
    auto operator<=>(const SessionEntry&) const = default;
};

struct Bookkeeping
{
    std::vector<ClientBookkeeping> clients;
    std::vector<LockBookkeeping> locks;
    std::vector<SessionEntry> sessions; // sorted; the workers of a process share one
    std::uint32_t clientsWithSeveralUses = 0;
    TraceTime resumed{}; // the end of the last pause of the run; zero: there was none
    std::vector<std::uint64_t> reportedDeadlocks; // fingerprints of the last ones

    bool operator==(const Bookkeeping&) const = default;
};

} // namespace lockscope::replay
