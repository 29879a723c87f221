// Derives the locks of a history from its transactions, which are applied in the order of their zxids: each
// lock's queue, its acquisitions and their ends. This is the server's view: no log records what a client
// believed.
// - Whose node it is and who waits behind whom is decided by core/queue. A node that is first under the
// recipe's rule is
//   "entitled": the front of a mutex, the readers before the first writer, a writer at the front, a lease
//   once its session has left the acquire mutex (kazoo: once it is created). The stay of a node that became
//   entitled is one acquisition. No node becomes entitled behind a foreign node that its library takes for
//   one in front.
// - Sequential nodes of no known recipe are in order and nothing else, until noteWaiting().
// - A handoff is an acquisition whose node was already waiting when the previous acquisition ended.
// - Times are the leader's wall clock in ms. If the clock went back, a negative span counts as 0.
// Memory: in proportion to the locks and the live nodes; other transactions leave nothing. One thread at a
// time.
#pragma once

#include "core/history/lock_event.h"
#include "core/history/transaction.h"
#include "core/queue/standing.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::history {

class LockTable
{
public:
    struct Options
    {
        std::optional<SessionId> session{}; // only acquisitions of this session are counted
    };

    LockTable() = default;
    explicit LockTable(Options options)
        : m_options(std::move(options))
    {}
    LockTable(const LockTable&) = delete;
    LockTable& operator=(const LockTable&) = delete;

    // An ephemeral node at this path is a lock, because the caller says so. Others of a fixed name that no
    // scheme knows may be registrations: once two sessions have made one, it is listed, and nothing is
    // claimed. Call before the first transaction.
    void addFixedName(std::string path);
    // The listener is called for each event of every lock; texts are valid only during the call. Call before
    // the first transaction.
    void listen(LockListener listener) { m_listener = std::move(listener); }

    void apply(const Transaction& transaction);

    // `nodes`: all that exist at the end of a gap. The others ended in the gap, for an unknown reason.
    // `unchangedSince`: since when no child of a parent has been deleted, if that is known.
    using UnchangedSince = std::function<std::optional<Zxid>(std::string_view parent)>;
    void resync(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs,
                const UnchangedSince& unchangedSince = {});
    // At a gap after which the nodes are unknown: loses sight of all. Each may have ended. As long as that is
    // unknown, so is who is first behind it. One that a later transaction mentions existed all the time.
    void loseNodes(Zxid zxid, std::int64_t timeMs);
    // What was there before the first transaction is unknown.
    void beginInside() { m_beginsInside = true; }
    // Called when a parent's cversion shows that creations below it are missing, though no gap was reported
    // since the last one; sight of all nodes is then lost. The transaction that shows it is being applied.
    void listenToMissing(std::function<void()> listener) { m_missingListener = std::move(listener); }
    // Whether a node exists of which it is unknown whether it is entitled.
    bool isUnsure(std::string_view path) const;
    // Starts the counts anew; a node that is entitled now counts as an acquisition.
    void resetCounts();
    // Reports all nodes in their state before the transaction with this zxid and time.
    void notifyNodes(Zxid zxid, std::int64_t timeMs);

    // Adds a parent that has no lock nodes yet: kazoo's semaphore is recognized by the queue of its acquire
    // mutex.
    void addQueue(std::string_view path) { queueFor(path); }
    // Adds a Curator semaphore that has no lease yet.
    void addSemaphore(std::string_view path);
    // `lock`: as in LockEvent. Nodes of an unknown recipe, or of two libraries, were seen to wait for those
    // in front of them: they are one queue.
    void noteWaiting(std::uint32_t lock);

    // Visits every lock that was used, sorted by path.
    void forEachLock(const std::function<void(LockSummary&&)>& visitor) const;
    // A node of a lock in its current state. Texts are valid only during the visit.
    struct Queued
    {
        std::string_view path;
        NodeRole role{};
        SessionId session;
        Zxid created;
        std::int64_t createdMs = 0, entitledMs = 0;
        bool entitled = false, beforeLog = false;
        bool inAcquireMutex = false; // of a semaphore
        bool unsure = false;         // as in LockNode
        bool waits = false;          // neither entitled nor waiting: it is of no known recipe
        std::string_view behind{};   // the name of the node that it waits for; empty: not known which
        queue::Library library{};
    };
    // Visits every lock that was used, in the order in which the locks were first seen, with its nodes in
    // queue order; a semaphore's leases come before the nodes of its acquire mutex. `lock`: as in LockEvent.
    using Visitor =
        std::function<void(std::uint32_t lock, const LockSummary& summary, const std::vector<Queued>& nodes)>;
    void visit(const Visitor& visitor) const;
    // Forgets the locks without nodes for which `isForgotten` is true, with their counts. Their numbers are
    // not used again.
    void forget(const std::function<bool(std::uint32_t lock, const LockSummary& summary)>& isForgotten);

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::size_t kMostFixedNames = 1'000'000;

    struct Node
    {
        std::string path;
        std::uint32_t queue = kNone; // kNone: a fixed name of one session, of which no lock is known
        std::uint32_t sessionNext = kNone, sessionPrevious = kNone;
        std::uint32_t partner =
            kNone; // of a lease: its node in the acquire mutex; of that node: its newest lease
        std::uint32_t olderLease = kNone; // the next older lease of the same node in the acquire mutex
        SessionId session;
        Zxid created;
        std::int64_t createdMs = 0, entitledMs = 0, waitFromMs = 0;
        std::int64_t order = 0;
        std::int32_t number = 0;
        NodeRole role{};
        queue::Library library{};
        bool entitled = false, ephemeral = true, beforeLog = false;
        bool lost = false; // sight of it was lost in a gap: it may have ended
        bool odd = false;  // persistent, though its recipe makes no such nodes, or is not known by the name
        bool mayHold = false;      // it was there before all those in front of it: it may have been first
        bool handoff = false;      // became entitled by a handoff
        bool sinceUnknown = false; // as in LockNode
        std::optional<std::int64_t> notEntitledMs{}; // as in LockNode
    };
    struct Queue
    {
        std::uint32_t number = 0; // as in LockEvent
        std::string path;         // of the parent; for a fixed name, of the node itself; empty: forgotten
        std::vector<std::uint32_t> nodes; // in order
        queue::Seen seen;
        std::uint32_t acquireMutex = kNone;      // of a semaphore's lease queue
        std::uint32_t leases = kNone;            // of an acquire mutex: the lease queue
        std::optional<std::int32_t> firstNumber; // of the first node whose creation was seen
        std::optional<std::int32_t> cversion; // of the parent, after the last node that was created below it
        std::uint64_t missedCreates = 0;
        bool mayMiss = false;   // there was a gap since the cversion was seen
        std::uint32_t lost = 0; // nodes
        Zxid knownSince;        // as in LockSummary
        std::int64_t knownSinceMs = 0;
        std::uint32_t inside = 0, mostInside = 0, pendingHandoffs = 0; // of a semaphore's leases
        EndCounts ends;                                                // `open` is counted by summaryOf()
        std::uint64_t handoffs = 0;
        std::int64_t longestHoldMs = 0, longestWaitMs = 0, lastUsedMs = 0;
        std::uint32_t deepest = 0;
        bool kazooLeases = false, waitingSeen = false, fixedName = false;
        bool ephemeralSeen = false;                 // or a persistent node of a recipe that makes them
        bool used = false;                          // since the counts began
        bool touched = false, touchedByEnd = false; // in m_touched; an acquisition ended
        bool touchedLate = false;                   // a node was found to be gone, since an unknown time
    };
    struct TextHash
    {
        using is_avalanching = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <class Value>
    using TextMap =
        boost::unordered_flat_map<std::string_view, Value, TextHash>; // keys point into the values' objects

    struct Place // in a queue, by the name
    {
        queue::Library library{};
        NodeRole role{};
        std::int64_t order = 0;
        std::int32_t number = 0;
        bool odd = false; // as in Node
    };
    static std::optional<Place> placeFrom(std::string_view path, std::string_view data, bool ephemeral,
                                          std::optional<std::int32_t> creations, bool seen);
    void create(const Change& change);
    void createFixed(const Change& change, const SnapshotNode* from = nullptr);
    void adoptLeases(std::uint32_t leases);
    void noteForeign(std::string_view path, Zxid created);
    void forgetForeign(std::string_view path);
    std::string_view foreignBefore(const Queue& queue, const Node& node) const;
    std::string_view foreignInFront(const Queue& queue) const;
    NodeRole contenderRole(const Queue& queue, const Node& node) const;
    bool showsHolders(const Queue& queue) const { return queue.seen.showsHolders() || queue.waitingSeen; }
    // The clients of two recipes on one path do not count each other's names, unless some were seen to (kazoo
    // has extra_lock_patterns for it).
    bool isOneQueue(const Queue& queue) const { return queue.waitingSeen || !queue.seen.isOfTwoFamilies(); }
    bool countEachOther(const Queue& queue, const Node& a, const Node& b) const
    {
        return isOneQueue(queue) || queue::familyOf(a.library, a.role) == queue::familyOf(b.library, b.role);
    }
    void revokeWaiting(Queue& queue);
    void remove(std::string_view path, EndReason reason);
    void removeFolder(Queue& queue);
    void addFromLateMention(std::string_view path, SessionId owner);
    void findAgain(std::uint32_t node, SessionId owner);
    void noteCversion(const Change& change);
    void adopt(std::uint32_t node, SessionId owner);
    void closeSession(const Transaction& transaction);
    std::uint32_t addNode(std::string_view path, SessionId session, const SnapshotNode* from = nullptr);
    std::uint32_t queueFor(std::string_view path);
    void enter(std::uint32_t node, std::uint32_t queue, const Place& place, std::string_view data,
               std::string_view acl = {});
    void enterLease(std::uint32_t node, Queue& queue);
    void leave(std::uint32_t node, EndReason reason);
    void leaveSemaphore(Node& node, Queue& queue, EndReason reason);
    void leaveFixed(std::uint32_t node);
    void drop(std::uint32_t node);
    void grant(std::uint32_t node, bool handoff) { grant(node, handoff, m_timeMs); }
    void grant(std::uint32_t node, bool handoff, std::int64_t sinceMs);
    void grantFront(std::uint32_t queue, bool handoff);
    void grantReadersOf(SessionId session, const std::vector<std::uint32_t>& nodes);
    void grantEarlier(std::uint32_t queue);
    void markTouched(std::uint32_t queue, bool ended);
    void grantTouched();
    void addFromSnapshot(const SnapshotNode& node);
    void revokeBehind(Queue& queue, std::size_t place);
    std::size_t placeOf(const Queue& queue, std::uint32_t node) const;
    std::uint32_t leasesQueue(std::string_view name, std::string_view parent);
    void grantLease(std::uint32_t lease) { grantLease(lease, m_timeMs); }
    void grantLease(std::uint32_t lease, std::int64_t sinceMs);
    // Only the first node in the acquire mutex creates leases, so it owns a lease if either session is
    // unknown.
    static bool isPartner(const Node& first, const Node& lease)
    {
        return first.session == lease.session || !first.session.valid() || !lease.session.valid();
    }
    void measureDepth(Queue& queue);
    bool isUnsure(const Queue& queue, std::size_t place) const;
    void setLost(std::uint32_t node, bool lost);
    bool counts(const Node& node) const { return !m_options.session || node.session == *m_options.session; }
    void link(std::uint32_t node);
    void unlink(std::uint32_t node);
    void setData(const Change& change);
    void notify(LockEvent::Kind kind, std::uint32_t node, EndReason reason = {}, std::string_view data = {},
                std::string_view acl = {});
    void forgetQueue(std::uint32_t queue);
    std::string_view lockPath(const Queue& queue) const;
    bool isPartOfSemaphore(const Queue& queue) const
    {
        return queue.leases != kNone && m_locks[queue.leases].seen.any();
    }
    LockSummary summaryOf(const Queue& queue) const;
    bool isUsed(const Queue& queue, const LockSummary& summary) const;

    Options m_options;
    LockListener m_listener;
    std::function<void()> m_missingListener;
    std::deque<Node> m_nodes;
    std::vector<std::uint32_t> m_freeNodes;
    std::deque<Queue> m_locks;
    std::vector<std::uint32_t> m_freeLocks; // places in m_locks
    std::uint32_t m_nextNumber = 0;
    TextMap<std::uint32_t> m_nodeByPath;
    TextMap<std::uint32_t> m_lockByPath;
    std::set<std::string, std::less<>> m_asked; // fixed names that are locks
    boost::unordered_flat_map<std::size_t, SessionId>
        m_fixedNames; // who first made others; by the path's hash
    boost::unordered_flat_map<std::int64_t, std::uint32_t> m_sessions; // head of a session's list of nodes
    // Nodes of no lock whose whole names may sort before a number, with their creation; by parent.
    boost::unordered_flat_map<std::string, std::map<std::string, Zxid, std::less<>>> m_foreign;
    // Nodes that are kazoo's leases if the folder of an entrance turns up beside their parent: by parent and
    // name, with their data.
    boost::unordered_flat_map<std::string, std::map<std::string, std::string, std::less<>>> m_mayBeLeases;
    // State of the transaction being applied. Entitlement is decided at its end, as its changes take effect
    // together.
    std::vector<std::uint32_t> m_touched; // its queues
    bool m_beginsInside = false;          // a queue that is seen first may have nodes from before
    bool m_resyncing = false;             // since when a node is entitled is unknown
    UnchangedSince m_unchangedSince;
    SessionId m_by;
    Zxid m_zxid;
    std::int32_t m_cxid = 0;
    std::int64_t m_timeMs = 0;
};

} // namespace lockscope::history
