// All events, as plain structs: what happened in a run, in the order in which the engine thread saw it.
// Beliefs (what a client thinks) and the server's word (what ZooKeeper said or did) are separate events.
// A Text points into the TraceStore that holds the event and lives as long as the store.
// To add an event: write a struct here, add it to Payload, and its fields to event_fields.h. The codec then handles it,
// and the compiler names every visitor that misses it.
#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/time.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace lockscope::trace {

using Text = std::string_view;

enum class RunPhase : std::uint8_t { starting, running, paused, finished, failed };
enum class ServerPhase : std::uint8_t { starting, ready, down, stopped };
enum class SessionPhase : std::uint8_t { connecting, connected, suspended, lost, closed };
enum class Severity : std::uint8_t { info, warning, error };
enum class Op : std::uint8_t { create, remove, getChildren, getData, setData, exists, sync };
enum class WatchKind : std::uint8_t { nodeDeleted, nodeChanged, nodeCreated, childrenChanged };
enum class Outcome : std::uint8_t { ok, noNode, nodeExists, refused, unknown, sessionGone };
enum class FailReason : std::uint8_t { timedOut, cancelled, sessionLost, retriesExhausted, error };
enum class LostReason : std::uint8_t { sessionExpired, sessionKilled, sessionTimedOut, nodeDeleted, closed };
// What a lock's path holds; folder: children that are locks themselves.
enum class PathKind : std::uint8_t { missing, queue, folder };
enum class ResourceAction : std::uint8_t { entered, left, conflict, refused };
// The steps at which a client can be held: before its create is sent, after it was applied, before each list, ...,
// before a release that only lowers the re-entry count, before its delete is sent, after its node is gone.
enum class GateStep : std::uint8_t { create, created, list, decide, watch, sleep, woken, acquired, reenter, release, remove, gone };

// ---- the run -------------------------------------------------------------------------------------------
struct RunPhaseChanged { RunPhase phase{}; MessageView detail{}; Text cutShort{}; }; // cutShort: why it ended early, core/sim/run/cut_short.h
struct ServerState { ServerPhase phase{}; Text address; Text version; Text mode; MessageView detail{}; };
struct MemberState { Text member; ServerPhase phase{}; Text mode; };  // of an ensemble: "2", ready, "leader"
struct LockAdded { Text path; Text recipe; Text handoff; };      // Event::lock is its id; path: of the children that queue
inline constexpr Text kWatchedRecipe = "watched"; // a lock of other programs, only watched: their recipe is unknown
struct LockLimit { std::uint32_t permits = 1; };                 // how many may hold at once, from now on; 1 until this event
struct ClientAdded { Text name; std::uint16_t colour = 0; Text process{}; }; // Event::client is its id; process: whose session it shares
struct ClientRemoved { };
struct Command { Text verb; Text argument; };                    // accepted; Event::client is its target, if any
struct CommandRefused { Text verb; MessageView reason; };
struct PaceChanged { Duration step{}; };                         // delay before every protocol step
// For the user. code: set on notices that programs look for, with its arguments:
// access_refused (right, path), path_refused (path), session_timeout (the server grants another one), a code of
// core/sim/run/cut_short.h.
struct Notice { Severity severity{}; MessageView text; Text code{}; Text right{}; Text path{}; };
// The faults of the client's connections from now on; none: they work again.
struct LinkState
{
    bool cut = false;      // every connection is closed and none can be made
    Duration delay{};      // each way
    Duration jitter{};     // by how much the delay varies, either way
    std::uint64_t bytesPerSecond = 0; // each way; 0 = no limit
    bool mutedToServer = false;       // what the client sends vanishes
    bool mutedToClient = false;       // what the server sends vanishes
    bool halfOpen = false;            // the server's side is closed, the client's is open and silent

    bool whole() const { return *this == LinkState{}; }
    friend bool operator==(const LinkState&, const LinkState&) = default;
};
struct StepHeld { GateStep step{}; };                            // the client waits before this step until it is resumed
struct StepTaken { GateStep step{}; };                           // the client was resumed, by the user or by the script

// ---- sessions ------------------------------------------------------------------------------------------
struct SessionState { SessionPhase phase{}; SessionId session; Duration timeout{}; }; // the client's view
struct SessionGone { SessionId session; };                       // the server's word: its ephemeral nodes are gone

// ---- what a client does and believes -------------------------------------------------------------------
struct Thinks { Duration planned{}; };
struct AcquireCalled { OwnerId owner; Duration timeout = kForever; };
struct Decided { Text node; std::uint32_t position = 0; std::uint32_t count = 0; Text ahead; }; // read from a list; position 0 = first
struct Acquired { Text node; Zxid token; OwnerId owner; };       // depth becomes 1
struct Reentered { std::uint16_t depth = 0; OwnerId owner; };    // depth after
struct AcquireFailed { FailReason reason{}; OwnerId owner; MessageView detail; };
struct StartedOver { Text node; MessageView why; };                     // own node missing: a new one is created
struct ReleaseCalled { Text node; std::uint16_t depth = 0; OwnerId owner; };  // depth before; 1 = the delete follows
struct Released { Text node; std::uint16_t depth = 0; OwnerId owner; };       // depth after; 0 = delete confirmed
struct HoldLost { Text node; LostReason reason{}; OwnerId owner; };           // when the holder learns of it
struct ResourceUse { ResourceAction action{}; Zxid token; };     // the resource's own record
struct ResourceValue { Text name; Text value; MessageView fault; };     // what a holder wrote to it; fault: why the value is wrong, if it is
struct ClientFinished { };                                       // all its cycles are done

// ---- the protocol --------------------------------------------------------------------------------------
struct Request { Op op{}; Text node; bool watch = false; bool together = false; }; // together: sent with the one before
struct Reply { Op op{}; Outcome outcome{}; Text node; Zxid zxid; std::uint32_t count = 0; }; // cause = its Request
struct WatchFired { WatchKind kind{}; Text node; };              // cause = the Request or SessionGone that triggered it, if known

// ---- the server's word, read by the observer session ---------------------------------------------------
struct NodeSeen { Text node; SessionId session; Zxid czxid; bool foreign = false; };  // foreign: not ours
struct NodeVanished { Text node; };
struct Observed { std::uint32_t count = 0; };                    // a complete list was read and agrees with the above
// Of a lock that is only watched, when it changes. locks: how many children of a folder are locks.
struct PathState
{
    PathKind kind{};
    std::uint32_t locks = 0;
    std::uint32_t children = 0;
    friend bool operator==(const PathState&, const PathState&) = default;
};
// The server's watch table (wchp): data and exists watches, never child watches.
struct WatchSeen { Text node; SessionId session; };
struct WatchVanished { Text node; SessionId session; };
// The table is the server's at some moment of the last `took`. Every member of an ensemble is asked: the table is
// complete when all of them answered. refusal: why the servers are not asked any more.
struct WatchesRead { Duration took{}; std::uint32_t count = 0; std::uint32_t answered = 0; std::uint32_t servers = 0; MessageView refusal; };

using Payload = std::variant<RunPhaseChanged, ServerState, MemberState, LockAdded, LockLimit, ClientAdded, ClientRemoved, Command,
                             CommandRefused, PaceChanged, Notice, LinkState, StepHeld, StepTaken, SessionState, SessionGone, Thinks, AcquireCalled, Decided,
                             Acquired, Reentered, AcquireFailed, StartedOver, ReleaseCalled, Released, HoldLost,
                             ResourceUse, ResourceValue, ClientFinished, Request, Reply, WatchFired, NodeSeen, NodeVanished,
                             Observed, PathState, WatchSeen, WatchVanished, WatchesRead>;

struct Event
{
    TraceTime at{};
    EventIndex cause = EventIndex::none(); // the event that caused this one
    ClientId client = ClientId::none();    // who; none = the run, the server, the observer
    LockId lock = LockId::none();          // on which lock, if on one
    Payload what;
};

// `node` in every event is the child's name under the lock's path, never the whole path.
// The text after the lock name ("lock-", "__WRIT__", ...) is the sequence.

} // namespace lockscope::trace
