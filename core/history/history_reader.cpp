#include "core/history/history_reader.h"

#include <algorithm>

namespace lockscope::history {

namespace {

constexpr std::size_t kMaxClockJumps = 100;

std::int64_t epochOf(Zxid zxid) { return zxid.value >> 32; }
std::int64_t counterOf(Zxid zxid) { return zxid.value & 0xffffffff; }

// Counters run from 1 in each epoch, without holes.
bool follows(Zxid before, Zxid after)
{
    return after.value == before.value + 1 || (epochOf(after) > epochOf(before) && counterOf(after) == 1);
}

} // namespace

HistoryReader::HistoryReader(HistoryFiles files, std::vector<std::filesystem::path> given, bool follow,
                             Consumer& consumer)
    : m_files(std::move(files))
    , m_given(std::move(given))
    , m_follow(follow)
    , m_consumer(consumer)
    , m_damage(std::move(m_files.damage))
{
    for (const HistoryFile& log : m_files.logs)
        m_known.insert(log.path);
}

std::vector<Damage> HistoryReader::takeDamage() { return std::exchange(m_damage, {}); }

void HistoryReader::collectDamage()
{
    for (Damage& damage : m_log->takeDamage()) {
        m_damagedBefore = m_damagedBefore || damage.kind == Damage::Kind::badRecords ||
                          damage.kind == Damage::Kind::zerosInside;
        m_damage.push_back(std::move(damage));
    }
}

void HistoryReader::findNewFiles()
{
    const Result<HistoryFiles> now = findHistoryFiles(m_given);
    if (!now)
        return;
    for (const HistoryFile& log : now->logs)
        if (m_known.insert(log.path).second)
            m_files.logs.push_back(log);
}

// False if there is no further log.
bool HistoryReader::openNext()
{
    while (m_nextLog < m_files.logs.size()) {
        auto log = std::make_unique<LogFile>(m_files.logs[m_nextLog].path);
        // The newest file of a running server may not have its header yet.
        if (!log->isLog() && m_follow && m_nextLog + 1 == m_files.logs.size() && log->mayGrow())
            return false;
        ++m_nextLog;
        m_log = std::move(log);
        m_damagedBefore = false;
        collectDamage();
        if (m_log->isLog())
            return true;
        m_log.reset();
    }
    return false;
}

HistoryReader::State HistoryReader::read(std::uint64_t bytes)
{
    const std::uint64_t until = m_bytesRead + bytes;
    LogFile::Record record;
    while (!m_ended && m_bytesRead < until) {
        if (m_log) {
            // Checked before reading: once there is a newer file, this one does not grow any more.
            const bool newer = m_nextLog < m_files.logs.size();
            if (m_log->next(record)) {
                collectDamage();
                m_bytesRead += record.bytes.size();
                m_ended = !deliver(record);
                continue;
            }
            collectDamage();
            if (m_follow && !newer && m_log->isLog()) {
                if (m_log->isReplaced()) {
                    m_damage.push_back({Damage::Kind::replaced, m_log->path().string()});
                    m_ended = true;
                    break;
                }
                findNewFiles();
                if (m_nextLog == m_files.logs.size())
                    return State::waiting;
                continue; // read what was written before the new file appeared
            }
            if (m_follow && !newer) // the file was truncated
                m_ended = true;
            m_log->finish();
            collectDamage();
            m_log.reset();
        } else if (!openNext()) {
            if (m_follow) {
                findNewFiles();
                return State::waiting;
            }
            snapshotsWithoutLogs();
            m_ended = true;
        }
    }
    return m_ended ? State::ended : State::more;
}

void HistoryReader::noteRepeated(Damage::Kind kind, std::uint64_t offset)
{
    const std::string file = m_log->path().string();
    const auto known = std::find_if(m_damage.begin(), m_damage.end(), [&](const Damage& damage) {
        return damage.kind == kind && damage.file == file;
    });
    if (known != m_damage.end())
        ++known->records;
    else
        m_damage.push_back({kind, file, offset});
}

bool HistoryReader::deliver(const LogFile::Record& record)
{
    const DecodeResult decoded = decode(record.bytes, m_transaction);
    Transaction& txn = m_transaction;
    if (decoded != DecodeResult::whole) {
        noteRepeated(decoded == DecodeResult::unknownType ? Damage::Kind::unknownType : Damage::Kind::fieldBeyondRecord,
                     record.offset);
        txn.changes.clear();
        txn.closedPaths.clear();
    }
    if (!m_last.valid()) {
        beginAt(txn.zxid, txn.timeMs);
    } else if (txn.zxid <= m_last) {
        // ZooKeeper 3.9.5 logs a request that it cannot decode under the previous zxid.
        if (txn.zxid != m_last || txn.type != TxnType::error)
            noteRepeated(Damage::Kind::olderThanBefore, record.offset);
        return true;
    } else if (!m_consumer.wants(txn.timeMs)) {
        return false;
    } else if (!follows(m_last, txn.zxid) || isSnapshotBetween(m_last, txn.zxid)) {
        gapBefore(txn.zxid, txn.timeMs);
    }
    if (m_last.valid() && epochOf(m_last) != epochOf(txn.zxid))
        m_lastOfEpochBefore = m_last;
    if (m_last.valid() && txn.timeMs < m_lastMs && m_clockJumps.size() < kMaxClockJumps)
        m_clockJumps.push_back({txn.zxid, m_lastMs - txn.timeMs});
    m_damagedBefore = false;
    m_last = txn.zxid;
    m_lastMs = txn.timeMs;
    ++m_transactions;
    return m_consumer.onTransaction(txn);
}

// The first transaction of an epoch does not show where the previous epoch ended. A snapshot that goes beyond the last
// transaction read does.
bool HistoryReader::isSnapshotBetween(Zxid after, Zxid before) const
{
    return before.value != after.value + 1 &&
           std::any_of(m_files.snapshots.begin(), m_files.snapshots.end(), [&](const HistoryFile& file) {
               return file.zxid > after && file.zxid < before && counterOf(file.zxid) != 0;
           });
}

std::optional<Zxid> HistoryReader::lastConfirmed() const
{
    if (!m_last.valid() || epochOf(m_last) == 0)
        return std::nullopt;
    Zxid confirmed = std::max(Zxid{0}, m_lastOfEpochBefore);
    for (const HistoryFile& file : m_files.snapshots)
        if (file.zxid <= m_last || epochOf(file.zxid) == epochOf(m_last))
            confirmed = std::max(confirmed, std::min(file.zxid, m_last));
    return confirmed;
}

std::optional<SnapshotNodes> HistoryReader::load(const HistoryFile& file, std::optional<Zxid> before)
{
    Damage damage;
    std::optional<SnapshotNodes> nodes = readSnapshot(file.path, damage);
    if (!nodes)
        m_damage.push_back(std::move(damage));
    else if (before)
        std::erase_if(*nodes, [&](const auto& node) { return node.created >= *before; });
    return nodes;
}

// Reports the nodes before the first transaction, from the newest snapshot before it. Without one, a later snapshot
// still has nodes that are older than the log.
void HistoryReader::beginAt(Zxid first, std::int64_t timeMs)
{
    const auto later = std::find_if(m_files.snapshots.begin(), m_files.snapshots.end(),
                                    [&](const HistoryFile& file) { return file.zxid >= first; });
    for (auto file = later; file != m_files.snapshots.begin();) {
        --file;
        const std::optional<SnapshotNodes> nodes = load(*file, first);
        if (!nodes)
            continue;
        if (!follows(file->zxid, first) && first.value != 1)
            m_consumer.onGap({file->zxid, first, false, true});
        return m_consumer.onNodes(*nodes, Zxid{first.value - 1}, timeMs);
    }
    for (auto file = later; file != m_files.snapshots.end(); ++file) {
        const std::optional<SnapshotNodes> nodes = load(*file, first);
        if (!nodes)
            continue;
        if (!nodes->empty())
            m_consumer.onNodes(*nodes, Zxid{first.value - 1}, timeMs);
        return;
    }
}

void HistoryReader::gapBefore(Zxid next, std::int64_t timeMs)
{
    // A server takes snapshots only of confirmed transactions.
    const bool confirmed = std::any_of(m_files.snapshots.begin(), m_files.snapshots.end(), [&](const HistoryFile& file) {
        return file.zxid >= m_last && epochOf(file.zxid) == epochOf(m_last);
    });
    Gap gap{m_last, next, epochOf(next) != epochOf(m_last) && !confirmed, false};
    // A server that followed a new leader may have resumed from a snapshot, as does one whose logs were removed.
    for (auto file = m_files.snapshots.rbegin(); file != m_files.snapshots.rend(); ++file) {
        if (file->zxid >= next || file->zxid <= m_last)
            continue;
        const std::optional<SnapshotNodes> nodes = load(*file, next);
        if (!nodes)
            continue;
        gap.snapshot = true;
        m_consumer.onGap(gap);
        return m_consumer.onNodes(*nodes, Zxid{next.value - 1}, timeMs);
    }
    m_consumer.onGap(gap);
    // A few unreadable records leave the other nodes as they are; missing transactions may have changed everything.
    if (!m_damagedBefore)
        m_consumer.onNodesUnknown(Zxid{next.value - 1}, timeMs);
}

// Reports the nodes of a snapshot that is newer than all logs, or without any logs.
void HistoryReader::snapshotsWithoutLogs()
{
    for (auto file = m_files.snapshots.rbegin(); file != m_files.snapshots.rend(); ++file) {
        if (m_last.valid() && file->zxid <= m_last)
            return;
        const std::optional<SnapshotNodes> nodes = load(*file);
        if (!nodes)
            continue;
        std::int64_t newestMs = m_lastMs;
        for (const auto& node : *nodes)
            newestMs = std::max(newestMs, node.createdMs);
        if (m_last.valid())
            m_consumer.onGap({m_last, file->zxid, epochOf(file->zxid) != epochOf(m_last), true});
        return m_consumer.onNodes(*nodes, file->zxid, newestMs);
    }
}

} // namespace lockscope::history
