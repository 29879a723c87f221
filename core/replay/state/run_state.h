// The state of a run at one moment, folded from its events: what each client believes beside what the server
// says. A plain value that can be copied (keyframes); texts point into the TraceStore. Any thread, one at a
// time.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/replay/findings/findings.h"
#include "core/replay/state/bookkeeping.h"
#include "core/replay/state/lock_use.h"
#include "core/replay/state/statistics.h"
#include "core/replay/state/watch_table.h"
#include "core/trace/event.h"
#include "core/trace/node_name.h"
#include "core/trace/recipe_kind.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::replay {

using trace::Text;

// What came together for one client so far, each with the last event that added to it.
struct ClientTally
{
    Duration waited{};          // AcquireCalled -> Acquired
    Duration held{};            // Acquired -> ReleaseCalled, or the end that it believes in
    std::uint32_t waits = 0;    // that `waited` is made of; once for several leases
    std::uint32_t holds = 0;    // that `held` is made of
    std::uint32_t requests = 0; // sent to the server
    std::uint32_t wakeUps = 0;  // watches that fired because a node went
    std::uint32_t faults = 0;   // faults that were aimed at it
    EventIndex lastGrant = EventIndex::none();
    EventIndex lastFailure = EventIndex::none();
    EventIndex lastHeld = EventIndex::none();
    EventIndex lastRequest = EventIndex::none();
    EventIndex lastWakeUp = EventIndex::none();
    EventIndex lastFault = EventIndex::none();

    bool operator==(const ClientTally&) const = default;
};

// The base is the client's focus: what it waits for (the youngest of several), else what it got last, else
// nothing (no lock, and a phase that says what it does without one).
struct ClientRow : LockUse
{
    ClientId id;
    Text name;
    std::uint16_t colour = 0; // index into the palette
    trace::SessionPhase session = trace::SessionPhase::connecting;
    SessionId sessionId = SessionId::none();
    std::uint8_t sessionDigits = 4; // so many hexadecimal ones from its end tell it from the others' sessions
    Duration sessionTimeout{}; // negotiated; 0 = not known
    std::uint32_t acquired = 0;
    std::uint32_t failed = 0; // acquires that timed out, were cancelled or lost
    TraceTime staleFor{};     // the last stale window's length, after it ended; 0 = never
    bool frozen = false;
    Text process;                          // whose session it shares; empty when it has its own
    trace::LinkState link;                 // what is wrong with its connections
    std::optional<trace::GateStep> heldAt; // the step it stands before until it is let go
    EventIndex lastEvent;
    ClientTally tally;
    // The events that said so last.
    EventIndex addedBy = EventIndex::none();
    EventIndex sessionBy = EventIndex::none();
    EventIndex frozenBy = EventIndex::none();
    EventIndex linkBy = EventIndex::none();
    EventIndex heldAtBy = EventIndex::none();
    EventIndex steppedBy = EventIndex::none(); // the last step that it was let take
    // What else it holds or waits for, in no order. Usually empty. Phase joining, waiting, holding or
    // releasing; any other: a node of it remains that it is done with.
    std::vector<LockUse> otherUses;

    bool operator==(const ClientRow&) const = default;

    // The one on this lock that has this node, focus or not; null when there is none.
    const LockUse* lockUse(LockId lock, Text node) const;
    // Calls `what` with the focus (when it is at a lock) and with every other one.
    template <class F>
    void forEach(F&& what) const
    {
        if (active())
            what(static_cast<const LockUse&>(*this));
        for (const LockUse& one : otherUses)
            what(one);
    }
    bool hasStaleHold() const; // in any of them
};

enum class NodePhase : std::uint8_t {
    joining,
    waits,
    holds,
    releasing,
    orphan /* owner does not know it */,
    foreign
};

// A child of the lock's path as the server has it, as far as the events tell.
struct NodeRow
{
    Text name;
    std::int64_t sequence = -1;        // the number at its end; -1 when it has none
    ClientId owner = ClientId::none(); // none = foreign
    SessionId session = SessionId::none();
    NodePhase phase = NodePhase::joining;
    Text watches;            // name of the node its owner watches; empty = none
    std::uint16_t depth = 0; // when it holds
    bool reads = false;      // a reader's: it holds together with other readers
    Zxid token = Zxid::none();
    TraceTime created{};
    TraceTime waitingSince{};
    TraceTime heldSince{};
    bool ownerFrozen = false;
    EventIndex createdBy;
    // Of a lock that is only watched: what its name says it is there for. Its phase is then by its name and place
    // alone: foreign when that does not tell, or it is no lock node.
    std::optional<trace::NodeKind> kind;
    bool before = false;     // it was there when the watching began: since when is not known
    bool heldBefore = false; // and held: neither is that

    // The fold's own.
    std::uint32_t sortKeyOffset = 0; // where the sort key begins in the name
    LockUseRef firstWatcher;
    bool hasPaddedNumber = false;     // the key is ten digits: `sequence` sorts like it
    bool deleteSent = false; // a delete is on its way and not answered
    bool observed = false;   // the observer's list has it
    bool leftBehind = false; // its client finished and left it: reported once

    bool operator==(const NodeRow&) const = default;
};

// The last time a watch fired on this lock: drawn as the wake-up.
struct WakeUp
{
    EventIndex event = EventIndex::none();
    TraceTime at{};
    Text node;                        // that went or changed
    ClientId from = ClientId::none(); // its owner, if known
    ClientId to = ClientId::none();   // who was woken
    std::uint32_t woken = 0;          // how many were woken by the same cause so far

    bool operator==(const WakeUp&) const = default;
};

struct LockRow
{
    LockId id;
    Text path;
    Text recipe;
    Text handoff;
    std::uint32_t permits = 1;  // how many may hold at once; readers of a read/write lock share one
    bool watched = false;       // a lock of others, without a client of ours
    std::optional<trace::PathState> place; // of a watched one: what is at its path; nothing: not read yet
    std::vector<NodeRow> queue; // in Curator's order (by the text after the lock name), foreign ones too
    WatchTable watches;         // on these nodes, and on some that are gone
    WakeUp lastWakeUp;
    std::uint32_t acquisitions = 0;
    std::uint32_t highestSequence = 0; // of the nodes seen so far
    Text valueName, value;             // what the holders write into the protected thing: "stock", "998"
    std::uint32_t valueFaults = 0;     // how often that was wrong

    trace::RecipeKind kind() const { return trace::recipeKind(recipe); }
    bool announcesHandoff() const { return handoff == trace::kAnnouncedHandoff; }

    bool operator==(const LockRow&) const = default;
};

// One server of an ensemble.
struct MemberRow
{
    Text member; // "2"
    trace::ServerPhase phase = trace::ServerPhase::starting;
    Text mode; // "leader", "follower"; empty while it is not known

    bool operator==(const MemberRow&) const = default;
};

struct ServerRow
{
    trace::ServerPhase phase = trace::ServerPhase::starting;
    Text address, version, mode;
    MessageView detail;
    std::vector<MemberRow> members; // empty for a single server

    bool operator==(const ServerRow&) const = default;
};

struct NoticeRow
{
    EventIndex event;
    trace::Severity severity{};
    MessageView text;
    TraceTime at{};
    ClientId client = ClientId::none();
    Text code{}, right{}, path{}; // of trace::Notice

    bool operator==(const NoticeRow&) const = default;
};

struct RunState
{
    TraceTime now{}; // time of the last event applied
    trace::RunPhase phase = trace::RunPhase::starting;
    Text cutShort; // by what a run ended early; empty: it did not
    Duration pace{};
    ServerRow server;
    WatchReading watchReading; // the last look at the server's watch table
    std::vector<ClientRow> clients; // index = ClientId
    std::vector<LockRow> locks;     // index = LockId
    std::vector<NoticeRow> notices; // the last 100
    Findings findings;
    Statistics statistics;
    // Who waits for whom in a circle at present: each for the next, the last for the first. Empty: none.
    std::vector<ClientId> cycle;
    Bookkeeping book; // the reducer's alone

    bool operator==(const RunState&) const = default;

    const ClientRow* client(ClientId id) const; // null when there is none
    const LockRow* lock(LockId id) const;
    const NodeRow* node(LockId lock, Text name) const;
    ClientId ownerOf(LockId lock, Text node) const;
    // Of the clients that stand before a step, the one that took none for the longest time; null when none
    // stands.
    const ClientRow* nextInTurn() const;
    // One of the nodes that went last; null when it is still there, was never there or went long ago.
    const DeletedNode* deletedNode(LockId lock, Text name) const;
    bool isLease(LockId lock, Text node) const; // a semaphore's node: it holds beside others
    const LockUse* lockUse(LockUseRef ref) const;
};

LockSharing lockSharing(const RunState& state);

// No client of this run takes part: it only watches locks.
bool onlyWatches(const RunState& state);

// Who goes on as a holder though the server has taken the lock from it: it was not notified, or it was and is
// still inside the protected section.
std::vector<ClientId> clientsActingOnLostLock(const RunState& state);

// Bytes that the state holds, itself included: what a copy of it costs.
std::size_t memoryBytes(const RunState& state);

} // namespace lockscope::replay
