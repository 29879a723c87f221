// All events, as plain structs: what happened in a run, in the order in which the engine thread saw it.
// A client's beliefs and the server's statements (what ZooKeeper reported or did) are separate events.
// A Text points into the TraceStore that holds the event and lives as long as the store.
// To add an event: write a struct here, add it to Payload, and add its fields to event_fields.h. The codec
// then handles it, and the compiler reports every visitor that lacks it.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/recipe.h"
#include "core/base/time.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace lockscope::trace {

using Text = std::string_view;
using lockscope::LostReason;
using lockscope::SessionPhase;
using lockscope::WatchKind;

enum class RunPhase : std::uint8_t { starting, running, paused, finished, failed };
enum class ServerPhase : std::uint8_t { starting, ready, down, stopped };
enum class Severity : std::uint8_t { info, warning, error };
enum class Outcome : std::uint8_t { ok, noNode, nodeExists, refused, unknown, sessionGone };
enum class FailReason : std::uint8_t { timedOut, cancelled, sessionLost, retriesExhausted, error };
// What is at a lock's path; folder: its children are locks themselves.
enum class PathKind : std::uint8_t { missing, queue, folder };
enum class ResourceAction : std::uint8_t { entered, left, conflict, refused };

// ---- the run -------------------------------------------------------------------------------------------
// cutShort: why the run ended early (core/sim/run/cut_short.h).
struct RunPhaseChanged
{
    RunPhase phase{};
    MessageView detail{};
    Text cutShort{};
};
struct ServerState
{
    ServerPhase phase{};
    Text address;
    Text version;
    Text mode;
    MessageView detail{};
};
// One server of an ensemble: "2", ready, "leader".
struct MemberState
{
    Text member;
    ServerPhase phase{};
    Text mode;
};
// Event::lock is its id. path: the parent of the nodes that queue.
struct LockAdded
{
    Text path;
    Text recipe;  // the name of a Recipe
    Text handoff; // of a HandoffPolicy
};
// How many may hold at once from now on; 1 before the first of these events.
struct LockLimit
{
    std::uint32_t permits = 1;
};
// Event::client is its id. process: the process whose session the client shares.
struct ClientAdded
{
    Text name;
    std::uint16_t colour = 0;
    Text process{};
    Text trace{}; // of a merged run: the name of the trace that the client is from
};
struct ClientRemoved
{};
// An accepted command; Event::client is its target, if any.
struct Command
{
    Text verb;
    Text argument;
};
struct CommandRefused
{
    Text verb;
    MessageView reason;
};
struct PaceChanged
{
    Duration step{};
}; // delay before every protocol step
// A notice for the user. Notices that programs look for have a code, with its arguments: access_refused
// (right, path), path_refused (path), session_timeout (the server granted another timeout than was
// requested), or a code from core/sim/run/cut_short.h.
struct Notice
{
    Severity severity{};
    MessageView text;
    Text code{};
    Text right{};
    Text path{};
};
// The faults of the client's connections from now on; without any, the connections work normally.
struct LinkState
{
    bool cut = false;                 // every connection is closed, and no new one can be made
    Duration delay{};                 // in each direction
    Duration jitter{};                // how much the delay varies, up or down
    std::uint64_t bytesPerSecond = 0; // in each direction; 0 = no limit
    bool mutedToServer = false;       // everything that the client sends is lost
    bool mutedToClient = false;       // everything that the server sends is lost
    bool halfOpen = false; // the server's side is closed; the client's stays open and receives nothing

    bool whole() const { return *this == LinkState{}; }
    friend bool operator==(const LinkState&, const LinkState&) = default;
};
// The client waits before this step until it is resumed.
struct StepHeld
{
    GateStep step{};
};
// A held client took this step: the user or the script let it go, or the run itself did.
struct StepTaken
{
    GateStep step{};
};

// ---- sessions ------------------------------------------------------------------------------------------
struct SessionState
{
    SessionPhase phase{};
    SessionId session;
    Duration timeout{};
}; // the client's view
struct SessionGone
{
    SessionId session;
}; // the server ended it: its ephemeral nodes are gone

// ---- what a client does and believes -------------------------------------------------------------------
struct Thinks
{
    Duration planned{};
};
struct AcquireCalled
{
    OwnerId owner;
    Duration timeout = kForever;
};
// Read from a list; position 0 = first.
struct Decided
{
    Text node;
    std::uint32_t position = 0;
    std::uint32_t count = 0;
    Text ahead;
};
struct Acquired
{
    Text node;
    Zxid token;
    OwnerId owner;
}; // the depth becomes 1
struct Reentered
{
    std::uint16_t depth = 0;
    OwnerId owner;
}; // depth: afterward
struct AcquireFailed
{
    FailReason reason{};
    OwnerId owner;
    MessageView detail;
};
// The acquire is tried again from the start, for the reason `why`. node: the prefix of its last node.
struct StartedOver
{
    Text node;
    MessageView why;
};
// depth: before the call; 1 = the delete follows.
struct ReleaseCalled
{
    Text node;
    std::uint16_t depth = 0;
    OwnerId owner;
};
// depth: afterward; 0 = the delete is confirmed.
struct Released
{
    Text node;
    std::uint16_t depth = 0;
    OwnerId owner;
};
struct HoldLost
{
    Text node;
    LostReason reason{};
    OwnerId owner;
}; // recorded when the holder learns of it
struct ResourceUse
{
    ResourceAction action{};
    Zxid token;
}; // recorded by the protected resource
// What a holder wrote to the resource. fault: why the value is wrong; empty = it is right.
struct ResourceValue
{
    Text name;
    Text value;
    MessageView fault;
};
struct ClientFinished
{}; // the client has done all its cycles

// ---- the protocol --------------------------------------------------------------------------------------
// together: sent with the previous request.
struct Request
{
    Operation op{};
    Text node;
    bool watch = false;
    bool together = false;
};
struct Reply
{
    Operation op{};
    Outcome outcome{};
    Text node;
    Zxid zxid;
    std::uint32_t count = 0;
}; // cause = its Request
// cause: the Request or SessionGone that triggered it, if known.
struct WatchFired
{
    WatchKind kind{};
    Text node;
};

// ---- the server's state, as the observer session reads it ----------------------------------------------
// foreign: not a node of this run's clients.
struct NodeSeen
{
    Text node;
    SessionId session;
    Zxid czxid;
    bool foreign = false;
    Duration age{}; // by the server's word, when it was first seen; 0: new, or not known
};
struct NodeVanished
{
    Text node;
};
// A complete list was read and agrees with the events above.
struct Observed
{
    std::uint32_t count = 0;
};
// What is at the path of a watched lock; recorded when that changes. locks: how many children of a folder are
// locks.
struct PathState
{
    PathKind kind{};
    std::uint32_t locks = 0;
    std::uint32_t children = 0;
    friend bool operator==(const PathState&, const PathState&) = default;
};
// The server's watch table (wchp): data and exists watches, never child watches.
struct WatchSeen
{
    Text node;
    SessionId session;
};
struct WatchVanished
{
    Text node;
    SessionId session;
};
// The table was read from the servers within the last `took`. Every member of an ensemble is asked: the table
// is complete when all of them have answered. refusal: why the servers are no longer asked.
struct WatchesRead
{
    Duration took{};
    std::uint32_t count = 0;
    std::uint32_t answered = 0;
    std::uint32_t servers = 0;
    MessageView refusal;
};

using Payload = std::variant<RunPhaseChanged, ServerState, MemberState, LockAdded, LockLimit, ClientAdded,
                             ClientRemoved, Command, CommandRefused, PaceChanged, Notice, LinkState, StepHeld,
                             StepTaken, SessionState, SessionGone, Thinks, AcquireCalled, Decided, Acquired,
                             Reentered, AcquireFailed, StartedOver, ReleaseCalled, Released, HoldLost,
                             ResourceUse, ResourceValue, ClientFinished, Request, Reply, WatchFired, NodeSeen,
                             NodeVanished, Observed, PathState, WatchSeen, WatchVanished, WatchesRead>;

struct Event
{
    TraceTime at{};
    EventIndex cause = EventIndex::none(); // the event that caused this one
    ClientId client = ClientId::none();    // none = an event of the run, the server or the observer
    LockId lock = LockId::none();          // none = an event without a lock
    Payload what;
};

// `node` in every event is the child's name under the lock's path, never the whole path.
// The text after the lock name ("lock-", "__WRIT__", ...) is the sequence.

} // namespace lockscope::trace
