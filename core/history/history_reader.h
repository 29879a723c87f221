// Reads all transactions of one server's logs in the order of their zxids. Missing transactions are reported as a gap,
// never bridged silently; the nodes of a snapshot replace the transactions before the first log or in a gap. The files
// are only read. One thread at a time; blocks as read(2) does.
#pragma once

#include "core/history/history_files.h"
#include "core/history/lock_event.h"
#include "core/history/log_file.h"
#include "core/history/snapshot.h"
#include "core/history/transaction.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockscope::history {

struct Gap
{
    Zxid after;               // the last transaction before the gap
    Zxid before;              // the first transaction after the gap
    bool unconfirmed = false; // a new leader may lack the last transactions before the gap, which are void then
    bool snapshot = false;    // a snapshot has the nodes that exist after the gap
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
        // The nodes that exist before the next transaction; `timeMs`: the time of that transaction, if there is one.
        virtual void onNodes(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs) = 0;
        // After a gap: the nodes that exist are unknown.
        virtual void onNodesUnknown(Zxid zxid, std::int64_t timeMs) { onNodes({}, zxid, timeMs); }
    };
    enum class State : std::uint8_t { more, waiting, ended };

    // `given`: the paths passed to findHistoryFiles(), to find files that appear later.
    HistoryReader(HistoryFiles files, std::vector<std::filesystem::path> given, bool follow, Consumer& consumer);

    // Reads about `bytes` bytes at most. waiting: everything written so far was read, and more may come.
    State read(std::uint64_t bytes);

    std::uint64_t bytesRead() const { return m_bytesRead; }
    std::uint64_t transactions() const { return m_transactions; }
    Zxid last() const { return m_last; } // none: no transaction was read yet
    // The last transaction that a later epoch or a snapshot of the same files confirms; 0 if none is confirmed. nullopt
    // in epoch 0: a server without an ensemble confirms whatever it logs.
    std::optional<Zxid> lastConfirmed() const;
    std::vector<Damage> takeDamage();
    struct ClockJump
    {
        Zxid zxid;             // of the transaction whose time is before its predecessor's
        std::int64_t backMs = 0;
    };
    const std::vector<ClockJump>& clockJumps() const { return m_clockJumps; } // the first 100

private:
    bool openNext();
    void findNewFiles();
    bool deliver(const LogFile::Record& record);
    void beginAt(Zxid zxid, std::int64_t timeMs);
    void gapBefore(Zxid zxid, std::int64_t timeMs);
    void snapshotsWithoutLogs();
    // The nodes of the snapshot; with `before`, only those created before that transaction.
    std::optional<SnapshotNodes> load(const HistoryFile& file, std::optional<Zxid> before = {});
    bool isSnapshotBetween(Zxid after, Zxid before) const;
    void noteRepeated(Damage::Kind kind, std::uint64_t offset);
    void collectDamage();

    HistoryFiles m_files;
    std::vector<std::filesystem::path> m_given;
    bool m_follow;
    Consumer& m_consumer;
    std::size_t m_nextLog = 0;
    std::unique_ptr<LogFile> m_log;
    std::set<std::filesystem::path> m_known;
    Transaction m_transaction;
    Zxid m_last;
    Zxid m_lastOfEpochBefore; // the last transaction of the previous epoch
    std::int64_t m_lastMs = 0;
    bool m_damagedBefore = false; // records of this file were skipped before the current one
    std::uint64_t m_transactions = 0;
    std::uint64_t m_bytesRead = 0;
    std::vector<Damage> m_damage;
    std::vector<ClockJump> m_clockJumps;
    bool m_ended = false;
};

} // namespace lockscope::history
