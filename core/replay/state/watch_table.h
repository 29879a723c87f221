// Which client watches which node: the clients' beliefs, the server's own table, and the differences between
// the two. Both are sorted by node, then session. Plain values and pure functions.
//
// The server's table is from some moment between a request and its reply, and messages between a client and
// the server take time. So a difference counts only if two consecutive tables show it and nothing has
// happened to that watch from before the first request until the second reply; until then the watch is under
// way.
#pragma once

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/trace/event.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lockscope::replay {

using trace::Text;

struct LockRow;

struct WatchKey
{
    std::int64_t sequence = -1; // the number at the end of the node's name
    Text node;
    SessionId session = SessionId::none();

    bool operator==(const WatchKey&) const = default;
    auto operator<=>(const WatchKey&) const = default;
};

WatchKey watchKey(Text node, SessionId session);

// A watch that a client has requested and that has not fired: the client relies on being notified.
struct BelievedWatch
{
    WatchKey key;
    ClientId client = ClientId::none();
    EventIndex request = EventIndex::none();
    TraceTime asked{};
    EventIndex missedBy = EventIndex::none(); // the first of the consecutive tables without it
    bool missing = false;                     // the client relies on a watch that the server does not have

    bool operator==(const BelievedWatch&) const = default;
};

// A watch in the server's table.
struct ServerWatch
{
    WatchKey key;
    EventIndex unclaimedBy =
        EventIndex::none(); // the first of the consecutive tables that have it while no client relies on it
    bool stray = false;     // the server keeps a watch that no client relies on

    bool operator==(const ServerWatch&) const = default;
};

enum class WatchVerdict : std::uint8_t {
    agrees,
    underWay /* differs, perhaps only for the moment */,
    missing,
    stray,
    ownNode /* only the server has it; on the session's own node, and deleted with that */,
    foreign,
    unknown /* not every server answered */
};

// One watch, as compared when the last table was read.
struct ComparedWatch
{
    WatchKey key;
    ClientId client = ClientId::none(); // the client that relies on it; none = only the server has it
    bool served = false;
    bool own = false; // on the client's own node: a holder is notified of its deletion
    WatchVerdict verdict = WatchVerdict::unknown;

    bool operator==(const ComparedWatch&) const = default;
};

struct WatchTable
{
    std::vector<BelievedWatch> believed;
    std::vector<ServerWatch> served;
    std::vector<ComparedWatch> compared; // as of the last table

    void addBelieved(const BelievedWatch& watch); // replaces an older one with the same key and client
    // If `request` is valid, removes only the watch of this request.
    void removeBelieved(const WatchKey& key, ClientId client, EventIndex request = EventIndex::none());
    void removeAllBelieved(ClientId client);
    void addServed(const WatchKey& key);
    void removeServed(const WatchKey& key);

    bool operator==(const WatchTable&) const = default;
};

// The last reading of the servers' watch tables, for all locks.
struct WatchReading
{
    EventIndex event = EventIndex::none(); // none = not requested, or not answered yet
    TraceTime at{};
    Duration took{};
    std::uint32_t count = 0;
    std::uint32_t answered = 0;
    std::uint32_t servers = 0;
    MessageView refusal;

    bool whole() const { return answered > 0 && answered == servers; }
    bool operator==(const WatchReading&) const = default;
};

// Compares the watches after a table was read. `isOurs` returns whether a session belongs to this run's
// clients. A watch on a node of its own session ends with that node; it is not stray even if no client relies
// on it.
void compareWatches(WatchTable& table, const WatchReading& reading, const LockRow& lock,
                    const std::function<bool(SessionId)>& isOurs);

} // namespace lockscope::replay
