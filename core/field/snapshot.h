// The state of a watch of foreign locks at one moment, for a window, a table or a report. Values. Times are
// ms since the Unix epoch by the servers' clock. Any thread.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/field/diagnosis.h"
#include "core/history/lock_event.h"
#include "core/queue/scheme.h"
#include "core/queue/wait_parts.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::field {

// When a hold began: exact if the end of the predecessor was seen, otherwise between two moments.
struct HeldSince
{
    std::int64_t earliestMs = 0, latestMs = 0;
    bool exact() const { return earliestMs == latestMs; }
};

struct Participant
{
    std::string node, parent; // parent + "/" + node is its path
    SessionId session;        // none: a persistent node, or gone before it was read
    bool persistent = false, unknown = false;
    bool notPermitted = false;       // its data may not be read
    bool persistentByDesign = false; // its recipe makes persistent nodes
    bool foreign = false;     // of no lock, but clients wait for it: it holds nothing, and nobody else can
    std::string address;      // of its session's connection; empty: unknown
    std::string data;         // the beginning of it
    bool dataIsOwners = true; // false: it was written after the node's creation, perhaps by another client
    std::string who;          // the host that the owner's data name, or "HOST PID NAME"; empty: no host
    queue::Library library{};
    history::NodeRole role{};
    Zxid created;               // czxid; none: unknown
    std::int64_t createdMs = 0; // ctime
    bool holds = false;
    bool waits = false;          // neither holds nor waits: its recipe does not show which
    bool mayHold = false;        // neither: it was there before those in front of it
    bool inAcquireMutex = false; // of a semaphore
    std::optional<HeldSince> heldSince{};
    std::string behind{};   // the node that it waits for; empty: not known which, or any of several leases
    bool connected = false; // by the last poll
    Duration timeout{};
    std::optional<Duration> silentAtLeast{}, silentAtMost{}, expiresIn{};
};

// The best known name; empty if only the session is known. A host alone (Curator's data) may have many
// clients.
inline std::string nameOf(const Participant& one)
{
    if (one.who.find(' ') == std::string::npos && !one.who.empty())
        return one.address.starts_with(one.who + ':') ? one.address : one.who;
    if (!one.who.empty())
        return one.who;
    if (one.library == queue::Library::kazoo && one.dataIsOwners && !one.data.empty())
        return one.data; // its identifier
    return one.address;
}

// No server heard from a session in this time, at least; longer than it is silent while its client works.
struct SilentSpan
{
    std::int64_t fromMs = 0, toMs = 0;
};

struct EndedHold
{
    std::string client; // as nameOf(); empty: only the session is known
    SessionId session;
    HeldSince since;
    std::optional<std::int64_t> waitedMs; // none: not known
    std::optional<std::int64_t> endedMs;  // none: it ended while there was no news
    std::optional<SilentSpan> silent{};   // none: not known, or not unusually long
    bool silenceKnown = false;
};

// A wait that is not over, and where its time went.
struct LongWait
{
    static constexpr std::int64_t kLeastMs = 1'000; // shorter ones are not divided
    struct Holder
    {
        std::string client; // as nameOf(); empty: only the session is known
        SessionId session;
    };
    std::string node, client;
    SessionId session;
    queue::WaitSplit split;      // in ms
    std::vector<Holder> holders; // by the numbers of the split
};

struct LiveEnds
{
    std::uint64_t deletedSessionAlive = 0, sessionGone = 0, gaveUp = 0, unknown = 0, open = 0;
};

// What is known about who holds.
enum class HoldState : std::uint8_t {
    held,
    free,     // the recipe is known, everything was read, and nobody holds
    notKnown, // sequential nodes of no known recipe
    noLock,   // registrations
};

struct LockStatus
{
    std::string path;
    HoldState state = HoldState::free;
    history::Recipe recipe{};
    queue::Library otherLibrary{}; // of registrations, and of nodes that do not show who holds
    std::uint64_t acquisitions = 0, handoffs = 0;
    LiveEnds ends;
    std::optional<history::EndCounts> endsByLog{};     // see addLogFacts()
    std::int64_t longestHoldMs = 0, longestWaitMs = 0; // including holds and waits that are not over
    std::int64_t longestWaitNowMs = 0;
    // The last holds that ended and the last waits that led to a hold; not sorted.
    std::vector<std::int64_t> holdsMs{}, waitsMs{};
    std::vector<EndedHold> lastHolds{}; // the newest last; only of requested locks
    std::uint32_t deepestQueue = 0;
    std::uint32_t holders = 0, waiting = 0;
    double handoffsPerMinute = 0;      // over the last minute
    std::optional<Participant> holder; // the first holder
    std::optional<Diagnosis> diagnosis;
    std::optional<LongWait> longWait{};      // the longest one now; none: it is short, or of a semaphore
    std::vector<Participant> participants{}; // in queue order; only of requested locks
};

enum class WatchState : std::uint8_t { connecting, reading, everyChange, byListing, outOfContact };

// Without news: without contact, while the servers did not answer us, or while the tree was read again.
struct WatchGap
{
    std::int64_t fromMs = 0;          // the last thing heard before it
    std::optional<std::int64_t> toMs; // none: not over yet
};

struct GivenVerdict // on a lock
{
    std::string path;
    Diagnosis diagnosis; // as it was last
    std::int64_t fromMs = 0;
    std::optional<std::int64_t> toMs{}; // none: it stands
};

struct PathStatus // of a requested path
{
    enum class Kind : std::uint8_t { there, missing, notPermitted };
    std::string path;
    Kind kind{};
    std::optional<Participant> node{}; // the path itself, if it is there and could be read
    std::size_t children = 0;
    // Among the children: registrations; nodes of a recipe that does not show who holds; others with a number
    // of the server; ephemeral nodes.
    std::size_t registrations = 0, hidden = 0, numbered = 0, ephemeral = 0;
    const queue::Scheme* scheme = nullptr; // of the registrations, or else of the hidden ones; null: none
    bool isSemaphore = false;              // the folder of its leases, or of its entrance, is there
    std::size_t mayBeLocks = 0; // nodes at any depth below, of no lock that is known; see WatchOptions
    std::string mayBeLock{};    // the first of them
};

struct Snapshot
{
    WatchState watching = WatchState::connecting;
    std::string server;
    std::string mode{}; // of that server: "leader", "follower", "observer", "read-only"; empty: not known
    SessionId session;  // our own
    std::int64_t atMs = 0, sinceMs = 0;          // now; the begin of all counts
    std::optional<std::int64_t> noNewsSinceMs{}; // the state is known up to then; none: up to now
    std::optional<Error> trouble{};              // why the paths cannot be read at present
    std::uint64_t answers = 0; // the most nodes and lists that one reading of the paths has received
    bool readOnly = false;     // the server has no quorum: its state may be old
    std::optional<std::int64_t> clockAheadMs{}; // the servers' clock minus ours; none: assumed 0
    std::uint64_t nodesCreated = 0, nodesDeleted = 0, statUnknown = 0, unreadable = 0;
    std::vector<WatchGap> gaps;
    std::vector<PathStatus> paths;
    std::vector<std::string> foldersNotPermitted{}; // below the paths; what is in them is not known
    std::vector<LockStatus> locks; // with a diagnosis first; long waits before short ones; then by path
    std::vector<std::pair<std::string, Diagnosis>> folders;
    struct Forgotten // locks whose path has been gone for long, or that are too many
    {
        std::uint64_t locks = 0, acquisitions = 0, handoffs = 0;
    };
    Forgotten forgotten;
    std::vector<GivenVerdict> verdicts;  // all that were given, in the order of their begin
    std::string whyByListing{};          // the server's answer to a persistent watch
    bool listsForNow = false;            // there was no such answer: the watch is asked for again
    std::vector<Message> notPermitted{}; // refused four-letter words, with the remedy
    std::uint64_t sessionPolls = 0;

    std::int64_t knownMs() const { return noNewsSinceMs.value_or(atMs); }
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace lockscope::field
