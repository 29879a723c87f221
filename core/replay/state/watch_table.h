// Who watches which node: what each client believes beside the server's own table, and where they differ.
// Both are sorted by node, then session. Plain values and pure functions.
//
// A table is read between a question and its answer, and news between a client and the server takes its time.
// So a difference counts when two tables in a row show it and nothing has happened to that watch from before
// the first question to the second answer; until then it is under way.
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

// A client has asked for it and it has not fired: the client relies on being notified.
struct BelievedWatch
{
    WatchKey key;
    ClientId client = ClientId::none();
    EventIndex request = EventIndex::none();
    TraceTime asked{};
    EventIndex missedBy = EventIndex::none(); // the first of the tables that lack it
    bool missing = false;                     // the client relies on a watch that the server does not have

    bool operator==(const BelievedWatch&) const = default;
};

// The server has it.
struct ServerWatch
{
    WatchKey key;
    EventIndex unclaimedBy =
        EventIndex::none(); // the first of the tables that have it and no client believes in it
    bool stray = false;     // the server keeps a watch that no client relies on

    bool operator==(const ServerWatch&) const = default;
};

enum class WatchVerdict : std::uint8_t {
    agrees,
    underWay /* differs, and is not known to stay so */,
    missing,
    stray,
    ownNode /* kept by the server alone, and gone with the session's node that it is on */,
    foreign,
    unknown /* not every server answered */
};

// One watch as the last table and the belief at that moment had it.
struct ComparedWatch
{
    WatchKey key;
    ClientId client = ClientId::none(); // who believes in it; none: only the server has it
    bool served = false;
    bool own = false; // the node is the client's own: a holder is notified of its deletion
    WatchVerdict verdict = WatchVerdict::unknown;

    bool operator==(const ComparedWatch&) const = default;
};

struct WatchTable
{
    std::vector<BelievedWatch> believed;
    std::vector<ServerWatch> served;
    std::vector<ComparedWatch> compared; // when the last table was read

    void addBelieved(const BelievedWatch& watch); // instead of an older one
    // Only that of this request, when one is named.
    void removeBelieved(const WatchKey& key, ClientId client, EventIndex request = EventIndex::none());
    void removeAllBelieved(ClientId client);
    void addServed(const WatchKey& key);
    void removeServed(const WatchKey& key);

    bool operator==(const WatchTable&) const = default;
};

// The last answer about all locks.
struct WatchReading
{
    EventIndex event = EventIndex::none(); // none: never asked, or not answered yet
    TraceTime at{};
    Duration took{};
    std::uint32_t count = 0;
    std::uint32_t answered = 0;
    std::uint32_t servers = 0;
    MessageView refusal;

    bool whole() const { return answered > 0 && answered == servers; }
    bool operator==(const WatchReading&) const = default;
};

// After a table was read. `isOurs` tells a session of this run's clients. A watch on a node of the lock that
// is the session's own ends with it, even if a client still relies on it.
void compareWatches(WatchTable& table, const WatchReading& reading, const LockRow& lock,
                    const std::function<bool(SessionId)>& isOurs);

} // namespace lockscope::replay
