// The events of a table of locks, and the nodes that a snapshot gives it, as values.
#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::history {

enum class Recipe : std::uint8_t {
    mutex,
    readWrite,
    semaphore,
    leaderLatch,
    kazooMutex,
    kazooReadWrite,
    kazooSemaphore,
    zooKeeperCMutex,
    fixedName,
    sequential, // ephemeral sequential nodes of no known name
    mixed,      // two namings on one path: their clients may not exclude each other
};
const char* name(Recipe recipe); // "read_write"

enum class EndReason : std::uint8_t { released, sessionClosed, sessionExpired, deletedByOther, gaveUp, unknown };
const char* name(EndReason reason); // "session_closed"; unknown: the log does not have it

struct EndCounts
{
    std::uint64_t released = 0, gaveUp = 0, sessionClosed = 0, sessionExpired = 0, deletedByOther = 0;
    std::uint64_t open = 0; // acquisitions whose end is not in the log
    std::uint64_t acquisitions() const { return released + sessionClosed + sessionExpired + deletedByOther + open; }
    bool operator==(const EndCounts&) const = default;
};

struct LockSummary
{
    std::string path;
    Recipe recipe{};
    std::uint64_t handoffs = 0;
    EndCounts ends;
    std::int64_t longestHoldMs = 0;  // one that is not over: until the last transaction
    std::int64_t longestWaitMs = 0;  // of those that gave up and those that still wait, too
    std::uint32_t deepestQueue = 0;  // the holder included
    std::int64_t lastUsedMs = 0;     // since the Unix epoch
};

// One node of a lock, from its creation to its end.
struct LockNode
{
    std::string_view lockPath; // as in the table
    std::string_view name;     // under `parent`
    std::string_view parent;
    std::string_view data;     // only when it is queued, or its data is set
    std::string_view acl;      // only when it is queued: the vector as it is encoded
    SessionId session;         // none: it was there before the log begins, and no snapshot tells whose it is
    Zxid created;
    std::int64_t createdMs = 0;
    std::int64_t entitledMs = 0;
    bool entitled = false;
    bool beforeLog = false; // was there before the log begins, or before it goes on after a gap
    // When it was said to be entitled, and was not: a node from before the log turned up in front of it since.
    std::optional<std::int64_t> notEntitledMs{};
};

struct LockEvent
{
    // dataSet: by the session of the node this announces that it knows it holds; by another session it requests the lock.
    enum class Kind : std::uint8_t { queued, entitled, ended, dataSet };
    Kind kind{};
    std::uint32_t lock = 0; // index of the queue; a semaphore's acquire mutex has one of its own
    LockNode node;
    EndReason reason{};
    SessionId by; // whose request, or whose end, it was
    Zxid zxid;
    std::int32_t cxid = 0; // 0: the server did it by itself
    std::int64_t timeMs = 0;
};

// Texts of the event are valid during the call.
using LockListener = std::function<void(const LockEvent&)>;

// A node that a snapshot has.
struct SnapshotNode
{
    std::string path;
    std::string data;
    SessionId owner;
    Zxid created;
    std::int64_t createdMs = 0;
    std::optional<std::int32_t> parentCversion{}; // the parent's, now: a sequential node's number is less
};

} // namespace lockscope::history
