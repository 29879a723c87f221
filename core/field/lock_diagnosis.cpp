// The verdicts of a LockTracker. Each is given only on evidence that normal operation does not produce: see the
// comments at the rules.
#include "core/field/lock_tracker.h"

#include "core/history/history.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockscope::field {

namespace {

using history::LockTable;
using history::NodeRole;
using history::Recipe;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = Diagnosis::Kind;
using queue::Library;

constexpr Duration kPatience = seconds(5), kPatienceWithoutHistory = seconds(120),
                   kDeadlockAfter = seconds(4), kHeardAfter = seconds(1), kSettlesWithin = seconds(60);
constexpr std::uint64_t kFewHolds = 3, kManyHolds = 20; // needed to judge what is usual
constexpr std::int64_t kUnwatchedAfterMs = 2'000;
constexpr std::uint32_t kManyEmpty = 1'000;

bool isCuratorLike(Library library) { return queue::countsEveryChild(library); }

// Nodes of one scheme exclude each other; those of two do not.
const char* schemeName(const Participant& one)
{
    switch (one.library) {
    case Library::curator:
    case Library::goZk:
        return one.role == NodeRole::reader || one.role == NodeRole::writer
                   ? "Curator (InterProcessReadWriteLock)"
               : one.role == NodeRole::leader ? "Curator (LeaderLatch)"
                                              : "Curator";
    case Library::kazoo:
        return "kazoo";
    case Library::zooKeeper:
        return "ZooKeeper";
    default:
        return queue::isOfLock(one.role) ? queue::name(one.library) : "";
    }
}

Diagnosis diagnosisOf(Kind kind, const Participant& one)
{
    return {.kind = kind, .node = one.node, .session = one.session, .address = one.address};
}

Duration spanBetween(std::int64_t fromMs, std::int64_t toMs)
{
    return milliseconds(std::max<std::int64_t>(toMs - fromMs, 0));
}

// A lower bound.
Duration heldFor(const LockStatus& row, std::int64_t nowMs)
{
    return row.holder && row.holder->heldSince ? spanBetween(row.holder->heldSince->latestMs, nowMs)
                                               : Duration{};
}

// A process may pause for half of its session's timeout and continue; 60 % leaves a margin.
Duration longestPause(Duration timeout)
{
    constexpr Duration kLongestTimeout = seconds(40); // with the default settings of a server
    return (timeout > Duration{} ? timeout : kLongestTimeout) * 6 / 10;
}

std::int64_t longestOf(const std::vector<std::int64_t>& values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::int64_t percentile99(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>((values.size() * 99 + 99) / 100 - 1);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

struct Wait // of one session, for the hold of another one
{
    SessionId from, to;
    std::size_t row = 0;
};

// The waits that may be part of a circle. `places`: the number of waiting nodes by session.
std::vector<Wait> waitsBetween(const std::vector<LockStatus>& rows, std::map<SessionId, std::size_t>& places)
{
    std::vector<Wait> waits;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].waiting == 0 || rows[i].recipe == Recipe::semaphore ||
            rows[i].recipe == Recipe::kazooSemaphore)
            continue;
        for (const Participant& waiter : rows[i].participants) {
            if (waiter.holds || !waiter.session.valid())
                continue;
            ++places[waiter.session];
            for (const Participant& holder : rows[i].participants)
                if (holder.holds && holder.session.valid() && holder.session != waiter.session)
                    waits.push_back({waiter.session, holder.session, i});
        }
    }
    // A session that waits for no other is in no circle, and neither is one that waits only for such sessions.
    for (std::size_t before = waits.size() + 1; before != waits.size();) {
        before = waits.size();
        std::set<SessionId> waiting;
        for (const Wait& wait : waits)
            waiting.insert(wait.from);
        std::erase_if(waits, [&](const Wait& wait) { return !waiting.contains(wait.to); });
    }
    return waits;
}

// By session: the sessions that it waits for, directly or indirectly.
std::map<SessionId, std::set<SessionId>> reachOf(const std::vector<Wait>& waits)
{
    std::map<SessionId, std::set<SessionId>> next, reached;
    for (const Wait& wait : waits)
        next[wait.from].insert(wait.to);
    for (const auto& [from, direct] : next) {
        std::set<SessionId>& all = reached[from];
        for (std::vector<SessionId> open{from}; !open.empty();) {
            const SessionId at = open.back();
            open.pop_back();
            for (const SessionId to : next.at(at))
                if (all.insert(to).second)
                    open.push_back(to);
        }
    }
    return reached;
}

// The part before the number. Curator's and kazoo's contains an id that is unique to one attempt to acquire.
std::string_view uniquePrefix(const std::string& node)
{
    const std::size_t key = queue::parse(node).keyOffset;
    return std::string_view(node).substr(0, key);
}

} // namespace

void LockTracker::diagnose(LockStatus& row, QueueStats& stats)
{
    if (row.holder && row.holder->node != stats.holderNode) {
        stats.holderNode = row.holder->node;
        const auto facts = m_sessionPoll.sessions.find(row.holder->session);
        stats.requestsBefore = facts == m_sessionPoll.sessions.end() ? 0 : facts->second.requestsSeen;
    }
    if (row.waiting > 0 && m_nowMs - stats.lastChangeMs >= kUnwatchedAfterMs)
        m_wantsWatches = true;
    row.diagnosis = diagnoseFront(row);
    if (!row.diagnosis)
        row.diagnosis = diagnoseNaming(row);
    if (!row.diagnosis)
        row.diagnosis = silent(row);
    if (!row.diagnosis)
        row.diagnosis = unwatched(row, stats);
    if (!row.diagnosis)
        row.diagnosis = diagnoseForgotten(row, stats);
    if (!row.diagnosis)
        row.diagnosis = diagnoseSlow(row, stats);
}

// Without a server no client works, and afterwards clients retry after growing pauses.
bool LockTracker::isSettling() const
{
    return m_reading || (m_hadGap && spanBetween(m_readMs, m_nowMs) < kSettlesWithin);
}

std::optional<Diagnosis> LockTracker::diagnoseFront(LockStatus& row) const
{
    if (row.participants.empty() || row.recipe == Recipe::semaphore || row.recipe == Recipe::kazooSemaphore ||
        row.recipe == Recipe::fixedName)
        return std::nullopt;
    const Participant& front = row.participants.front();
    // With kazoo's Lock(ephemeral=False) all nodes are persistent.
    const bool ephemeralBehind =
        std::any_of(row.participants.begin(), row.participants.end(),
                    [](const Participant& one) { return !one.persistent && !one.unknown; });
    if (front.persistent && (front.library != Library::kazoo || ephemeralBehind)) {
        return Diagnosis{.kind = Kind::persistentInFront, .node = front.node, .count = row.waiting};
    }
    // Curator considers every child: a name without a lock's name is compared as a whole with the numbers of the
    // others.
    const auto curator = std::find_if(row.participants.begin(), row.participants.end(),
                                      [](const Participant& one) { return isCuratorLike(one.library); });
    const auto parent = m_tree.find(front.parent);
    if (curator == row.participants.end() || parent == m_tree.end() ||
        parent->second.children <= row.participants.size())
        return std::nullopt;
    const std::string key = curator->node.substr(queue::parse(curator->node).keyOffset);
    for (const std::string& child : childrenOf(front.parent)) {
        if (queue::parse(child).library != Library::none || child >= key)
            continue;
        const auto node = m_tree.find(front.parent + "/" + child);
        const Diagnosis diagnosis{.kind = Kind::foreignInFront,
                                  .node = child,
                                  .other = curator->node,
                                  .count = row.participants.size()};
        Participant foreign;
        foreign.node = child;
        foreign.parent = front.parent;
        foreign.holds = true;
        if (node != m_tree.end()) {
            foreign.session = node->second.session;
            foreign.persistent = !node->second.ephemeral;
            foreign.createdMs = node->second.createdMs;
        }
        for (Participant& one : row.participants) {
            row.waiting += one.holds ? 1 : 0;
            one.holds = false;
            one.heldSince.reset();
        }
        row.holders = 1;
        row.participants.insert(row.participants.begin(), foreign);
        row.holder = row.participants.front();
        return diagnosis;
    }
    return std::nullopt;
}

std::optional<Diagnosis> LockTracker::diagnoseNaming(const LockStatus& row) const
{
    std::string_view first;
    for (const Participant& one : row.participants) {
        if (one.role == NodeRole::lease || one.inAcquireMutex)
            continue;
        const std::string_view scheme = schemeName(one);
        if (first.empty())
            first = scheme;
        else if (!scheme.empty() && scheme != first)
            return Diagnosis{
                .kind = Kind::namesDoNotExclude, .node = std::string(first), .other = std::string(scheme)};
    }
    return std::nullopt;
}

std::optional<Diagnosis> LockTracker::silent(const LockStatus& row) const
{
    const auto isSilent = [](const Participant& one) {
        return one.holds && one.silentAtLeast && one.timeout > Duration{} &&
               *one.silentAtLeast >= silentAfter(one.timeout);
    };
    const auto holder = std::find_if(row.participants.begin(), row.participants.end(), isSilent);
    if (holder == row.participants.end())
        return std::nullopt;
    Diagnosis diagnosis = diagnosisOf(Kind::holderSilent, *holder);
    diagnosis.reference = holder->timeout;
    diagnosis.span = std::max<Duration>(holder->timeout - *holder->silentAtLeast, Duration{});
    return diagnosis;
}

std::optional<Diagnosis> LockTracker::unwatched(const LockStatus& row, const QueueStats& stats) const
{
    if (stats.unwatched.empty() || stats.unwatchedPolls < 2)
        return std::nullopt;
    const auto next = std::find_if(row.participants.begin(), row.participants.end(),
                                   [](const Participant& one) { return !one.holds; });
    if (next == row.participants.end() || next->node != stats.unwatched)
        return std::nullopt;
    return diagnosisOf(Kind::nextWithoutWatch, *next);
}

void LockTracker::updateMissingWatches(const SessionPoll& poll)
{
    m_table.visit([&](std::uint32_t lock, const history::LockSummary& summary,
                      const std::vector<LockTable::Queued>& nodes) {
        QueueStats& stats = m_stats[lock];
        const bool watches = summary.recipe == Recipe::mutex || summary.recipe == Recipe::readWrite ||
                             summary.recipe == Recipe::leaderLatch || summary.recipe == Recipe::kazooMutex ||
                             summary.recipe == Recipe::kazooReadWrite ||
                             summary.recipe == Recipe::zooKeeperCMutex;
        const auto next = std::find_if(nodes.begin(), nodes.end(),
                                       [](const LockTable::Queued& one) { return !one.entitled; });
        // Only the server that a session is connected to knows its watches, and that server may not be among those
        // asked. A process that pauses sets its watch later: it must have been heard from well after the last change.
        const auto couldHave = [&](SessionId session) {
            const auto facts = poll.sessions.find(session);
            return facts != poll.sessions.end() && facts->second.connected && facts->second.silence &&
                   spanBetween(stats.lastChangeMs, m_nowMs) - facts->second.silence->most >= kHeardAfter;
        };
        if (!watches || next == nodes.end() || m_nowMs - stats.lastChangeMs < kUnwatchedAfterMs ||
            !couldHave(next->session)) {
            stats.unwatched.clear();
            stats.unwatchedPolls = 0;
            return;
        }
        // A session that holds here by another node may not have to wait, as with a reader inside its own write lock.
        const bool holdsHere = std::any_of(nodes.begin(), nodes.end(), [&](const LockTable::Queued& one) {
            return one.entitled && one.session == next->session;
        });
        const bool has = holdsHere || std::any_of(nodes.begin(), next, [&](const LockTable::Queued& ahead) {
                             const auto watchers = poll.watches->find(std::string(ahead.path));
                             return watchers != poll.watches->end() &&
                                    std::find(watchers->second.begin(), watchers->second.end(),
                                              next->session) != watchers->second.end();
                         });
        const std::string node(history::nameOf(next->path));
        if (has || stats.unwatched != node)
            stats.unwatchedPolls = 0;
        stats.unwatched = has ? std::string() : node;
        stats.unwatchedPolls += has ? 0 : 1;
        if (stats.unwatchedPolls >= 2)
            stats.unaware = node;
    });
}

// A holder that works looks like one that has forgotten its node: neither does anything here. A forgotten node shows by
// - a second node of the session with the same unique prefix: a create that was retried because its reply was lost (two
//   nodes with different prefixes may belong to two threads of one process);
// - the lack of a watch while it was the next in line, so that the client does not know that its turn has come;
// - otherwise, a hold far longer than those seen here, or longer than two minutes if hardly any were seen.
std::optional<Diagnosis> LockTracker::diagnoseForgotten(const LockStatus& row, const QueueStats& stats) const
{
    if (!row.holder || !row.holder->session.valid() || row.waiting == 0 ||
        row.holder->role == NodeRole::lease || row.recipe == Recipe::leaderLatch)
        return std::nullopt;
    const Participant& holder = *row.holder;
    // What the session did before the watch began is unknown.
    const Duration held = std::min(heldFor(row, m_nowMs), spanBetween(m_readMs, m_nowMs));
    Diagnosis diagnosis = diagnosisOf(Kind::forgottenNode, holder);
    diagnosis.span = held;
    bool another = false;
    for (const Participant& one : row.participants) {
        if (one.session != holder.session || one.node == holder.node)
            continue;
        another = true;
        const bool unique = isCuratorLike(one.library) || one.library == Library::kazoo;
        const std::string_view prefix = uniquePrefix(holder.node);
        if (unique && prefix.size() > 32 && prefix == uniquePrefix(one.node) && held >= kPatience) {
            diagnosis.other = one.node;
            return diagnosis;
        }
    }
    const auto facts = m_sessionPoll.sessions.find(holder.session);
    if (another || facts == m_sessionPoll.sessions.end() || !facts->second.connected)
        return std::nullopt;
    Duration patience = kPatienceWithoutHistory;
    if (holder.node == stats.unaware)
        patience = kPatience;
    else if (stats.holds.seen >= kManyHolds)
        patience = std::max<Duration>(kPatience, milliseconds(3 * longestOf(row.holdsMs)));
    else if (stats.holds.seen >= kFewHolds)
        patience = std::max<Duration>(kPatience * 2, milliseconds(5 * longestOf(row.holdsMs)));
    if (held < patience || isSettling() || facts->second.requestsSeen < stats.requestsBefore + 2)
        return std::nullopt;
    const auto deleted = m_deletedBySession.find(holder.session.value);
    if (deleted != m_deletedBySession.end() && holder.heldSince &&
        deleted->second >= holder.heldSince->latestMs)
        return std::nullopt;
    if (m_sessionPoll.watches)
        for (const auto& [path, watchers] : *m_sessionPoll.watches)
            if (std::find(watchers.begin(), watchers.end(), holder.session) != watchers.end() &&
                history::isAtOrBelow(path, holder.parent))
                return std::nullopt;
    return diagnosis;
}

std::optional<Diagnosis> LockTracker::diagnoseSlow(const LockStatus& row, const QueueStats& stats) const
{
    if (!row.holder || row.waiting == 0 || stats.holds.seen < kManyHolds || isSettling())
        return std::nullopt;
    const Duration held = heldFor(row, m_nowMs);
    const std::int64_t reference = percentile99(stats.holds.ms);
    if (held < std::max<Duration>(seconds(2), longestPause(row.holder->timeout)) ||
        held < milliseconds(3 * reference) || held <= milliseconds(longestOf(row.holdsMs)))
        return std::nullopt;
    Diagnosis diagnosis = diagnosisOf(Kind::slowerThanUsual, *row.holder);
    diagnosis.span = held;
    diagnosis.reference = milliseconds(reference);
    diagnosis.count = stats.holds.seen;
    diagnosis.other = std::to_string(row.waiting);
    return diagnosis;
}

// Finds circles of sessions, each of which waits for a hold of the next one. Circles can occur in normal operation and
// resolve themselves: if a session waits in several places, and so has several threads, or if locks are held for long.
void LockTracker::diagnoseDeadlocks(std::vector<LockStatus>& rows)
{
    std::map<SessionId, std::size_t> places; // the number of its waiting nodes
    const std::vector<Wait> waits = waitsBetween(rows, places);
    const std::map<SessionId, std::set<SessionId>> reached = reachOf(waits);
    struct Circle
    {
        std::set<std::size_t> rows;
        bool hasThreads = false;
    };
    std::map<SessionId, Circle> circles; // by the lowest session in each
    for (const Wait& wait : waits) {
        if (!reached.at(wait.to).contains(wait.from))
            continue;
        SessionId least = wait.from;
        for (const SessionId one : reached.at(wait.from))
            if (reached.at(one).contains(wait.from))
                least = std::min(least, one);
        circles[least].rows.insert(wait.row);
        circles[least].hasThreads = circles[least].hasThreads || places[wait.from] > 1;
    }
    std::map<std::string, std::int64_t> seen; // since when
    for (const auto& [least, circle] : circles) {
        if (circle.rows.size() < 2)
            continue;
        Duration patience = circle.hasThreads ? kPatienceWithoutHistory : kDeadlockAfter;
        std::vector<std::string> paths;
        std::string key;
        for (const std::size_t row : circle.rows) {
            key += rows[row].path + "=" + (rows[row].holder ? rows[row].holder->node : "") + ";";
            paths.push_back(rows[row].path);
            patience = std::max<Duration>(patience, milliseconds(longestOf(rows[row].holdsMs)));
        }
        const auto before = m_deadlocks.find(key);
        const std::int64_t since = seen[key] = before == m_deadlocks.end() ? m_nowMs : before->second;
        const Duration span = milliseconds(m_nowMs - since);
        if (span < patience)
            continue;
        for (const std::size_t row : circle.rows) {
            if (!rows[row].holder || (rows[row].diagnosis && rows[row].diagnosis->kind < Kind::deadlock))
                continue;
            Diagnosis& diagnosis =
                rows[row].diagnosis.emplace(diagnosisOf(Kind::deadlock, *rows[row].holder));
            diagnosis.span = span;
            diagnosis.paths = paths;
        }
    }
    m_deadlocks = std::move(seen);
}

// Finds empty parents that the server does not remove as containers. (A Stat does not show whether a node is a
// container.)
void LockTracker::diagnoseFolders()
{
    std::map<std::string_view, std::uint32_t> empty;
    for (const auto& [path, node] : m_tree)
        if (!node.ephemeral && !node.unknown && !node.hasData && node.wasParent && node.children == 0 &&
            spanBetween(node.emptySinceMs, m_nowMs) >= m_cleanedAfter)
            ++empty[history::parentOf(path)];
    m_folders.clear();
    for (const auto& [path, count] : empty) {
        if (count < kManyEmpty)
            continue;
        m_folders.emplace_back(path.empty() ? "/" : std::string(path),
                               Diagnosis{.kind = Kind::emptyParents, .count = count});
    }
}

} // namespace lockscope::field
