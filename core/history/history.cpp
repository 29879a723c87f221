#include "core/history/history.h"

#include <algorithm>

namespace lockscope::history {

bool isAtOrBelow(std::string_view path, std::string_view wanted)
{
    while (wanted.ends_with('/'))
        wanted.remove_suffix(1);
    return path.starts_with(wanted) &&
           (path.size() == wanted.size() || wanted.empty() || path[wanted.size()] == '/');
}

History::History(Options options)
    : m_options(std::move(options))
    , m_table(LockTable::Options{m_options.session})
    , m_counting(!m_options.sinceMs)
{
    for (const std::string& name : m_options.fixedNames)
        m_table.addFixedName(name);
    std::vector<std::string> paths = m_options.locks;
    if (paths.empty() && !m_options.lock.empty())
        paths.push_back(m_options.lock);
    for (std::string& path : paths) {
        while (path.ends_with('/'))
            path.pop_back();
        if (path.empty()) {
            m_chosen.clear();
            break;
        }
        m_chosen.insert(std::move(path));
    }
}

Result<std::unique_ptr<History>> History::open(const std::vector<std::filesystem::path>& paths,
                                               Options options)
{
    Result<HistoryFiles> files = findHistoryFiles(paths);
    if (!files)
        return files.error();
    const bool follow = options.follow;
    std::unique_ptr<History> history(new History(std::move(options)));
    history->m_table.listenToMissing([self = history.get()] {
        self->onGap({.after = self->m_previous, .before = self->m_reader->last(), .byCversion = true});
    });
    history->m_table.listen([self = history.get()](const LockEvent& event) { self->onLockEvent(event); });
    history->m_reader = std::make_unique<HistoryReader>(std::move(*files), paths, follow, *history);
    return history;
}

bool History::isChosen(std::string_view path) const
{
    if (m_chosen.empty())
        return true;
    for (;;) { // the path and all its ancestors
        if (m_chosen.contains(path))
            return true;
        const std::size_t slash = path.rfind('/');
        if (slash == std::string_view::npos)
            return false;
        path = path.substr(0, slash);
    }
}

void History::onGap(const Gap& gap)
{
    m_gaps.push_back(gap);
    m_findings.addGap();
    if (gap.unconfirmed)
        m_unconfirmed = gap;
    if (m_gapListener)
        m_gapListener(gap);
}

// For a node that ended in the gap for an unknown reason: true if it was created under the leader whose last
// transactions may have been lost.
bool History::isUnconfirmed(const LockNode& node) const
{
    return m_unconfirmed && node.created.valid() && node.created > m_unconfirmed->confirmed &&
           node.created.value >> 32 == m_unconfirmed->after.value >> 32;
}

HistoryReader::State History::read(std::uint64_t bytes)
{
    const HistoryReader::State state = m_reader->read(bytes);
    if (state == HistoryReader::State::ended && !m_counting)
        beginCounting(m_reader->last(), std::max(m_nowMs, m_lastMs)); // the nodes may come from a snapshot
    if (state != HistoryReader::State::more)
        for (const auto& [path, entry] : m_openEntries)
            m_queueEntries[entry].unsure = m_table.isUnsure(path);
    return state;
}

void History::beginCounting(Zxid zxid, std::int64_t timeMs)
{
    m_counting = true;
    m_table.resetCounts();
    m_findings.resetCounts();
    std::erase_if(m_gaps,
                  [&](const Gap& gap) { return gap.before <= zxid; }); // counting may begin in the last gap
    m_clockJumpsBefore = m_reader->clockJumps().size();
    std::erase_if(m_queueEntries, [](const QueueEntry& entry) { return entry.endedMs.has_value(); });
    m_folderDeletions.clear();
    m_openEntries.clear();
    m_lostEntries.clear();
    for (std::size_t i = 0; i < m_queueEntries.size(); ++i)
        m_openEntries[m_queueEntries[i].parent + "/" + m_queueEntries[i].node] = i;
    m_beginning = true;
    m_table.notifyNodes(zxid, timeMs);
    m_beginning = false;
    m_identities.clear();
}

bool History::wants(std::int64_t timeMs)
{
    m_cut = m_options.untilMs && timeMs > *m_options.untilMs;
    return !m_cut;
}

bool History::onTransaction(const Transaction& transaction)
{
    if (!wants(transaction.timeMs))
        return false;
    m_nowMs = transaction.timeMs;
    if (!m_counting && transaction.timeMs >= *m_options.sinceMs)
        beginCounting(Zxid{transaction.zxid.value - 1}, transaction.timeMs);
    if (m_counting) {
        if (m_transactions++ == 0) {
            m_first = transaction.zxid;
            m_firstMs = transaction.timeMs;
        }
        m_last = transaction.zxid;
        m_lastMs = transaction.timeMs;
    }
    if (m_options.queueEntries && transaction.type == OpCode::createSession)
        m_timeoutsMs[transaction.session.value] = transaction.sessionTimeoutMs;
    if (m_previous.valid() && transaction.zxid.value >> 32 != m_previous.value >> 32)
        m_leaderChanges.push_back({m_previousMs, transaction.timeMs});
    m_table.apply(transaction);
    if (transaction.type == OpCode::closeSession)
        m_timeoutsMs.erase(transaction.session.value);
    m_previous = transaction.zxid;
    m_previousMs = transaction.timeMs;
    return true;
}

void History::onNodes(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs)
{
    m_nodesRead = true;
    m_snapshot = zxid;
    m_previousMs = timeMs;
    m_table.resync(nodes, zxid, timeMs);
    m_unconfirmed.reset();
    m_lastMs = std::max(m_lastMs, timeMs);
}

void History::onNodesUnknown(Zxid zxid, std::int64_t timeMs)
{
    m_table.loseNodes(zxid, timeMs);
    m_unconfirmed.reset();
}

void History::onLockEvent(const LockEvent& event)
{
    if (!isChosen(event.node.lockPath) && !isChosen(event.node.parent))
        return;
    if (m_beginning)
        return notifyOfNode(event);
    if (m_options.queueEntries) {
        m_findings.add(event);
        if (event.kind == LockEvent::Kind::folderDeleted)
            m_folderDeletions.push_back({std::string(event.node.lockPath), std::string(event.node.parent),
                                         event.zxid, event.timeMs, event.by});
        else
            addQueueEntry(event);
    }
    if (m_listener && m_counting)
        m_listener(event);
    else if (m_listener && event.kind == LockEvent::Kind::queued && event.node.session.valid())
        if (std::string identity = identityOf(event.node.data); !identity.empty())
            m_identities[event.node.session.value] = std::move(identity);
}

// The data from the node's creation is gone, but its identity is known.
void History::notifyOfNode(const LockEvent& event)
{
    if (!m_listener)
        return;
    LockEvent before = event;
    before.node.beforeLog = true;
    if (const auto known = m_identities.find(event.node.session.value); known != m_identities.end())
        before.node.data = known->second;
    m_listener(before);
}

void History::addQueueEntry(const LockEvent& event)
{
    if (m_options.session && event.node.session != *m_options.session)
        return;
    const LockNode& node = event.node;
    std::string path = std::string(node.parent) + "/" + std::string(node.name);
    const auto lost = m_lostEntries.find(path);
    if (event.kind == LockEvent::Kind::queued && lost != m_lostEntries.end() && node.beforeLog) {
        QueueEntry& entry = m_queueEntries[lost->second]; // the node existed all the time
        entry.ended = Zxid::none();
        entry.endedMs.reset();
        entry.unconfirmed = entry.unsure = false;
        m_openEntries[path] = lost->second;
        m_lostEntries.erase(lost);
        return;
    }
    if (event.kind == LockEvent::Kind::queued) {
        QueueEntry entry;
        entry.lockPath = node.lockPath;
        entry.parent = node.parent;
        entry.node = node.name;
        entry.identity = identityOf(node.data);
        entry.dataBytes = node.data.size();
        if (m_options.withData)
            entry.data = node.data;
        entry.session = node.session;
        entry.created = node.beforeLog ? Zxid::none() : node.created;
        entry.createdMs = node.createdMs;
        entry.beforeLog = node.beforeLog;
        m_openEntries[std::move(path)] = m_queueEntries.size();
        m_queueEntries.push_back(std::move(entry));
        return;
    }
    const auto known = m_openEntries.find(path);
    if (known == m_openEntries.end())
        return;
    QueueEntry& entry = m_queueEntries[known->second];
    if (event.kind == LockEvent::Kind::entitled) {
        entry.entitledMs = event.node.entitledMs;
        entry.sinceUnknown = event.node.sinceUnknown;
    }
    if (event.kind == LockEvent::Kind::dataSet && event.by != node.session)
        entry.writes.push_back({event.zxid, event.timeMs, event.by});
    if (event.kind != LockEvent::Kind::ended)
        return;
    entry.unconfirmed = event.reason == EndReason::unknown && isUnconfirmed(node);
    if (!node.entitled)
        entry.entitledMs.reset();
    entry.ended = event.zxid;
    entry.endedMs = event.timeMs;
    entry.reason = event.reason;
    entry.endedBy = event.by;
    if (const auto timeout = m_timeoutsMs.find(entry.session.value);
        event.reason == EndReason::sessionExpired && timeout != m_timeoutsMs.end())
        entry.silentFromMs = event.timeMs - timeout->second;
    entry.unsure = node.unsure || (event.reason == EndReason::unknown && !node.entitled);
    entry.knownUntilMs = m_previousMs;
    if (event.reason == EndReason::unknown)
        m_lostEntries[path] = known->second;
    m_openEntries.erase(known);
}

void History::forEachLock(const std::function<void(LockSummary&&)>& visitor) const
{
    if (!m_counting)
        return;
    m_table.forEachLock([&](LockSummary&& lock) {
        if (isChosen(lock.path))
            visitor(std::move(lock));
    });
}

std::vector<LockSummary> History::locks() const
{
    std::vector<LockSummary> all;
    forEachLock([&all](LockSummary&& lock) { all.push_back(std::move(lock)); });
    return all;
}

std::vector<HistoryReader::ClockJump> History::clockJumps() const
{
    const auto& all = m_reader->clockJumps();
    return {all.begin() + static_cast<std::ptrdiff_t>(m_clockJumpsBefore), all.end()};
}

std::optional<History::UnconfirmedTail> History::unconfirmedTail() const
{
    const std::optional<Zxid> confirmed = m_reader->lastConfirmed();
    const Zxid last = m_reader->last();
    if (!confirmed || *confirmed >= last || m_cut)
        return std::nullopt;
    const std::int64_t epoch = last.value >> 32 << 32;
    const auto read =
        static_cast<std::int64_t>(m_reader->transactions()); // some of the transactions may be missing
    return UnconfirmedTail{*confirmed, std::min(last.value - std::max(confirmed->value, epoch), read)};
}

} // namespace lockscope::history
