// Reads all transactions of the logs of one server, or of several servers of an ensemble, in the order of
// their zxids, each once. Missing transactions are reported as a gap, never bridged silently; the nodes of a
// snapshot replace the transactions before the first log or in a gap, if the next log begins where it ends.
// The files are only read. One thread at a time; blocks as read(2) does.
#pragma once

#include "core/history/history_files.h"
#include "core/history/lock_event.h"
#include "core/history/log_file.h"
#include "core/history/snapshot.h"
#include "core/history/transaction.h"

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::history {

struct Gap
{
    Zxid after;  // the last transaction before the gap
    Zxid before; // the first transaction after the gap, or that of the snapshot
    bool unconfirmed =
        false;             // a new leader may lack the last transactions before the gap, which are void then
    bool snapshot = false; // a snapshot has the nodes that exist after the gap
    bool byCversion = false; // no zxid is missing, but a parent's cversion shows that creations are
    Zxid confirmed{}; // if unconfirmed: a snapshot shows that the transactions up to this one are not void
};

// Transactions that a leader wrote and that were never confirmed: the ensemble went on without them under
// another one.
struct NeverConfirmed
{
    Zxid first, last;
    std::uint64_t transactions = 0;
};

class HistoryReader
{
public:
    struct Consumer
    {
        virtual ~Consumer() = default;
        // False: a transaction with this time is not wanted, and neither is the gap before it.
        virtual bool wants(std::int64_t /*timeMs*/) { return true; }
        // False: reading stops.
        virtual bool onTransaction(const Transaction& transaction) = 0;
        virtual void onGap(const Gap& gap) = 0;
        // The nodes that exist before the next transaction; `timeMs`: the time of that transaction, if there
        // is one.
        virtual void onNodes(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs) = 0;
        // Before the first transaction: what was there before the logs is unknown, but for what onNodes() has
        // reported.
        virtual void onBeginsInside() {}
        // After a gap: the nodes that exist are unknown.
        virtual void onNodesUnknown(Zxid zxid, std::int64_t timeMs) { onNodes({}, zxid, timeMs); }
    };
    enum class State : std::uint8_t { more, waiting, ended };

    // `given`: the paths passed to findHistoryFiles(), to find files that appear later.
    HistoryReader(HistoryFiles files, std::vector<std::filesystem::path> given, bool follow,
                  Consumer& consumer);

    // Reads about `bytes` bytes at most. waiting: everything written so far was read, and more may come.
    State read(std::uint64_t bytes);

    std::uint64_t bytesRead() const { return m_bytesRead; }
    std::uint64_t transactions() const { return m_transactions; }
    Zxid last() const { return m_last; } // none: no transaction was read yet
    // The last transaction that a later epoch or a snapshot of the same files confirms; 0 if none is
    // confirmed. nullopt in epoch 0: a server without an ensemble confirms whatever it logs.
    std::optional<Zxid> lastConfirmed() const;
    const std::vector<NeverConfirmed>& neverConfirmed() const { return m_neverConfirmed; }
    std::vector<Damage> takeDamage();
    struct ClockJump
    {
        Zxid zxid; // of the transaction whose time is before its predecessor's
        std::int64_t backMs = 0;
    };
    const std::vector<ClockJump>& clockJumps() const { return m_clockJumps; } // the first 100

private:
    // A log that is being read. The logs of one server follow each other; those of several are read side by
    // side.
    struct Source
    {
        HistoryFile file;
        std::unique_ptr<LogFile> log;
        LogFile::Record head; // the next record; empty: none was read
        Zxid zxid;            // of the head
        Zxid previous;        // of its server's record before the head
        Zxid voidFrom;        // from here on, the epoch's transactions were never confirmed
        bool skipped = false; // records before the head cannot be read
        bool isNewest = true; // in its folder: it may grow
    };
    enum class Delivery : std::uint8_t { done, notWanted, notYet };

    Source* nextSource();
    bool advance(Source& source);
    std::list<Source>::iterator open(HistoryFile file, Zxid previous);
    const HistoryFile* nextInFolder(const HistoryFile& file) const;
    bool findNewFiles();
    Delivery deliver(const Source& source);
    bool beginAt(Zxid zxid, std::int64_t timeMs);
    bool gapBefore(const Source& source, Zxid zxid, std::int64_t timeMs);
    void snapshotsWithoutLogs();
    // The nodes of the snapshot; with `before`, only those created before that transaction.
    std::optional<SnapshotNodes> load(const HistoryFile& file, std::optional<Zxid> before = {},
                                      SnapshotTree* tree = nullptr);
    bool isStillWritten(const HistoryFile& snapshot) const;
    bool isSnapshotBetween(Zxid after, Zxid before) const;
    bool wasRead(Zxid zxid) const;
    bool isNeverConfirmed(const Source& source);
    bool goesOn(const Source& source) const;
    Zxid firstVoid(const HistoryFile& file) const;
    void noteRead(Zxid zxid);
    void noteRepeated(Damage::Kind kind, const Source& source, bool perFile = true);
    void collectDamage(Source& source);

    HistoryFiles m_files;
    std::vector<std::filesystem::path> m_given;
    bool m_follow;
    Consumer& m_consumer;
    std::size_t m_nextLog = 0;
    std::list<Source> m_sources; // open
    std::set<std::filesystem::path> m_known, m_opened;
    Transaction m_transaction;
    Zxid m_last;
    std::array<char, 32> m_lastHead{}; // of the last record: session, request number, zxid, time, type
    Zxid m_lastOfEpochBefore;          // the last transaction of the previous epoch
    std::int64_t m_lastMs = 0;
    std::uint64_t m_transactions = 0;
    std::uint64_t m_bytesRead = 0;
    std::vector<std::pair<Zxid, Zxid>> m_read; // first and last of what was read without a hole
    Zxid m_goesOn, m_voidAfter;                // in their epochs: all are confirmed; none after this one is
    std::vector<NeverConfirmed> m_neverConfirmed;
    std::vector<Damage> m_damage;
    std::vector<ClockJump> m_clockJumps;
    bool m_ended = false;
};

} // namespace lockscope::history
