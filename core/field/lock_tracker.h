// Derives the locks of other programs from their nodes: the tree below the watched paths, the locks in it by
// the rules of history, and what a live watch adds: how holds ended, when they began, and by which client. No
// I/O; one thread.
// - Nodes are entered as they are seen, in the server's order; `ms` is a time by the servers' wall clock.
// - Between beginReading() and endReading() the whole tree is read: a known node that is not read then has
// vanished
//   unseen.
#pragma once

#include "core/field/session_poll.h"
#include "core/field/snapshot.h"
#include "core/field/watch_options.h"
#include "core/history/lock_table.h"
#include "core/zk/wire/messages.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::field {

struct NodeFacts
{
    zk::wire::NodeStat stat;
    std::string data;
    bool notPermitted = false; // to read its data
};

class LockTracker
{
public:
    // `cleanedAfter`: as in WatchOptions.
    explicit LockTracker(Duration cleanedAfter = kCleanedAfter);

    void beginReading();
    void read(const std::string& path, const NodeFacts& facts);
    void readUnpermitted(const std::string& path); // the node exists, but its data may not be read
    // The children of `path` were listed, with this Stat of it. The children themselves are read separately.
    // `keepsLastChange`: the server sets the Stat's pzxid at every creation and deletion.
    void readList(const std::string& path, const zk::Stat& stat, bool keepsLastChange = false);
    // `gapFromMs`: when contact was lost; none at the first reading.
    void endReading(std::int64_t nowMs, std::optional<std::int64_t> gapFromMs);
    // `facts`: null if the node was gone before it could be read.
    // Both return whether it may be a node of a lock. `sinceMs`: it arrived late, and happened between this
    // and `ms`.
    bool created(const std::string& path, const NodeFacts* facts, std::int64_t ms);
    bool deleted(const std::string& path, std::int64_t ms, std::optional<std::int64_t> sinceMs = {});
    void tick(std::int64_t nowMs);
    void take(const SessionPoll& poll, std::int64_t nowMs);
    // Without news there are no verdicts, and since the begin of a gap no hold is known to have gone on.
    void setNews(bool arrive, std::optional<std::int64_t> gapFromMs)
    {
        m_news = arrive;
        m_unseenSinceMs = gapFromMs;
    }
    // The servers did not answer us in this time, and do now. What happened in it has been entered.
    void newsAgain(std::int64_t fromMs, std::int64_t toMs);
    std::int64_t latestMs() const { return m_nowMs; }

    bool knows(const std::string& path) const { return m_tree.contains(path); }
    bool isReading() const { return m_reading; }
    bool wantsWatches() const { return m_wantsWatches; } // fill() needs watch tables for its verdicts
    std::size_t childCount(const std::string& path) const;
    std::vector<std::string> childrenOf(const std::string& path) const; // names
    // What is at this path and below it. `everyNode`: also in which nodes there may be locks.
    PathStatus statusOf(const std::string& path, PathStatus::Kind kind, bool everyNode = false) const;
    // Before anything is read: keeps the data of this node, whatever it is. If it is ephemeral, it is a lock.
    void request(const std::string& path)
    {
        m_requested.insert(path);
        m_table.addFixedName(path);
    }
    // `listener`: gets the events in order, as from a history. `applied`: called after all events of one
    // change. `forgotten`: called with the number of a lock that has no more events.
    void listen(history::LockListener listener, std::function<void()> applied = {},
                std::function<void(std::uint32_t)> forgotten = {})
    {
        m_listener = std::move(listener);
        m_applied = std::move(applied);
        m_onForgotten = std::move(forgotten);
    }
    // Called for each node below the paths, whatever it is: it is there now (`facts`: null if it was gone
    // before it could be read, or may not be read), or it is gone.
    using NodeListener = std::function<void(const std::string& path, bool there, const NodeFacts* facts)>;
    void onNode(NodeListener listener) { m_onNode = std::move(listener); }

    enum class Rows : std::uint8_t {
        all,
        present // without the locks whose path has been gone for kShownWhenGone
    };
    static constexpr Duration kShownWhenGone = std::chrono::minutes(5);
    // Empty locks whose path is gone are forgotten after this time, and the oldest of them when there are
    // more.
    static constexpr Duration kForgottenAfter = std::chrono::minutes(15);
    static constexpr std::size_t kMostGone = 1'000;
    static constexpr std::size_t kShownHolds =
        20; // of a lock, in a snapshot; more are kept while clients wait
    // Fills locks and folders. `detailed`: the locks whose participants to include.
    void fill(Snapshot& snapshot, const std::set<std::string>& detailed, bool everyDetail,
              Rows rows = Rows::all);
    bool hasOpenEnds() const { return !m_endings.empty(); } // holds whose end is not yet known

private:
    struct Node
    {
        SessionId session;
        Zxid czxid;
        std::int64_t createdMs = 0;
        Zxid mzxid;
        std::string data; // the beginning of it; of lock nodes only
        std::uint32_t children = 0;
        std::optional<std::int32_t> creations; // of children so far
        bool unknown = false, ephemeral = false, wasParent = false, hasData = false, read = false;
        bool notPermitted = false;
        bool sinceGap = false; // its hold began at an unknown time in a gap
        std::int64_t emptySinceMs = 0;
        std::optional<HeldSince> heldSince;
    };
    struct LastSpans
    {
        static constexpr std::size_t kKept = 200;
        std::vector<std::int64_t> ms; // a ring buffer
        std::uint64_t seen = 0;
        void add(std::int64_t span);
    };
    struct QueueStats // of one queue in the table
    {
        std::uint64_t alive = 0, gone = 0;
        std::array<std::uint32_t, 6> handoffs{}; // of the last six spans of 10 s
        std::uint64_t handoffsBefore = 0;
        LastSpans holds, waits;
        std::vector<EndedHold> lastHolds;                  // the newest last
        std::int64_t oldestWaitMs = 0;                     // its begin, when the row was made last; 0: none
        std::int64_t longestHoldMs = 0, longestWaitMs = 0; // of those whose begin and end were seen in time
        std::int64_t lastChangeMs = 0;
        std::string holderNode;
        std::uint32_t requestsBefore = 0; // requestsSeen of the holder's session when its hold was first seen
        std::string unwatched;            // the node of the next waiter, if it has no watch on any node ahead
        std::uint32_t unwatchedPolls = 0; // the number of consecutive answers in which it had none
        std::string entrance;             // of a semaphore without a lease: the first node of its entrance
        std::int64_t entranceSinceMs = 0;
        std::string
            chainFront; // of a recipe that is not known: the first node when all behind it last waited
        std::uint32_t chains = 0; // in so many answers with different first nodes, less those in which not
        std::string unaware; // the last node that had no watch in two answers: it may not notice its turn
    };
    // By session: the rows in which it waits.
    struct Waiting
    {
        const std::vector<LockStatus>& rows;
        std::map<SessionId, std::vector<std::size_t>> in;
    };
    struct Ending // of a hold that has ended, but not yet known how
    {
        std::uint32_t lock = 0;
        SessionId session;
        std::int64_t ms = 0;
        MonotonicTime seen{};
        bool together = false; // another node of its session ended with it
        bool silent = false;   // the session had been silent for about its timeout
    };
    void noteSemaphore(std::string_view path, const Node& node);
    Node& enter(const std::string& path, const NodeFacts* facts, std::int64_t ms);
    void apply(history::ChangeKind kind, const std::string& path, const Node& node, std::int64_t ms);
    static bool isCandidate(std::string_view path, const Node& node);
    static bool mayMatter(std::string_view path, const Node& node);
    std::optional<std::int32_t> creationsIn(std::string_view parent) const;
    bool mayBeLock(std::string_view path, const Node& node) const;
    void noteWrapped(std::string_view path);
    void erase(const std::string& path);
    std::optional<Participant> nodeAt(const std::string& path) const;
    void onLockEvent(const history::LockEvent& event);
    void noteEnd(const history::LockEvent& event);
    void keepHold(QueueStats& stats, const std::string& path, const Node& node, std::int64_t ms) const;
    std::optional<SilentSpan> silentSpan(SessionId session) const;
    bool isSilenceKnown(SessionId session) const;
    std::optional<LongWait> longWaitIn(const LockStatus& row, const QueueStats& stats,
                                       const Snapshot& snapshot) const;
    void aliveAfter(SessionId session);
    void forgetEndings();
    Participant participant(const history::LockTable::Queued& queued) const;
    LockStatus rowOf(std::uint32_t lock, const history::LockSummary& summary,
                     const std::vector<history::LockTable::Queued>& nodes, bool detailed);
    bool isPathGone(const history::LockSummary& summary) const;
    bool isGone(std::uint32_t lock, const history::LockSummary& summary) const;
    void forgetGone();
    void diagnose(LockStatus& row, QueueStats& stats, const Waiting& waiting);
    std::optional<Diagnosis> waitsElsewhere(const LockStatus& row, const Waiting& waiting) const;
    std::optional<Diagnosis> diagnoseOwner(const LockStatus& row) const;
    void noteUnknownOwners(const SessionPoll& poll);
    void nameOtherNodes(std::vector<LockStatus>& rows) const;
    void keepGiven(const std::vector<LockStatus>& rows);
    void settle(std::int64_t gapFromMs);
    bool wasSeenWhole(const Node& node) const;
    bool isSettling() const;
    std::optional<Diagnosis> diagnoseFront(const LockStatus& row) const;
    std::optional<Diagnosis> diagnoseEntrance(const LockStatus& row, const QueueStats& stats) const;
    void addForeign(LockStatus& row, std::string_view name) const;
    std::optional<Diagnosis> diagnoseNaming(const LockStatus& row) const;
    std::optional<Diagnosis> diagnoseForgotten(const LockStatus& row, const QueueStats& stats) const;
    std::optional<Diagnosis> silent(const LockStatus& row) const;
    std::optional<Diagnosis> unwatched(const LockStatus& row, const QueueStats& stats) const;
    std::optional<Diagnosis> diagnoseSlow(const LockStatus& row, const QueueStats& stats) const;
    void diagnoseDeadlocks(std::vector<LockStatus>& rows);
    void diagnoseFolders();
    void updateMissingWatches(const SessionPoll& poll);
    static bool isWaitingSeen(const std::vector<history::LockTable::Queued>& nodes,
                              const server::WatchTable& watches, QueueStats& stats);
    static bool countEachOther(const std::vector<history::LockTable::Queued>& nodes,
                               const server::WatchTable& watches);

    const Duration m_cleanedAfter;
    std::map<std::string, Node, std::less<>> m_tree;
    std::set<std::string, std::less<>> m_requested;
    history::LockTable m_table;
    history::LockListener m_listener;
    std::function<void()> m_applied;
    std::function<void(std::uint32_t)> m_onForgotten;
    NodeListener m_onNode = [](const std::string&, bool, const NodeFacts*) {};
    Snapshot::Forgotten m_forgotten;
    struct ListRead // of one parent, while the tree is read
    {
        std::size_t children = 0;
        Zxid lastChange; // pzxid
        std::size_t seen = 0;
        Zxid newest{0};
        std::int64_t newestMs = 0;
    };
    const ListRead* unchangedList(std::string_view parent) const;
    bool nothingWasDeletedFrom(std::string_view parent) const;
    HeldSince heldBeforeReading(const history::LockNode& node, std::int64_t createdMs) const;
    boost::unordered_flat_map<std::string, ListRead> m_lists;
    boost::unordered_flat_map<std::uint32_t, QueueStats> m_stats;
    boost::unordered_flat_map<std::int64_t, std::vector<Ending>> m_endings; // by session
    std::vector<std::pair<std::string, Diagnosis>> m_folders;
    std::int64_t m_foldersMs = 0;
    boost::unordered_flat_map<std::int64_t, std::int64_t> m_deletedBySession; // when a node of it last went
    SessionPoll m_sessionPoll;
    bool m_reading = false, m_wantsWatches = false;
    std::optional<std::int64_t> m_gapFromMs;     // of the gap whose end is being read
    std::optional<std::int64_t> m_unseenSinceMs; // of the gap that is not over
    std::int64_t m_readMs = 0;                   // when the tree was last read
    bool m_news = true;
    std::optional<std::int64_t> m_changedSinceMs; // the current change happened between this and its time
    std::int64_t m_settledMs = 0;                 // when clients work as usual again after a gap
    std::int64_t m_gapToMs = 0;                   // the end of the last gap
    std::int64_t m_nowMs = 0, m_bucketMs = 0;
    std::map<std::string, std::int64_t> m_deadlocks; // the current circles: since when each exists
    std::map<SessionId, std::uint32_t>
        m_unknownOwners; // holders that no server knew, in so many rounds in a row
    std::vector<GivenVerdict> m_given;
};

} // namespace lockscope::field
