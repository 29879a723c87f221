// The events that a table of locks reports, and the nodes of snapshots that it takes. Values.
#pragma once

#include "core/base/ids.h"
#include "core/queue/scheme.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::history {

using queue::name;
using queue::nameOf;
using queue::parentOf;
using queue::Recipe;
using NodeRole = queue::Role;

// left: its own session deleted it, and whether it was first, or held at all, is unknown. unknown: whether
// and how it ended is.
enum class EndReason : std::uint8_t {
    released,
    sessionClosed,
    sessionExpired,
    deletedByOther,
    gaveUp,
    left,
    unknown
};
const char* name(EndReason reason); // "session_closed"

struct EndCounts
{
    std::uint64_t released = 0, gaveUp = 0, sessionClosed = 0, sessionExpired = 0, deletedByOther = 0;
    std::uint64_t open = 0;       // acquisitions that last
    std::uint64_t endUnknown = 0; // acquisitions that have ended in a gap, or may have
    std::uint64_t unknown = 0; // nodes of which it is unknown whether they were ever first; no acquisitions
    std::uint64_t acquisitions() const
    {
        return released + sessionClosed + sessionExpired + deletedByOther + open + endUnknown;
    }
    bool operator==(const EndCounts&) const = default;
};

struct LockSummary
{
    std::string path;
    Recipe recipe{};
    std::uint64_t handoffs = 0;
    EndCounts ends;
    // A hold that is not over counts until the last transaction; one whose end is unknown does not count.
    std::int64_t longestHoldMs = 0;
    std::int64_t longestWaitMs = 0; // includes waiters that gave up or still wait
    std::uint32_t deepestQueue = 0; // the holder included
    std::int64_t lastUsedMs = 0;    // since the Unix epoch
    // Where the history begins inside the queue: since then it is known who joins it, but not who was in it
    // before.
    Zxid knownSince;
    std::int64_t knownSinceMs = 0;
    std::uint64_t missedCreates = 0; // in gaps: nodes below the parent, by its cversion
    // False if no node here is of a recipe that shows who holds: registrations, and sequential nodes of an
    // unknown recipe, until waiting was observed. Their nodes neither hold nor wait.
    bool showsHolders = true;
    std::string
        foreignInFront{}; // the name of the node of no lock that all clients here wait for; empty: none
    queue::Library otherLibrary{}; // of the nodes that do not show who holds
};

// One node of a lock, from its creation to its end.
struct LockNode
{
    std::string_view lockPath; // as in the table
    std::string_view name;     // under `parent`
    std::string_view parent;
    std::string_view data; // only in `queued` and `dataSet` events
    std::string_view acl;  // only in `queued` events: the encoded vector
    SessionId session;     // none: older than the log, and in no snapshot
    Zxid created;
    std::int64_t createdMs = 0;
    std::int64_t entitledMs = 0;
    queue::Library library{};
    queue::Role role = queue::Role::exclusive;
    std::int32_t number = 0; // of a sequential node
    std::int64_t order = 0;  // among the nodes of its lock, by the clients' rule
    bool entitled = false;
    bool beforeLog = false;    // existed before the log begins, or before it resumes after a gap
    bool sinceUnknown = false; // entitled at `entitledMs`, or since an earlier time
    bool unsure =
        false; // a node that was lost sight of may be in front of it: whether it is entitled is unknown
    // When it was wrongly reported as entitled: a node from before the log has turned up in front of it
    // since.
    std::optional<std::int64_t> notEntitledMs{};
};

struct LockEvent
{
    // dataSet: set by the node's own session, it announces the hold; set by another session, it requests the
    // lock. ended for an unknown reason: lost sight of in a gap. If it turns up again, `queued` is reported
    // again, with beforeLog. folderDeleted: a session deleted the parent of the nodes; the node has no name.
    enum class Kind : std::uint8_t { queued, entitled, ended, dataSet, folderDeleted };
    Kind kind{};
    std::uint32_t lock = 0; // number of the queue; a semaphore's acquire mutex has its own
    LockNode node;
    EndReason reason{};
    SessionId by; // the session that made the request or that ended
    Zxid zxid;
    std::int32_t cxid = 0; // 0: done by the server without a request
    std::int64_t timeMs = 0;
};

// The texts of the event are valid only during the call.
using LockListener = std::function<void(const LockEvent&)>;

// A node of a snapshot.
struct SnapshotNode
{
    std::string path;
    std::string data;
    SessionId owner;
    Zxid created;
    std::int64_t createdMs = 0;
    std::optional<std::int32_t>
        parentCversion{}; // at the time of the snapshot; a sequential node's number is less
    bool ephemeral = true;
};

} // namespace lockscope::history
