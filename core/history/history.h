// A whole history: reads the files of one server and yields its locks and their events. One thread at a time;
// the files are only read.
#pragma once

#include "core/base/error.h"
#include "core/history/history_findings.h"
#include "core/history/history_reader.h"
#include "core/history/lock_table.h"
#include "core/queue/owner.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockscope::history {

// A node's time in the queue of a lock.
struct QueueEntry
{
    std::string lockPath, parent, node;
    std::string identity; // from the node's data; empty if that names no host
    std::size_t dataBytes = 0;
    std::string data;    // only with Options::withData
    SessionId session;   // none: unknown
    Zxid created, ended; // created none: before the log begins; ended none: still in the queue
    std::int64_t createdMs = 0;
    std::optional<std::int64_t> entitledMs, endedMs;
    // Valid once the node has ended. unknown: from `ended` on; what is known ends at knownUntilMs.
    EndReason reason = EndReason::unknown;
    SessionId endedBy;
    bool beforeLog = false;
    bool unconfirmed = false;  // created by a leader whose last transactions its successor may lack; see Gap
    bool unsure = false;       // whether it was entitled is unknown
    bool sinceUnknown = false; // it was entitled at `entitledMs`, or since an earlier time
    std::int64_t knownUntilMs = 0;
    // Only of a session that expired, if its timeout is known: no server has heard from it since then, or
    // since before.
    std::optional<std::int64_t> silentFromMs{};
    struct Write
    {
        Zxid zxid;
        std::int64_t timeMs = 0;
        SessionId by;
    };
    std::vector<Write> writes{}; // of other sessions to its data
};

// The folder of a lock's nodes was deleted by a session.
struct FolderDeletion
{
    std::string lockPath, parent;
    Zxid zxid;
    std::int64_t timeMs = 0;
    SessionId by;
};

using queue::identityOf;

// "/a/b" is at "/a/b", and below "/a" and "/".
bool isAtOrBelow(std::string_view path, std::string_view wanted);

class History : public HistoryReader::Consumer
{
public:
    struct Options
    {
        std::optional<std::int64_t> sinceMs{},
            untilMs{};                         // of the transactions that count; earlier ones are read, too
        std::optional<SessionId> session{};    // only the acquisitions of this session count
        std::string lock{};                    // only this lock and those below it; empty: all
        std::vector<std::string> locks{};      // the same for several, instead of `lock`
        std::vector<std::string> fixedNames{}; // as in LockTable::addFixedName()
        bool queueEntries = false;             // keep queueEntries() and findings()
        bool withData = false;
        bool follow = false;
    };

    // Error: badInput if there is nothing to read.
    static Result<std::unique_ptr<History>> open(const std::vector<std::filesystem::path>& paths,
                                                 Options options);

    HistoryReader::State read(std::uint64_t bytes);
    // Reports the events of the selected locks. Call before the first read(). With sinceMs, reports begin at
    // that time, with the nodes that exist then.
    void listen(LockListener listener) { m_listener = std::move(listener); }
    // Reports each gap before the nodes that exist after it.
    void listenToGaps(std::function<void(const Gap&)> listener) { m_gapListener = std::move(listener); }

    std::uint64_t transactions() const { return m_transactions; }
    std::uint64_t bytesRead() const { return m_reader->bytesRead(); }
    Zxid first() const { return m_first; }
    Zxid last() const { return m_last; }
    std::int64_t firstMs() const { return m_firstMs; }
    std::int64_t lastMs() const { return m_lastMs; }
    const std::vector<Gap>& gaps() const { return m_gaps; }
    std::vector<HistoryReader::ClockJump> clockJumps() const;
    // The last transaction under one leader and the first under the next: between the two there was no leader
    // for some time.
    struct LeaderChange
    {
        std::int64_t lastMs = 0, firstMs = 0;
    };
    const std::vector<LeaderChange>& leaderChanges() const { return m_leaderChanges; }
    bool hasLeaders() const { return m_previous.value >> 32 != 0; } // false: a server without an ensemble
    struct UnconfirmedTail
    {
        Zxid after;
        std::int64_t transactions = 0;
    };
    // For a server of an ensemble: the last transactions, which no later epoch and no snapshot confirms.
    // Those that were not acknowledged when the server stopped may be missing on other servers.
    std::optional<UnconfirmedTail> unconfirmedTail() const;
    std::vector<Damage> takeDamage() { return m_reader->takeDamage(); }
    std::vector<LockSummary> locks() const;                                    // sorted by path
    void forEachLock(const std::function<void(LockSummary&&)>& visitor) const; // one at a time
    const HistoryFindings& findings() const { return m_findings; }             // with Options::queueEntries
    const std::vector<QueueEntry>& queueEntries() const { return m_queueEntries; } // as first seen
    const std::vector<FolderDeletion>& folderDeletions() const
    {
        return m_folderDeletions;
    } // with Options::queueEntries
    const std::vector<NeverConfirmed>& neverConfirmed() const { return m_reader->neverConfirmed(); }
    // Of the snapshot that the nodes were last taken from; none: of none.
    Zxid snapshot() const { return m_snapshot; }
    bool hasReadAnything() const { return m_transactions > 0 || m_nodesRead; }

private:
    explicit History(Options options);
    bool wants(std::int64_t timeMs) override;
    bool onTransaction(const Transaction& transaction) override;
    void onGap(const Gap& gap) override;
    void onNodes(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs) override;
    void onBeginsInside() override { m_table.beginInside(); }
    void onNodesUnknown(Zxid zxid, std::int64_t timeMs) override;
    void onLockEvent(const LockEvent& event);
    void beginCounting(Zxid zxid, std::int64_t timeMs);
    void notifyOfNode(const LockEvent& event);
    void addQueueEntry(const LockEvent& event);
    bool isChosen(std::string_view path) const;
    bool isUnconfirmed(const LockNode& node) const;

    struct PathHash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>()(path); }
    };

    Options m_options;
    std::unordered_set<std::string, PathHash, std::equal_to<>> m_chosen; // paths; empty: all locks
    LockTable m_table;
    std::unique_ptr<HistoryReader> m_reader;
    LockListener m_listener;
    std::function<void(const Gap&)> m_gapListener;
    std::optional<Gap> m_unconfirmed; // the gap whose lost nodes are being reported
    std::uint64_t m_transactions = 0;
    Zxid m_first, m_last;
    std::int64_t m_firstMs = 0, m_lastMs = 0;
    bool m_counting = false;  // the time of --since is reached
    bool m_beginning = false; // beginCounting() is reporting the nodes that exist
    bool m_cut = false;       // reading stopped at --until
    std::int64_t m_nowMs = 0; // of the last transaction read
    std::size_t m_clockJumpsBefore = 0;
    std::unordered_map<std::int64_t, std::string> m_identities; // by session, from data read before --since
    bool m_nodesRead = false;
    std::vector<Gap> m_gaps;
    HistoryFindings m_findings;
    std::vector<QueueEntry> m_queueEntries;
    std::vector<FolderDeletion> m_folderDeletions;
    Zxid m_previous, m_snapshot; // the transaction read before
    std::int64_t m_previousMs = 0;
    std::vector<LeaderChange> m_leaderChanges;
    boost::unordered_flat_map<std::int64_t, std::int32_t> m_timeoutsMs; // by session; with queueEntries
    boost::unordered_flat_map<std::string, std::size_t> m_openEntries;  // by the node's path
    boost::unordered_flat_map<std::string, std::size_t>
        m_lostEntries; // by path; the node may be mentioned again
};

} // namespace lockscope::history
