// The state of a run at one moment, folded from its events: the beliefs of each client and the state of the
// server. A plain value that can be copied (keyframes); texts point into the TraceStore. Any thread, one at a
// time.
#pragma once

#include "core/base/ids.h"
#include "core/base/recipe.h"
#include "core/base/time.h"
#include "core/queue/scheme.h"
#include "core/replay/findings/findings.h"
#include "core/replay/state/bookkeeping.h"
#include "core/replay/state/lock_use.h"
#include "core/replay/state/statistics.h"
#include "core/replay/state/stretches.h"
#include "core/replay/state/watch_table.h"
#include "core/trace/event.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::replay {

using trace::Text;

// Totals of one client so far, and the last event that added to each.
struct ClientTally
{
    // Without the pauses of the run.
    Duration waited{};          // AcquireCalled -> Acquired
    Duration held{};            // Acquired -> ReleaseCalled, or until it learned of the loss
    std::uint32_t waits = 0;    // number of waits in `waited`; several leases of one acquire count once
    std::uint32_t holds = 0;    // number of holds in `held`
    std::uint32_t requests = 0; // sent to the server
    std::uint32_t wakeUps = 0;  // watches that fired because a node was deleted
    std::uint32_t faults = 0;   // faults aimed at it
    EventIndex lastGrant = EventIndex::none();
    EventIndex lastFailure = EventIndex::none();
    EventIndex lastHeld = EventIndex::none();
    EventIndex lastRequest = EventIndex::none();
    EventIndex lastWakeUp = EventIndex::none();
    EventIndex lastFault = EventIndex::none();

    bool operator==(const ClientTally&) const = default;
};

// The base is the client's focus: its latest wait, otherwise its latest hold, otherwise no lock use (no lock,
// and a phase for what the client does without one).
struct ClientRow : LockUse
{
    ClientId id;
    Text name;
    std::uint16_t colour = 0; // index into the palette
    trace::SessionPhase session = trace::SessionPhase::connecting;
    SessionId sessionId = SessionId::none();
    std::uint8_t sessionDigits = 4; // how many of its last hex digits distinguish it from the other sessions
    Duration sessionTimeout{};      // negotiated; 0 = unknown
    std::uint32_t acquired = 0;
    std::uint32_t failed = 0; // acquires that failed for any reason
    TraceTime staleFor{};     // length of the last stale window that ended; 0 = none has ended
    bool frozen = false;
    Text trace;                     // of a merged run: the trace that the client is from
    Text process;                   // the process whose session it shares; empty = it has its own session
    trace::LinkState link;          // the faults of its connections
    std::optional<GateStep> heldAt; // the step before which it is held
    EventIndex lastEvent;
    ClientTally tally;
    // The last events that set these values.
    EventIndex addedBy = EventIndex::none();
    EventIndex sessionBy = EventIndex::none();
    EventIndex suspendedBy = EventIndex::none(); // none = it is not out of contact with the server
    EventIndex frozenBy = EventIndex::none();
    EventIndex linkBy = EventIndex::none();
    EventIndex heldAtBy = EventIndex::none();
    EventIndex steppedBy = EventIndex::none(); // the last StepTaken
    // Its other lock uses, in no order; usually empty. Their phase is joining, waiting, holding or releasing;
    // in any other phase, the client is done with the use but its node remains.
    std::vector<LockUse> otherUses;

    bool operator==(const ClientRow&) const = default;

    // The use of this lock with this node, focus or not; null if there is none.
    const LockUse* lockUse(LockId lock, Text node) const;
    // Calls `what` with the focus, if that is active, and with every other use.
    template <class F>
    void forEach(F&& what) const
    {
        if (active())
            what(static_cast<const LockUse&>(*this));
        for (const LockUse& one : otherUses)
            what(one);
    }
    bool hasStaleHold() const; // whether any use is stale
};

enum class NodePhase : std::uint8_t {
    joining,
    waits,
    holds,
    releasing,
    orphan /* owner does not know it */,
    foreign
};

// A child of the lock's path on the server, as far as the events show.
struct NodeRow
{
    Text name;
    std::int64_t sequence = -1;        // the number at the end of its name; -1 = none
    ClientId owner = ClientId::none(); // none = foreign
    SessionId session = SessionId::none();
    NodePhase phase = NodePhase::joining;
    Text watches;            // name of the node that its owner watches; empty = none
    std::uint16_t depth = 0; // while it holds
    bool reads = false;      // a reader's node, which holds together with other readers
    Zxid token = Zxid::none();
    TraceTime created{};
    TraceTime waitingSince{};
    TraceTime heldSince{};
    bool ownerFrozen = false;
    EventIndex createdBy;
    // For a node of a watched lock: the purpose according to its name. The phase then follows from name and
    // place alone; it is foreign if these do not determine it or if the node is not a lock node.
    std::optional<queue::Role> kind;
    bool before = false;      // it existed when the watching began
    bool waitsLonger = false; // its time of creation is unknown: it waits at least since `waitingSince`
    bool heldBefore = false;  // it held when the watching began: the time of the grant is unknown

    // For the fold only.
    std::uint32_t sortKeyOffset = 0; // where the sort key begins in the name
    LockUseRef firstWatcher;
    bool hasPaddedNumber = false; // the key is ten digits, so that `sequence` sorts like it
    bool deleteSent = false;      // a delete was sent and is not answered yet
    bool observed = false;        // it is in the observer's list
    bool leftBehind = false;      // its client left it behind; already reported

    bool operator==(const NodeRow&) const = default;
};

// The last time that a watch on this lock fired; drawn as the wake-up.
struct WakeUp
{
    EventIndex event = EventIndex::none();
    TraceTime at{};
    Text node;                        // the deleted or changed node
    ClientId from = ClientId::none(); // the node's owner, if known
    ClientId to = ClientId::none();   // the client that was woken
    std::uint32_t woken = 0;          // how many clients the same cause has woken so far

    bool operator==(const WakeUp&) const = default;
};

struct LockRow
{
    LockId id;
    Text path;
    Text recipe;
    Text handoff;
    std::uint32_t permits = 1; // how many may hold at once; readers of a read/write lock share one
    bool watched = false;      // a lock of other programs, without clients of this run
    std::optional<trace::PathState> place; // of a watched lock: what is at its path; none = not read yet
    std::vector<NodeRow> queue;            // in the order of node_queue.h, including foreign nodes
    WatchTable watches;                    // on these nodes, and on some deleted ones
    WakeUp lastWakeUp;
    std::uint32_t acquisitions = 0;
    std::uint32_t highestSequence = 0; // of the nodes seen so far
    Text valueName, value;             // what holders write to the protected resource: "stock", "998"
    std::uint32_t valueFaults = 0;     // how often the value was wrong

    Recipe kind() const { return recipeOf(recipe); }
    bool announcesHandoff() const { return handoff == nameOf(HandoffPolicy::announced); }

    bool operator==(const LockRow&) const = default;
};

// One server of an ensemble.
struct MemberRow
{
    Text member; // "2"
    trace::ServerPhase phase = trace::ServerPhase::starting;
    Text mode; // "leader", "follower"; empty = unknown

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
    Text code{}, right{}, path{}; // as in trace::Notice

    bool operator==(const NoticeRow&) const = default;
};

struct RunState
{
    TraceTime now{}; // time of the last event applied
    trace::RunPhase phase = trace::RunPhase::starting;
    Stretches pauses;
    Text cutShort; // why the run ended early; empty = it did not
    Duration pace{};
    ServerRow server;
    WatchReading watchReading;      // the last reading of the server's watch table
    std::vector<ClientRow> clients; // index = ClientId
    std::vector<LockRow> locks;     // index = LockId
    std::vector<NoticeRow> notices; // the last 100
    Findings findings;
    Statistics statistics;
    // The clients that are deadlocked now: each waits for the next, the last for the first. Empty = no
    // deadlock.
    std::vector<ClientId> cycle;
    Bookkeeping book; // for the reducer only

    bool operator==(const RunState&) const = default;

    const ClientRow* client(ClientId id) const; // null if there is none
    const LockRow* lock(LockId id) const;
    const NodeRow* node(LockId lock, Text name) const;
    ClientId ownerOf(LockId lock, Text node) const;
    // Of the clients that are held before a step, the one whose last StepTaken is the oldest; null if no
    // client is held.
    const ClientRow* nextInTurn() const;
    // A recently deleted node; null if the node still exists, never existed or was deleted long ago.
    const DeletedNode* deletedNode(LockId lock, Text name) const;
    bool isLease(LockId lock,
                 Text node) const; // whether the node is a semaphore's, which holds beside others
    const LockUse* lockUse(LockUseRef ref) const;
};

LockSharing lockSharing(const RunState& state);

// Whether all locks of the run are only watched, without clients of this run.
bool onlyWatches(const RunState& state);

// The clients that still act as holders although the server has taken the lock away: they have not been
// notified, or they have and are still inside the protected section.
std::vector<ClientId> clientsActingOnLostLock(const RunState& state);

// Bytes of the state and everything it holds: the cost of a copy.
std::size_t memoryBytes(const RunState& state);

} // namespace lockscope::replay
