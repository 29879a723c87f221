// The locks of others as far as their nodes tell: the tree below the watched paths, the locks in it by the rules
// of history, and what live watching adds: how a hold ended, since when one holds, and who. No I/O; one thread.
// - Nodes go in as they were seen, in the server's order; `ms` are the servers' wall clock.
// - Between beginReading() and endReading() the tree is read as a whole: what was there before and is not any
//   more has gone unseen.
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
};

class LockTracker
{
public:
    // `cleanedAfter`: a parent that has been empty for so long is left over.
    explicit LockTracker(Duration cleanedAfter = kCleanedAfter);

    void beginReading();
    void read(const std::string& path, const NodeFacts& facts);
    void readUnpermitted(const std::string& path); // it is there, and its data may not be read
    // The list of its children, which read() and readUnpermitted() tell of, has come with this Stat.
    void readList(const std::string& path, std::size_t children, Zxid lastChange);
    // `gapFromMs`: since when nothing was seen; none the first time.
    void endReading(std::int64_t nowMs, std::optional<std::int64_t> gapFromMs);
    // Without facts: it was gone before it could be read.
    // Both say whether it is a node of a lock.
    bool created(const std::string& path, const NodeFacts* facts, std::int64_t ms);
    bool deleted(const std::string& path, std::int64_t ms);
    void tick(std::int64_t nowMs);
    void take(const SessionPoll& poll, std::int64_t nowMs);

    bool knows(const std::string& path) const { return m_tree.contains(path); }
    bool isReading() const { return m_reading; }
    bool wantsWatches() const { return m_wantsWatches; } // to judge by
    std::size_t childCount(const std::string& path) const;
    std::vector<std::string> childrenOf(const std::string& path) const; // names
    std::optional<Participant> ephemeralAt(const std::string& path) const;
    // `listener`: in the order of the events, as for a history. `applied`: after all events of one change.
    void listen(history::LockListener listener, std::function<void()> applied = {})
    {
        m_listener = std::move(listener);
        m_applied = std::move(applied);
    }

    enum class Rows : std::uint8_t {
        all,
        present // without the locks whose path has been gone for kShownWhenGone
    };
    static constexpr Duration kShownWhenGone = std::chrono::minutes(5);
    // Fills locks and folders. `detailed`: the locks whose participants are wanted.
    void fill(Snapshot& snapshot, const std::set<std::string>& detailed, bool everyDetail,
              Rows rows = Rows::all);
    bool hasOpenEnds() const { return !m_endings.empty(); } // holds whose end is not yet known

private:
    struct Node
    {
        SessionId session;
        Zxid czxid;
        std::int64_t createdMs = 0;
        std::string data; // its beginning; of lock nodes
        std::uint32_t children = 0;
        bool unknown = false, ephemeral = false, wasParent = false, hasData = false, read = false;
        std::int64_t emptySinceMs = 0;
        std::optional<HeldSince> heldSince;
    };
    struct LastSpans
    {
        static constexpr std::size_t kKept = 200;
        std::vector<std::int64_t> ms; // a ring
        std::uint64_t seen = 0;
        void add(std::int64_t span);
    };
    struct QueueStats // of one queue in the table
    {
        std::uint64_t alive = 0, gone = 0, lostInGap = 0;
        std::array<std::uint32_t, 6> handoffs{}; // of the last six spans of 10 s
        std::uint64_t handoffsBefore = 0;
        LastSpans holds, waits;
        std::int64_t lastChangeMs = 0;
        // The next in line, without a watch in so many answers.
        std::string holderNode; // and how many requests its session had made when it was first seen to hold
        std::uint32_t requestsBefore = 0;
        std::string unwatched;
        std::uint32_t unwatchedPolls = 0;
        std::string unaware; // and the last one that had none before its turn came
    };
    struct Ending // of a hold that is over
    {
        std::uint32_t lock = 0;
        SessionId session;
        std::int64_t ms = 0;
        MonotonicTime seen{};
        bool together = false; // with another node of its session
        bool silent = false;   // as long as an expiry takes
    };
    void noteSemaphore(std::string_view path, const Node& node);
    Node& enter(const std::string& path, const NodeFacts* facts, std::int64_t ms);
    void apply(history::ChangeKind kind, const std::string& path, const Node& node, std::int64_t ms);
    static bool isCandidate(std::string_view path, const Node& node);
    void erase(const std::string& path);
    void onLockEvent(const history::LockEvent& event);
    void noteEnd(const history::LockEvent& event);
    void aliveAfter(SessionId session);
    void forgetEndings();
    Participant participant(const history::LockTable::Queued& queued) const;
    LockStatus rowOf(std::uint32_t lock, const history::LockSummary& summary,
                     const std::vector<history::LockTable::Queued>& nodes, bool detailed);
    bool isGone(std::uint32_t lock, const history::LockSummary& summary) const;
    void diagnose(LockStatus& row, QueueStats& stats);
    bool isSettling() const;
    std::optional<Diagnosis> diagnoseFront(LockStatus& row) const;
    std::optional<Diagnosis> diagnoseNaming(const LockStatus& row) const;
    std::optional<Diagnosis> diagnoseForgotten(const LockStatus& row, const QueueStats& stats) const;
    std::optional<Diagnosis> silent(const LockStatus& row) const;
    std::optional<Diagnosis> unwatched(const LockStatus& row, const QueueStats& stats) const;
    std::optional<Diagnosis> diagnoseSlow(const LockStatus& row, const QueueStats& stats) const;
    void diagnoseDeadlocks(std::vector<LockStatus>& rows);
    void diagnoseFolders();
    void updateMissingWatches(const SessionPoll& poll);

    const Duration m_cleanedAfter;
    std::map<std::string, Node, std::less<>> m_tree;
    history::LockTable m_table;
    history::LockListener m_listener;
    std::function<void()> m_applied;
    struct ListRead // of one parent, while the tree is read
    {
        std::size_t children = 0;
        Zxid lastChange; // pzxid
        std::size_t seen = 0;
        Zxid newest{0};
        std::int64_t newestMs = 0;
    };
    std::optional<std::int64_t> unchangedSinceMs(std::string_view parent) const;
    HeldSince heldBeforeReading(const history::LockNode& node, std::int64_t createdMs) const;
    boost::unordered_flat_map<std::string, ListRead> m_lists;
    boost::unordered_flat_map<std::uint32_t, QueueStats> m_stats;
    boost::unordered_flat_map<std::int64_t, std::vector<Ending>> m_endings; // by session
    std::vector<std::pair<std::string, Diagnosis>> m_folders;
    std::int64_t m_foldersMs = 0;
    boost::unordered_flat_map<std::int64_t, std::int64_t> m_deletedBySession; // when it last deleted one
    SessionPoll m_sessionPoll;
    bool m_reading = false, m_wantsWatches = false;
    std::optional<std::int64_t> m_gapFromMs;
    std::int64_t m_readMs = 0; // when the tree was read last
    bool m_hadGap = false;
    std::int64_t m_nowMs = 0, m_bucketMs = 0;
    std::map<std::string, std::int64_t> m_deadlocks; // the circles that are seen, and since when
};

} // namespace lockscope::field
