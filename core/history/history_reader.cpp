#include "core/history/history_reader.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace lockscope::history {

namespace {

constexpr std::size_t kMaxClockJumps = 100;
// A snapshot that is incomplete, but was written to so recently, may be complete soon.
constexpr auto kSnapshotTime = std::chrono::seconds(10);

std::int64_t epochOf(Zxid zxid) { return zxid.value >> 32; }
std::int64_t counterOf(Zxid zxid) { return zxid.value & 0xffffffff; }

// Counters run from 1 in each epoch, without holes.
bool follows(Zxid before, Zxid after)
{
    return after.value == before.value + 1 || (epochOf(after) > epochOf(before) && counterOf(after) == 1);
}

bool isEarlier(const HistoryFile& a, const HistoryFile& b)
{
    return a.zxid != b.zxid ? a.zxid < b.zxid : a.path < b.path;
}

// A snapshot is as old as its newest node, at least.
std::int64_t newestOf(const SnapshotNodes& nodes, std::int64_t newestMs)
{
    for (const SnapshotNode& node : nodes)
        newestMs = std::max(newestMs, node.createdMs);
    return newestMs;
}

// Whether the tree shows that the transaction is no part of what led to it: what it created, deleted or ended
// is as it was before.
bool isMissingIn(const SnapshotTree& tree, const Transaction& transaction)
{
    const auto isThere = [&](std::string_view path) {
        const SnapshotTree::Node* node = tree.find(path);
        return node && node->created < transaction.zxid;
    };
    if (transaction.type == OpCode::closeSession && tree.sessions.contains(transaction.session.value))
        return true;
    return std::any_of(transaction.changes.begin(), transaction.changes.end(), [&](const Change& change) {
        if (change.kind == ChangeKind::removed)
            return isThere(change.path);
        if (change.kind != ChangeKind::created || !change.hasCversion)
            return false;
        const std::string_view parent = change.path.substr(0, change.path.rfind('/'));
        const SnapshotTree::Node* node = tree.find(parent);
        return node && node->created<transaction.zxid&& static_cast<std::int32_t>(
                           static_cast<std::uint32_t>(change.parentCversion) -
                           static_cast<std::uint32_t>(node->cversion))> 0;
    });
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
    for (const auto* found : {&m_files.logs, &m_files.snapshots})
        for (const HistoryFile& file : *found)
            m_known.insert(file.path);
}

std::vector<Damage> HistoryReader::takeDamage() { return std::exchange(m_damage, {}); }

void HistoryReader::collectDamage(Source& source)
{
    for (Damage& damage : source.log->takeDamage()) {
        source.skipped = source.skipped || damage.kind == Damage::Kind::badRecords ||
                         damage.kind == Damage::Kind::zerosInside || damage.kind == Damage::Kind::unreadable;
        m_damage.push_back(std::move(damage));
    }
}

// ---- the files -----------------------------------------------------------------------------------------

// False if there are none.
bool HistoryReader::findNewFiles()
{
    const Result<HistoryFiles> now = findHistoryFiles(m_given, m_known);
    if (!now)
        return false;
    bool found = false;
    const auto add = [&](const HistoryFile& file, std::vector<HistoryFile>& to, std::size_t from) {
        if (!m_known.insert(file.path).second)
            return;
        found = true;
        to.insert(std::upper_bound(to.begin() + static_cast<std::ptrdiff_t>(from), to.end(), file, isEarlier),
                  file);
    };
    for (const HistoryFile& snapshot : now->snapshots)
        add(snapshot, m_files.snapshots, 0);
    for (const HistoryFile& log : now->logs)
        add(log, m_files.logs, m_nextLog);
    for (Source& source : m_sources)
        source.isNewest = nextInFolder(source.file) == nullptr;
    return found;
}

// The log behind this one in its folder; null if it is the last one.
const HistoryFile* HistoryReader::nextInFolder(const HistoryFile& file) const
{
    const auto next = std::find_if(m_files.logs.begin(), m_files.logs.end(), [&](const HistoryFile& other) {
        return isEarlier(file, other) && other.path.parent_path() == file.path.parent_path();
    });
    return next == m_files.logs.end() ? nullptr : &*next;
}

std::list<HistoryReader::Source>::iterator HistoryReader::open(HistoryFile file, Zxid previous)
{
    m_opened.insert(file.path);
    Source source;
    source.log = std::make_unique<LogFile>(file.path);
    source.previous = previous;
    source.voidFrom = firstVoid(file);
    source.isNewest = nextInFolder(file) == nullptr;
    source.file = std::move(file);
    return m_sources.insert(m_sources.end(), std::move(source));
}

// Reads the next record of a log. False if the log has ended.
bool HistoryReader::advance(Source& source)
{
    if (source.head.bytes.data() != nullptr)
        source.previous = source.zxid;
    source.head = {};
    const bool mayBegin = m_follow && source.isNewest && source.log->mayGrow();
    if (mayBegin) // the newest file of a running server may not have its header yet
        source.log = std::make_unique<LogFile>(source.file.path);
    source.skipped = false;
    if (m_follow && source.isNewest && source.log->mayGrow()) {
        source.log->takeDamage();
        return true;
    }
    const bool isLog = source.log->isLog();
    if (source.log->next(source.head)) {
        source.zxid = source.head.zxid();
        collectDamage(source);
        return true;
    }
    source.head = {};
    collectDamage(source);
    if (m_follow && source.isNewest && isLog) {
        if (!source.log->isLog()) { // it was truncated
            m_ended = true;
        } else if (source.log->isReplaced()) {
            m_damage.push_back({Damage::Kind::replaced, source.file.path.string()});
            m_ended = true;
        }
        return true;
    }
    source.log->finish();
    collectDamage(source);
    return false;
}

// The log whose next transaction comes first; null if there is none (yet).
HistoryReader::Source* HistoryReader::nextSource()
{
    Source* first = nullptr;
    const auto consider = [&](Source& source) {
        if (source.head.bytes.data() != nullptr && (!first || source.zxid < first->zxid))
            first = &source;
    };
    for (auto source = m_sources.begin(); source != m_sources.end() && !m_ended;) {
        if (source->head.bytes.data() == nullptr && !advance(*source)) {
            // The server's next log shows how its server went on.
            const HistoryFile* next = nextInFolder(source->file);
            if (next && !m_opened.contains(next->path))
                open(*next, source->skipped ? Zxid::none() : source->previous);
            source = m_sources.erase(source);
            continue;
        }
        consider(*source);
        ++source;
    }
    while (!m_ended && m_nextLog < m_files.logs.size() &&
           (!first || m_files.logs[m_nextLog].zxid <= first->zxid)) {
        const HistoryFile& file = m_files.logs[m_nextLog++];
        if (m_opened.contains(file.path))
            continue;
        const auto source = open(file, Zxid::none());
        if (advance(*source))
            consider(*source);
        else
            m_sources.erase(source);
    }
    return m_ended ? nullptr : first;
}

HistoryReader::State HistoryReader::read(std::uint64_t bytes)
{
    const std::uint64_t until = m_bytesRead + bytes;
    while (!m_ended && m_bytesRead < until) {
        Source* source = nextSource();
        if (source) {
            const Delivery delivery = deliver(*source);
            if (delivery == Delivery::notYet)
                return State::waiting;
            m_ended = delivery == Delivery::notWanted;
            m_bytesRead += source->head.bytes.size();
            if (!m_ended && !advance(*source)) {
                const HistoryFile* next = nextInFolder(source->file);
                if (next && !m_opened.contains(next->path))
                    open(*next, source->skipped ? Zxid::none() : source->previous);
                m_sources.remove_if([source](const Source& one) { return &one == source; });
            }
        } else if (!m_ended && m_follow) {
            if (!findNewFiles())
                return State::waiting;
        } else if (!m_ended) {
            snapshotsWithoutLogs();
            m_ended = true;
        }
    }
    return m_ended ? State::ended : State::more;
}

// ---- transactions --------------------------------------------------------------------------------------

void HistoryReader::noteRepeated(Damage::Kind kind, const Source& source, bool perFile)
{
    const std::string file = source.file.path.string();
    const auto known = std::find_if(m_damage.begin(), m_damage.end(), [&](const Damage& damage) {
        return damage.kind == kind && (!perFile || damage.file == file);
    });
    if (known != m_damage.end())
        ++known->records;
    else
        m_damage.push_back({kind, file, source.head.offset});
}

void HistoryReader::noteRead(Zxid zxid)
{
    if (!m_read.empty() && zxid.value == m_read.back().second.value + 1)
        m_read.back().second = zxid;
    else
        m_read.emplace_back(zxid, zxid);
}

bool HistoryReader::wasRead(Zxid zxid) const
{
    const auto behind = std::upper_bound(m_read.begin(), m_read.end(), zxid,
                                         [](Zxid wanted, const auto& range) { return wanted < range.first; });
    return behind != m_read.begin() && zxid <= std::prev(behind)->second;
}

HistoryReader::Delivery HistoryReader::deliver(const Source& source)
{
    const LogFile::Record& record = source.head;
    if (m_last.valid() && source.zxid <= m_last) {
        const bool isOther =
            source.zxid == m_last && !std::equal(m_lastHead.begin(), m_lastHead.end(), record.bytes.begin());
        const auto type = static_cast<OpCode>(jute::loadInt32(record.bytes.data() + m_lastHead.size() - 4));
        if (isOther && type == OpCode::error)
            return Delivery::done; // ZooKeeper 3.9.5 logs a request that it cannot decode under the previous
                                   // zxid
        if (isOther)
            noteRepeated(Damage::Kind::conflicting, source);
        else if (wasRead(source.zxid))
            noteRepeated(Damage::Kind::olderThanBefore, source, false);
        else
            noteRepeated(Damage::Kind::outOfOrder, source);
        return Delivery::done;
    }
    if (isNeverConfirmed(source)) {
        if (m_neverConfirmed.empty() || epochOf(m_neverConfirmed.back().last) != epochOf(source.zxid))
            m_neverConfirmed.push_back({source.zxid, source.zxid});
        NeverConfirmed& all = m_neverConfirmed.back();
        all.transactions += all.last != source.zxid || all.transactions == 0 ? 1 : 0;
        all.last = source.zxid;
        return Delivery::done;
    }
    const DecodeResult decoded = decode(record.bytes, m_transaction);
    Transaction& txn = m_transaction;
    if (m_last.valid() && !m_consumer.wants(txn.timeMs))
        return Delivery::notWanted;
    if (!m_last.valid() ? !beginAt(txn.zxid, txn.timeMs)
                        : (!follows(m_last, txn.zxid) || isSnapshotBetween(m_last, txn.zxid)) &&
                              !gapBefore(source, txn.zxid, txn.timeMs))
        return Delivery::notYet;
    if (decoded != DecodeResult::whole) {
        noteRepeated(decoded == DecodeResult::unknownType ? Damage::Kind::unknownType
                                                          : Damage::Kind::fieldBeyondRecord,
                     source);
        txn.changes.clear();
        txn.closedPaths.clear();
    }
    if (m_last.valid() && epochOf(m_last) != epochOf(txn.zxid))
        m_lastOfEpochBefore = m_last;
    if (m_last.valid() && txn.timeMs < m_lastMs && m_clockJumps.size() < kMaxClockJumps)
        m_clockJumps.push_back({txn.zxid, m_lastMs - txn.timeMs});
    m_last = txn.zxid;
    std::copy_n(record.bytes.begin(), m_lastHead.size(), m_lastHead.begin());
    m_lastMs = txn.timeMs;
    noteRead(txn.zxid);
    ++m_transactions;
    return m_consumer.onTransaction(txn) ? Delivery::done : Delivery::notWanted;
}

// The first transaction of an epoch does not show where the previous epoch ended. A snapshot that goes beyond
// the last transaction read does.
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

// ---- what a deposed leader wrote -----------------------------------------------------------------------

// A server whose log goes from an earlier transaction of this epoch straight to a later epoch shows that the
// ensemble went on without this transaction, unless another server's log goes on from it.
bool HistoryReader::isNeverConfirmed(const Source& source)
{
    const Zxid zxid = source.zxid;
    if (source.voidFrom.valid() && zxid >= source.voidFrom && epochOf(zxid) == epochOf(source.voidFrom))
        return true;
    if (m_sources.size() == 1 || (m_goesOn.valid() && epochOf(m_goesOn) == epochOf(zxid)))
        return false;
    if (m_voidAfter.valid() && epochOf(m_voidAfter) == epochOf(zxid))
        return zxid > m_voidAfter;
    for (const Source& other : m_sources) {
        if (other.head.bytes.data() == nullptr || other.skipped || !other.previous.valid() ||
            other.previous >= zxid || epochOf(other.previous) != epochOf(zxid) ||
            epochOf(other.zxid) <= epochOf(zxid) || counterOf(other.zxid) != 1 ||
            isSnapshotBetween(other.previous, other.zxid))
            continue;
        const bool isConfirmed = std::any_of(m_sources.begin(), m_sources.end(), [&](const Source& one) {
            return one.head.bytes.data() != nullptr && epochOf(one.zxid) == epochOf(zxid) && goesOn(one);
        });
        (isConfirmed ? m_goesOn : m_voidAfter) = isConfirmed ? zxid : other.previous;
        return !isConfirmed;
    }
    return false;
}

// Whether the log goes on to a later epoch, or may do so.
bool HistoryReader::goesOn(const Source& source) const
{
    LogFile ahead(source.file.path);
    ahead.skipTo(source.head.offset);
    LogFile::Record record;
    Zxid last = source.zxid;
    while (ahead.next(record)) {
        if (epochOf(record.zxid()) != epochOf(source.zxid))
            return true;
        last = record.zxid();
    }
    ahead.finish();
    if (!ahead.takeDamage().empty())
        return true;
    const HistoryFile* next = nextInFolder(source.file);
    return next && counterOf(next->zxid) == 1 && !isSnapshotBetween(last, next->zxid);
}

// For a log that another epoch's snapshot follows instead of a log that goes on: the first transaction that
// the snapshot shows to be no part of the history; none if there is none.
Zxid HistoryReader::firstVoid(const HistoryFile& file) const
{
    const HistoryFile* next = nextInFolder(file);
    const auto snapshot =
        std::find_if(m_files.snapshots.begin(), m_files.snapshots.end(), [&](const HistoryFile& one) {
            return epochOf(one.zxid) > epochOf(file.zxid) && counterOf(one.zxid) > 0 &&
                   (!next || one.zxid < next->zxid);
        });
    if (snapshot == m_files.snapshots.end())
        return Zxid::none();
    Zxid last;
    LogFile::Record record;
    for (LogFile log(file.path); log.next(record);)
        last = record.zxid();
    const auto judge = std::find_if(snapshot, m_files.snapshots.end(), [&](const HistoryFile& one) {
        return one.zxid > last && (!next || one.zxid < next->zxid);
    });
    if (!last.valid() || judge == m_files.snapshots.end() || epochOf(judge->zxid) == epochOf(last))
        return Zxid::none();
    SnapshotTree tree;
    Damage unused;
    if (!readSnapshot(judge->path, unused, &tree))
        return Zxid::none();
    Zxid confirmed;
    for (const Zxid changed : tree.changed)
        if (epochOf(changed) <= epochOf(last))
            confirmed = std::max(confirmed, changed);
    Transaction transaction;
    for (LogFile log(file.path); log.next(record);)
        if (epochOf(record.zxid()) == epochOf(last) && record.zxid() > confirmed &&
            decode(record.bytes, transaction) == DecodeResult::whole && isMissingIn(tree, transaction))
            return transaction.zxid;
    return Zxid::none();
}

// ---- gaps ----------------------------------------------------------------------------------------------

std::optional<SnapshotNodes> HistoryReader::load(const HistoryFile& file, std::optional<Zxid> before,
                                                 SnapshotTree* tree)
{
    Damage damage;
    std::optional<SnapshotNodes> nodes = readSnapshot(file.path, damage, tree);
    if (!nodes && !isStillWritten(file)) {
        const bool isKnown = std::any_of(m_damage.begin(), m_damage.end(),
                                         [&](const Damage& one) { return one.file == damage.file; });
        if (!isKnown)
            m_damage.push_back(std::move(damage));
    } else if (nodes && before) {
        std::erase_if(*nodes, [&](const auto& node) { return node.created >= *before; });
    }
    return nodes;
}

bool HistoryReader::isStillWritten(const HistoryFile& snapshot) const
{
    std::error_code error;
    const auto written = std::filesystem::last_write_time(snapshot.path, error);
    return m_follow && !error && std::filesystem::file_time_type::clock::now() - written < kSnapshotTime;
}

// Reports the nodes before the first transaction, from the newest snapshot before it. Without one, a later
// snapshot still has nodes that are older than the log. False: a snapshot is still being written.
bool HistoryReader::beginAt(Zxid first, std::int64_t timeMs)
{
    const Zxid before{first.value - 1};
    const auto later = std::find_if(m_files.snapshots.begin(), m_files.snapshots.end(),
                                    [&](const HistoryFile& file) { return file.zxid >= first; });
    for (auto file = later; file != m_files.snapshots.begin();) {
        --file;
        const std::optional<SnapshotNodes> nodes = load(*file, first);
        if (!nodes && isStillWritten(*file))
            return false;
        if (!nodes)
            continue;
        if (follows(file->zxid, first) || first.value == 1) {
            m_consumer.onNodes(*nodes, before, timeMs);
            return true;
        }
        m_consumer.onNodes(*nodes, file->zxid, newestOf(*nodes, 0));
        m_consumer.onGap({file->zxid, first});
        m_consumer.onNodesUnknown(before, timeMs);
        return true;
    }
    for (auto file = later; file != m_files.snapshots.end(); ++file) {
        const std::optional<SnapshotNodes> nodes = load(*file, first);
        if (!nodes)
            continue;
        if (!nodes->empty())
            m_consumer.onNodes(*nodes, before, timeMs);
        break;
    }
    if (counterOf(first) != 1 || epochOf(first) > 1)
        m_consumer.onBeginsInside();
    return true;
}

// False: a snapshot is still being written.
bool HistoryReader::gapBefore(const Source& source, Zxid next, std::int64_t timeMs)
{
    // A server takes snapshots only of confirmed transactions.
    const bool confirmed =
        std::any_of(m_files.snapshots.begin(), m_files.snapshots.end(), [&](const HistoryFile& file) {
            return file.zxid >= m_last && epochOf(file.zxid) == epochOf(m_last);
        });
    Gap gap{m_last, next, epochOf(next) != epochOf(m_last) && !confirmed};
    const Zxid before{next.value - 1};
    // A server that followed a new leader may have resumed from a snapshot, as does one whose logs were
    // removed.
    for (auto file = m_files.snapshots.rbegin(); file != m_files.snapshots.rend(); ++file) {
        if (file->zxid >= next || file->zxid <= m_last)
            continue;
        SnapshotTree tree;
        const std::optional<SnapshotNodes> nodes = load(*file, next, gap.unconfirmed ? &tree : nullptr);
        if (!nodes && isStillWritten(*file))
            return false;
        if (!nodes)
            continue;
        for (const Zxid changed : tree.changed)
            if (epochOf(changed) <= epochOf(m_last))
                gap.confirmed = std::max(gap.confirmed, changed);
        gap.snapshot = true;
        if (follows(file->zxid, next)) {
            m_consumer.onGap(gap);
            m_consumer.onNodes(*nodes, before, timeMs);
            return true;
        }
        gap.before = file->zxid;
        m_consumer.onGap(gap);
        m_consumer.onNodes(*nodes, file->zxid, newestOf(*nodes, m_lastMs));
        gap = {file->zxid, next};
        break;
    }
    if (source.skipped)
        gap.unconfirmed = false; // what is missing was written, and cannot be read
    m_consumer.onGap(gap);
    m_consumer.onNodesUnknown(before, timeMs);
    return true;
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
        if (m_last.valid())
            m_consumer.onGap({m_last, file->zxid, epochOf(file->zxid) != epochOf(m_last), true});
        return m_consumer.onNodes(*nodes, file->zxid, newestOf(*nodes, m_lastMs));
    }
}

} // namespace lockscope::history
