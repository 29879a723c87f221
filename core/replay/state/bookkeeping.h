// What the fold remembers in addition to the rows that views show: recently deleted nodes, clients that
// believe they hold, open waits. A plain value inside RunState, for the reducer only; views have no use for
// it. Invariants: `clients` and `locks` have the sizes of RunState's; `clientsWithSeveralUses` is the number
// of clients with more than one lock use.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/replay/state/handoffs.h"
#include "core/replay/state/lock_use.h"
#include "core/trace/event.h"

#include <cstdint>
#include <vector>

namespace lockscope::replay {

struct ClientBookkeeping
{
    std::uint32_t nextNumber = 1; // the number of its next lock use
    bool asked = false;           // it has called acquire
    bool sessionEndExpected =
        false; // a fault was aimed at its session: effects of the end may be seen before it is recorded
    bool thawed = false; // after a freeze, until the server answers it again: its session may have expired
    bool staleBySession = false;    // the hold is stale because its session ended, not only its node
    bool staleHold = false;         // its last hold is stale, or was when it ended
    bool lostHold = false;          // its last hold was lost instead of released
    bool refused = false;           // its token was refused after its last grant
    bool inside = false;            // the protected section, according to the resource's record
    Zxid staleToken = Zxid::none(); // of the stale hold
    SessionId endedSession = SessionId::none();
    EventIndex endedSessionBy = EventIndex::none();

    bool operator==(const ClientBookkeeping&) const = default;
};

// A node that is gone. Late events about it (a reply, a watch, a slow observer) are recognized by this
// record.
struct DeletedNode
{
    trace::Text name;
    std::int64_t sequence = -1;
    ClientId owner = ClientId::none();
    EventIndex by = EventIndex::none();
    EventIndex createdBy = EventIndex::none();
    ClientId firstWoken = ClientId::none();
    std::uint32_t woken = 0;
    std::uint32_t readersWoken = 0; // of `woken`: readers, which enter together
    bool watched = false;
    bool observed = false;
    bool replaced =
        false; // another node of this name was created later: only late watch events concern this one

    bool operator==(const DeletedNode&) const = default;
};

struct HighestToken
{
    Zxid token = Zxid::none();
    EventIndex by = EventIndex::none();

    bool operator==(const HighestToken&) const = default;
};

// An acquire in progress, and what is needed to count its overtakings: see Statistics::longestOvertaking.
struct OpenWait
{
    EventIndex called;
    EventIndex firstAsleep = EventIndex::none(); // when it first fell asleep; none = not yet
    std::uint32_t older = 0;                     // the other waits that were open at that time
    std::uint32_t olderFailed = 0;               // of `older`: waits that ended without a grant
    std::uint64_t grantsBefore = 0;              // the lock's grants before it fell asleep

    bool operator==(const OpenWait&) const = default;
};

struct LockBookkeeping
{
    std::vector<DeletedNode> gone; // the last deleted nodes; a ring
    std::uint32_t goneNext = 0;
    std::int64_t highestDeleted = -1;          // sequence number: no node with a higher one is gone
    std::vector<LockUseRef> believedHolders;   // clients that believe they hold, also stale ones
    HighestToken highest;                      // of all grants
    HighestToken highestAlone;                 // of the exclusive grants
    HighestToken highestOfGrant;               // of the last lease that was granted
    EventIndex lastGrant = EventIndex::none(); // the AcquireCalled of that lease
    LockHandoffs handoffs;
    ClientId inside = ClientId::none(); // the last to enter the protected section, until it leaves
    std::uint32_t observedNodes = 0;    // nodes in the observer's list, according to its events
    EventIndex lastObserved = EventIndex::none();
    EventIndex herdCause = EventIndex::none(); // the cause of the child watches that fired last
    EventIndex herdFirst = EventIndex::none(); // the first of these watch events
    std::uint32_t herdWoken = 0;
    bool limited = false;            // the number of permits is known
    std::uint32_t permitsBefore = 1; // the number before it last changed
    EventIndex limitedBy = EventIndex::none();
    std::vector<OpenWait> waits; // sorted by `called`
    std::uint64_t grants = 0;    // to waits

    bool operator==(const LockBookkeeping&) const = default;
};

struct SessionEntry
{
    SessionId session;
    ClientId client;

    bool operator==(const SessionEntry&) const = default;
    auto operator<=>(const SessionEntry&) const = default;
};

// The session that a client has now.
struct SessionSuffix
{
    std::uint64_t reversed = 0; // the bits of the session id, the lowest first
    ClientId client;

    bool operator==(const SessionSuffix&) const = default;
    auto operator<=>(const SessionSuffix&) const = default;
};

struct Bookkeeping
{
    std::vector<ClientBookkeeping> clients;
    std::vector<LockBookkeeping> locks;
    std::vector<SessionEntry> sessions;         // sorted; the workers of a process share one
    std::vector<SessionSuffix> sessionSuffixes; // sorted: sessions with the same last digits are neighbors
    std::uint32_t clientsWithSeveralUses = 0;
    std::uint32_t endedHolds = 0;                 // so far
    std::vector<std::uint64_t> reportedDeadlocks; // fingerprints of the last deadlocks

    bool operator==(const Bookkeeping&) const = default;
};

} // namespace lockscope::replay
