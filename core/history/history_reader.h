// All transactions of one server's files, in the order of their zxids, over all its logs. What is missing between them is
// a gap, never bridged silently; the nodes of a snapshot stand for what came before the first log or in a gap. The files
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
    Zxid after;               // the last one before it
    Zxid before;              // the first one after it
    bool unconfirmed = false; // a new leader may not have had all of what comes before: some may never have been
    bool snapshot = false;    // a snapshot says what is there after it
};

class HistoryReader
{
public:
    struct Consumer
    {
        virtual ~Consumer() = default;
        // False: what comes at this time is not wanted, and neither is what led to it.
        virtual bool wants(std::int64_t /*timeMs*/) { return true; }
        // False: no more is wanted.
        virtual bool onTransaction(const Transaction& transaction) = 0;
        virtual void onGap(const Gap& gap) = 0;
        // What is there before the next transaction; `timeMs`: of that one.
        virtual void onNodes(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs) = 0;
        // After a gap: nothing says what is there.
        virtual void onNodesUnknown(Zxid zxid, std::int64_t timeMs) { onNodes({}, zxid, timeMs); }
    };
    enum class State : std::uint8_t { more, waiting, ended };

    // `given`: what findHistoryFiles() was asked for, for files that come later.
    HistoryReader(HistoryFiles files, std::vector<std::filesystem::path> given, bool follow, Consumer& consumer);

    // Reads at most about so many bytes. waiting: all there is so far was read, and more may come.
    State read(std::uint64_t bytes);

    std::uint64_t bytesRead() const { return m_bytesRead; }
    std::uint64_t transactions() const { return m_transactions; }
    Zxid last() const { return m_last; } // none before the first transaction
    // The last transaction that a later epoch or a snapshot of the same files confirms, 0 if none does. Nothing in
    // epoch 0: a server without an ensemble confirms what it logs.
    std::optional<Zxid> lastConfirmed() const;
    std::vector<Damage> takeDamage();
    struct ClockJump
    {
        Zxid zxid;             // of the transaction that is older than the one before it
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
    // Its nodes, or those that were made before this transaction.
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
    Zxid m_lastOfEpochBefore; // what the present epoch continues
    std::int64_t m_lastMs = 0;
    bool m_damagedBefore = false; // records of this file were skipped just now
    std::uint64_t m_transactions = 0;
    std::uint64_t m_bytesRead = 0;
    std::vector<Damage> m_damage;
    std::vector<ClockJump> m_clockJumps;
    bool m_ended = false;
};

} // namespace lockscope::history
