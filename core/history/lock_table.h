// The locks that a history tells of. Transactions go in, in the order of their zxids; each lock's queue, acquisitions and
// their ends come out. Only the server's word: what a client believed is in no log.
// - First in the queue under the recipe's rule is "entitled": the front of a mutex, the readers before the first writer, a
//   writer at the front, a lease once its session left the acquire mutex. One stay in the queue that came to be entitled is an
//   acquisition.
// - A handoff is an acquisition whose node was already waiting when the one before ended.
// - Times are the leader's wall clock in ms. A clock that went back makes a span of 0.
// Memory: in proportion to the locks and the nodes that live; nothing is kept of other transactions. One thread at a time.
#pragma once

#include "core/history/lock_event.h"
#include "core/history/sequential_name.h"
#include "core/history/transaction.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::history {

class LockTable
{
public:
    struct Options
    {
        std::optional<SessionId> session{}; // only acquisitions of this one are counted
        // Sorted paths of nodes of a fixed name that are known to be locks: from their first creation on, and not only
        // from when a second session makes one.
        std::vector<std::string> fixedNames{};
    };

    LockTable() = default;
    explicit LockTable(Options options)
        : m_options(std::move(options))
    {}
    LockTable(const LockTable&) = delete;
    LockTable& operator=(const LockTable&) = delete;

    // Is called for what happens on a lock whose path begins so; texts are valid during the call. Before the first
    // transaction.
    void listen(LockListener listener) { m_listener = std::move(listener); }

    void apply(const Transaction& transaction);

    // The nodes there are now, at the end of a gap: the others ended in it, for an unknown reason.
    void resync(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs);
    // After a gap that no snapshot fills. A node that is named yet was there all the time.
    void loseNodes(Zxid zxid, std::int64_t timeMs);
    // Counts anew from here on; who is entitled now counts as an acquisition.
    void resetCounts();
    // Notifies of all nodes as they stand before the transaction with this zxid and time.
    void notifyNodes(Zxid zxid, std::int64_t timeMs);

    // A parent of lock nodes that has none yet: kazoo's semaphore is known by the one of its acquire mutex.
    void addQueue(std::string_view path) { queueFor(path); }
    // Curator's, which has no lease yet.
    void addSemaphore(std::string_view path);

    // Sorted by path.
    void forEachLock(const std::function<void(LockSummary&&)>& visitor) const;
    // A node of a lock, as it stands now. Texts are valid during the visit.
    struct Queued
    {
        std::string_view path;
        NodeRole role{};
        SessionId session;
        Zxid created;
        std::int64_t createdMs = 0, entitledMs = 0;
        bool entitled = false, beforeLog = false;
        bool inAcquireMutex = false; // of a semaphore
    };
    // Every lock with its nodes in the order of its queue; of a semaphore its leases, then those of its acquire mutex. `lock`:
    // as in LockEvent. In the order in which the locks were first seen.
    using Visitor = std::function<void(std::uint32_t lock, const LockSummary& summary, const std::vector<Queued>& nodes)>;
    void visit(const Visitor& visitor) const;

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::size_t kMaxSingleUse = 1'000'000;

    struct Node
    {
        std::string path;
        std::uint32_t queue = kNone; // kNone: a fixed name of one session
        std::uint32_t sessionNext = kNone, sessionPrevious = kNone;
        std::uint32_t partner = kNone;     // a lease's node in the acquire mutex; of that one: its newest lease
        std::uint32_t olderLease = kNone;  // of the same node in the acquire mutex
        SessionId session;
        Zxid created;
        std::int64_t createdMs = 0, entitledMs = 0, waitFromMs = 0;
        std::int64_t order = 0;
        NodeRole role{};
        bool entitled = false, ephemeral = true, beforeLog = false;
        bool handoff = false; // it was entitled by one
        std::optional<std::int64_t> notEntitledMs{}; // as in LockNode
    };
    struct Queue
    {
        std::string path; // the parent's; of a fixed name the node's own
        std::vector<std::uint32_t> nodes; // in order
        std::uint8_t namings = 0, roles = 0; // bits
        std::uint32_t acquireMutex = kNone; // a semaphore's
        std::uint32_t leases = kNone;   // the acquire mutex's: whose it is
        std::optional<std::int32_t> firstNumber; // the first one whose creation was seen
        std::uint32_t inside = 0, mostInside = 0, pendingHandoffs = 0; // a semaphore's leases
        EndCounts ends;                                                // `open` is counted by summaryOf()
        std::uint64_t handoffs = 0;
        std::int64_t longestHoldMs = 0, longestWaitMs = 0, lastUsedMs = 0;
        std::uint32_t deepest = 0;
        bool kazooLeases = false;
        bool used = false;                             // since the counts began
        bool touched = false, touchedByEnd = false;    // in m_touched; an acquisition ended
    };
    struct FixedName // created by one session so far
    {
        SessionId session;
        EndCounts ends;
        std::int64_t longestHoldMs = 0;
        std::uint32_t queue = kNone; // once two sessions did
        std::uint32_t live = kNone;
    };
    struct TextHash
    {
        using is_avalanching = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    template <class Value>
    using TextMap = boost::unordered_flat_map<std::string_view, Value, TextHash>; // keys point into the values' objects

    void create(const Change& change);
    void createFixed(const Change& change, const SnapshotNode* from = nullptr);
    void remove(std::string_view path, EndReason reason);
    void addFromLateMention(std::string_view path, SessionId owner);
    void addLost(std::string_view path, SessionId owner);
    void adopt(std::uint32_t node, SessionId owner);
    void closeSession(const Transaction& transaction);
    std::uint32_t addNode(std::string_view path, SessionId session, const SnapshotNode* from = nullptr);
    std::uint32_t queueFor(std::string_view path);
    void enter(std::uint32_t node, std::uint32_t queue, const SequentialName& name, std::string_view data,
               std::string_view acl = {});
    void enterLease(std::uint32_t node, Queue& queue);
    void leave(std::uint32_t node, EndReason reason);
    void leaveSemaphore(Node& node, Queue& queue, EndReason reason);
    void leaveFixed(std::uint32_t node, EndReason reason);
    void drop(std::uint32_t node);
    void grant(std::uint32_t node, bool handoff) { grant(node, handoff, m_timeMs); }
    void grant(std::uint32_t node, bool handoff, std::int64_t sinceMs);
    void grantFront(std::uint32_t queue, bool handoff);
    void grantReadersOf(SessionId session, const std::vector<std::uint32_t>& nodes);
    void markTouched(std::uint32_t queue, bool ended);
    void grantTouched();
    bool isLockNode(const Change& change, SequentialName& name) const;
    void addFromSnapshot(const SnapshotNode& node);
    void revokeBehind(Queue& queue, std::size_t place);
    std::size_t placeOf(const Queue& queue, std::uint32_t node) const;
    std::uint32_t leasesQueue(std::string_view name, std::string_view parent);
    void grantLease(std::uint32_t lease);
    // Only the first one in the acquire mutex makes a lease: where a session is not known, it is that one's.
    static bool isPartner(const Node& first, const Node& lease)
    {
        return first.session == lease.session || !first.session.valid() || !lease.session.valid();
    }
    void measureDepth(Queue& queue);
    bool counts(const Node& node) const { return !m_options.session || node.session == *m_options.session; }
    void link(std::uint32_t node);
    void unlink(std::uint32_t node);
    void setData(const Change& change);
    void notify(LockEvent::Kind kind, std::uint32_t node, EndReason reason = {}, std::string_view data = {},
                std::string_view acl = {});
    void forgetUnusedNames();
    std::string_view lockPath(const Queue& queue) const;
    bool isPartOfSemaphore(const Queue& queue) const { return queue.leases != kNone && m_locks[queue.leases].roles != 0; }
    LockSummary summaryOf(const Queue& queue) const;
    bool isUsed(const Queue& queue, const LockSummary& summary) const;
    bool isNumbered(const Change& change, const SequentialName& name) const;
    static Recipe recipeOf(const Queue& queue);

    Options m_options;
    LockListener m_listener;
    std::deque<Node> m_nodes;
    std::vector<std::uint32_t> m_freeNodes;
    std::deque<Queue> m_locks;
    TextMap<std::uint32_t> m_nodeByPath;
    TextMap<std::uint32_t> m_lockByPath;
    boost::unordered_flat_map<std::size_t, FixedName> m_fixedNames; // by the hash of the path
    boost::unordered_flat_map<std::int64_t, std::uint32_t> m_sessions; // its first node
    struct LostNode
    {
        SessionId session;
        Zxid created;
        std::int64_t createdMs = 0, entitledMs = 0, waitFromMs = 0;
        bool entitled = false, counted = false;
    };
    boost::unordered_flat_map<std::string, LostNode> m_lost; // of the last gap, by path
    std::size_t m_mostFixedNames = kMaxSingleUse; // then those that are not needed are forgotten
    // Of the transaction that is being applied. Who is entitled is decided at its end: its changes are made together.
    std::vector<std::uint32_t> m_touched; // queues
    bool m_resyncing = false;
    SessionId m_by;
    Zxid m_zxid;
    std::int32_t m_cxid = 0;
    std::int64_t m_timeMs = 0;
};

} // namespace lockscope::history
