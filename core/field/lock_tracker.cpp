#include "core/field/lock_tracker.h"

#include "core/history/history.h"
#include "core/queue/owner.h"
#include "core/queue/words.h"

#include <algorithm>
#include <limits>

namespace lockscope::field {

namespace {

using history::ChangeKind;
using history::LockEvent;
using history::LockTable;
using history::NodeRole;
using history::SnapshotNode;
using std::chrono::milliseconds;

constexpr std::size_t kDataKept = 128;
constexpr std::int64_t kTogetherMs = 5;
constexpr std::int64_t kBucketMs = 10'000;
constexpr std::int64_t kLongWaitMs = 5'000;
constexpr std::int64_t kFoldersEveryMs = 5'000;
// If a poll this soon after the end of a node does not find its session, the node ended with the session.
constexpr Duration kAtOnce = milliseconds(250);
constexpr Duration kEndUnknownAfter = std::chrono::seconds(10);

// Counts go on from -2^31 after 2^31 - 1.
std::int32_t later(std::optional<std::int32_t> known, std::int32_t read)
{
    return static_cast<std::uint32_t>(known.value_or(read)) > static_cast<std::uint32_t>(read) ? *known
                                                                                               : read;
}

MonotonicTime now() { return std::chrono::time_point_cast<Duration>(MonotonicClock::now()); }

} // namespace

LockTracker::LockTracker(Duration cleanedAfter)
    : m_cleanedAfter(cleanedAfter)
{
    m_table.listen([this](const LockEvent& event) { onLockEvent(event); });
}

// ---- nodes ---------------------------------------------------------------------------------------------

// True for what the table of locks needs to see; it decides.
bool LockTracker::mayMatter(std::string_view path, const Node& node)
{
    const std::string_view name = history::nameOf(path);
    return node.ephemeral || node.unknown ||
           (!name.empty() &&
            (name.front() <= '9' || queue::endsInDigits(name) || queue::isKazooLeaseName(name)));
}

// True for what counts as a node of a lock.
bool LockTracker::isCandidate(std::string_view path, const Node& node)
{
    const queue::NodeName name = queue::parse(history::nameOf(path), history::parentOf(path));
    return queue::isOfLock(name.role) || ((node.ephemeral || node.unknown) && name.role == NodeRole::none);
}

std::optional<std::int32_t> LockTracker::creationsIn(std::string_view parent) const
{
    const auto node = m_tree.find(parent.empty() ? std::string_view("/") : parent);
    return node == m_tree.end() ? std::nullopt : node->second.creations;
}

LockTracker::Node& LockTracker::enter(const std::string& path, const NodeFacts* facts, std::int64_t ms)
{
    const auto [place, isNew] = m_tree.try_emplace(path);
    Node& node = place->second;
    if (isNew && path != "/") {
        const auto parent = m_tree.find(history::parentOf(path));
        if (parent != m_tree.end()) {
            ++parent->second.children;
            parent->second.wasParent = true;
        }
    }
    node.read = true;
    if (isNew)
        m_onNode(path, true, facts);
    if (!facts) {
        node.unknown = true;
        node.createdMs = ms;
        return node;
    }
    node.unknown = false;
    node.notPermitted = facts->notPermitted;
    node.session = facts->stat.stat.ephemeralOwner;
    node.ephemeral = node.session.valid();
    node.czxid = facts->stat.stat.czxid;
    node.mzxid = facts->stat.stat.mzxid;
    node.createdMs = facts->stat.createdMs;
    const std::int32_t creations =
        queue::creationsFrom(facts->stat.stat.cversion, facts->stat.stat.numChildren);
    node.creations = isNew ? creations : later(node.creations, creations);
    noteWrapped(path);
    node.hasData = facts->stat.dataLength > 0;
    node.wasParent = node.wasParent || facts->stat.stat.cversion > 0;
    if (isNew)
        node.emptySinceMs = ms;
    if (mayMatter(path, node) || m_requested.contains(path))
        node.data = facts->data.substr(0, kDataKept);
    if (path.ends_with(queue::kKazooMutexSuffix))
        m_table.addQueue(path);
    if (!m_reading)
        noteSemaphore(path, node);
    return node;
}

// Without a lease, the acquire mutex of a Curator semaphore looks like a mutex; the empty folder for leases
// beside it shows what it is.
void LockTracker::noteSemaphore(std::string_view path, const Node& node)
{
    if (!node.ephemeral && node.children == 0 && path.ends_with(queue::kLeasesSuffix))
        m_table.addSemaphore(history::parentOf(path));
}

void LockTracker::erase(const std::string& path)
{
    if (m_tree.erase(path) > 0)
        m_onNode(path, false, nullptr);
    if (const auto parent = m_tree.find(history::parentOf(path));
        parent != m_tree.end() && parent->second.children > 0)
        if (--parent->second.children == 0)
            parent->second.emptySinceMs = m_nowMs;
}

std::optional<Participant> LockTracker::nodeAt(const std::string& path) const
{
    const auto node = m_tree.find(path);
    if (node == m_tree.end() || node->second.unknown)
        return std::nullopt;
    LockTable::Queued queued{path,
                             NodeRole::fixedName,
                             node->second.session,
                             node->second.czxid,
                             node->second.createdMs,
                             node->second.createdMs,
                             node->second.ephemeral};
    queued.library = queue::parse(history::nameOf(path), history::parentOf(path)).library;
    Participant one = participant(queued);
    one.heldSince = HeldSince{one.createdMs, one.createdMs};
    return one;
}

// Whether it may be a lock, or a node of one, though nothing shows it: an ephemeral node of a name that
// nobody knows, or a persistent one with data that never had children.
bool LockTracker::mayBeLock(std::string_view path, const Node& node) const
{
    const std::string_view name = history::nameOf(path), parent = history::parentOf(path);
    const queue::NodeName known = queue::parse(name, parent);
    const NodeRole role = queue::roleOf(known, node.data, node.ephemeral);
    if (role == NodeRole::lease && queue::isKazooLeaseName(name))
        return !m_tree.contains(std::string(parent).append(queue::kKazooMutexSuffix));
    if (queue::isOfLock(role))
        return !node.ephemeral && !node.unknown && node.children == 0 && queue::numberOf(name) &&
               known.scheme->persistent == queue::Persistent::never && !queue::hasIdInFront(known, name);
    if (role == NodeRole::member)
        return false;
    const std::optional<queue::Number> number = queue::numberOf(name);
    const bool numbered =
        number && queue::givenTo(number->value, creationsIn(parent)) != queue::Given::notByServer;
    return node.ephemeral || node.unknown
               ? !numbered // nodes in a queue have a row
               : !node.wasParent && (node.hasData || numbered) && !path.starts_with("/zookeeper/");
}

PathStatus LockTracker::statusOf(const std::string& path, PathStatus::Kind kind, bool everyNode) const
{
    PathStatus status{path, kind, nodeAt(path)};
    status.isSemaphore = m_tree.contains(path + std::string(queue::kKazooMutexSuffix)) ||
                         m_tree.contains(path + std::string(queue::kLeasesSuffix));
    const std::string begin = path == "/" ? "/" : path + "/";
    for (auto at = m_tree.lower_bound(begin); at != m_tree.end() && at->first.starts_with(begin); ++at) {
        if (at->first.size() == begin.size())
            continue;
        if (everyNode && mayBeLock(at->first, at->second) && status.mayBeLocks++ == 0)
            status.mayBeLock = at->first;
        if (at->first.find('/', begin.size()) != std::string::npos)
            continue;
        ++status.children;
        const std::string_view name = history::nameOf(at->first);
        const queue::NodeName known = queue::parse(name, path);
        const std::optional<queue::Number> number = queue::numberOf(name);
        status.ephemeral += at->second.ephemeral ? 1 : 0;
        const NodeRole role = queue::roleOf(known, at->second.data, at->second.ephemeral);
        const bool member = role == NodeRole::member;
        const bool onlyTheName = role == NodeRole::none && known.role != NodeRole::none;
        if (known.scheme && !onlyTheName &&
            (!queue::isOfLock(role) ||
             (queue::isContender(role) && !at->second.ephemeral && mayBeLock(at->first, at->second)))) {
            ++(member ? status.registrations : status.hidden);
            if (member || !status.scheme)
                status.scheme = known.scheme;
        } else if (number && queue::givenTo(number->value, creationsIn(path)) != queue::Given::notByServer) {
            ++status.numbered;
        }
    }
    return status;
}

std::size_t LockTracker::childCount(const std::string& path) const
{
    const auto node = m_tree.find(path);
    return node == m_tree.end() ? 0 : node->second.children;
}

std::vector<std::string> LockTracker::childrenOf(const std::string& path) const
{
    std::vector<std::string> names;
    const std::string begin = path == "/" ? "/" : path + "/";
    for (auto at = m_tree.lower_bound(begin); at != m_tree.end() && at->first.starts_with(begin); ++at)
        if (at->first.size() > begin.size() && at->first.find('/', begin.size()) == std::string::npos)
            names.push_back(at->first.substr(begin.size()));
    return names;
}

void LockTracker::beginReading()
{
    m_reading = true;
    m_lists = {};
    for (auto& [path, node] : m_tree)
        node.read = false;
}

void LockTracker::read(const std::string& path, const NodeFacts& facts) { enter(path, &facts, m_nowMs); }
void LockTracker::readUnpermitted(const std::string& path)
{
    enter(path, nullptr, m_nowMs).notPermitted = true;
}

void LockTracker::readList(const std::string& path, const zk::Stat& stat, bool keepsLastChange)
{
    if (m_reading && keepsLastChange)
        m_lists[path == "/" ? std::string() : path] =
            ListRead{static_cast<std::size_t>(std::max(stat.numChildren, 0)), stat.pzxid};
    const auto node = m_tree.find(path);
    if (node == m_tree.end())
        return;
    node->second.creations =
        later(node->second.creations, queue::creationsFrom(stat.cversion, stat.numChildren));
}

// A Stat does not show the highest bit of the number of creations (queue::creationsFrom()); a number that
// only an overflow gives does.
void LockTracker::noteWrapped(std::string_view path)
{
    const std::optional<queue::Number> number = queue::numberOf(history::nameOf(path));
    const auto parent = m_tree.find(history::parentOf(path).empty() ? "/" : history::parentOf(path));
    if (!number || number->value >= 0 || parent == m_tree.end() || !parent->second.creations)
        return;
    constexpr std::int32_t kOverflow = std::numeric_limits<std::int32_t>::min();
    std::int32_t& creations = *parent->second.creations;
    if (creations >= 0 && number->value - kOverflow < creations)
        creations += kOverflow;
}

// If the creation of the newest child was the last change of the children: none has been deleted since, so
// the first node has been first since then. Otherwise null.
const LockTracker::ListRead* LockTracker::unchangedList(std::string_view parent) const
{
    const auto list = m_lists.find(std::string(parent));
    const bool unchanged = list != m_lists.end() && list->second.seen == list->second.children &&
                           list->second.newest == list->second.lastChange;
    return unchanged ? &list->second : nullptr;
}

// Then the first node of the queue has been first since its creation. Every server counts the creations; not
// every one changes the pzxid when a child is deleted.
bool LockTracker::nothingWasDeletedFrom(std::string_view parent) const
{
    const auto node = m_tree.find(parent.empty() ? std::string_view("/") : parent);
    return node != m_tree.end() && node->second.creations && node->second.children > 0 &&
           static_cast<std::uint32_t>(*node->second.creations) == node->second.children;
}

void LockTracker::endReading(std::int64_t nowMs, std::optional<std::int64_t> gapFromMs)
{
    m_nowMs = nowMs;
    std::vector<std::string> gone;
    for (const auto& [path, node] : m_tree)
        if (!node.read)
            gone.push_back(path);
    for (const std::string& path : gone)
        erase(path);
    std::vector<SnapshotNode> there;
    for (const auto& [path, node] : m_tree) {
        if (const auto list = m_lists.find(std::string(history::parentOf(path)));
            list != m_lists.end() && !node.unknown) {
            ++list->second.seen;
            if (node.czxid > list->second.newest) {
                list->second.newest = node.czxid;
                list->second.newestMs = node.createdMs;
            }
        }
        if (mayMatter(path, node))
            there.push_back({path, node.data, node.session, node.czxid, node.createdMs,
                             creationsIn(history::parentOf(path)), node.ephemeral || node.unknown});
        noteSemaphore(path, node);
    }
    m_gapFromMs = gapFromMs;
    m_readMs = nowMs;
    if (gapFromMs)
        settle(*gapFromMs);
    m_table.resync(there, Zxid{0}, nowMs, [this](std::string_view parent) -> std::optional<Zxid> {
        if (nothingWasDeletedFrom(parent))
            return Zxid{0};
        const ListRead* list = unchangedList(parent);
        return list ? std::optional(list->newest) : std::nullopt;
    });
    if (m_applied)
        m_applied();
    m_gapFromMs.reset();
    m_lists = {};
    m_reading = false;
}

void LockTracker::newsAgain(std::int64_t fromMs, std::int64_t toMs)
{
    m_nowMs = std::max(m_nowMs, toMs);
    settle(fromMs);
}

// Without a server no client works, and afterwards clients retry after growing pauses.
void LockTracker::settle(std::int64_t gapFromMs)
{
    constexpr std::int64_t kLongestMs = 60'000;
    m_settledMs =
        std::max(m_settledMs, m_nowMs + std::clamp<std::int64_t>(2 * (m_nowMs - gapFromMs), 0, kLongestMs));
    m_gapToMs = m_nowMs;
}

// A hold that began before the end of a gap is a range, and never the longest.
bool LockTracker::wasSeenWhole(const Node& node) const
{
    return node.heldSince && !node.sinceGap && node.heldSince->latestMs >= m_gapToMs;
}

void LockTracker::apply(ChangeKind kind, const std::string& path, const Node& node, std::int64_t ms)
{
    history::Transaction transaction;
    transaction.session = node.session;
    transaction.zxid = kind == ChangeKind::created ? node.czxid : Zxid{0};
    transaction.timeMs = ms;
    history::Change change;
    change.kind = kind;
    change.path = path;
    change.data = node.data;
    change.ephemeral = node.ephemeral || node.unknown;
    change.fromStat = true;
    if (const auto creations = creationsIn(history::parentOf(path))) {
        change.hasCversion = true;
        change.parentCversion = *creations;
    }
    transaction.changes.push_back(change);
    m_table.apply(transaction);
    if (m_applied)
        m_applied();
}

bool LockTracker::created(const std::string& path, const NodeFacts* facts, std::int64_t ms)
{
    m_nowMs = std::max(m_nowMs, ms);
    const bool known = m_tree.contains(path);
    const Node& node = enter(path, facts, ms);
    if (const auto parent = m_tree.find(history::parentOf(path).empty() ? "/" : history::parentOf(path));
        parent != m_tree.end() && parent->second.creations && !known)
        parent->second.creations =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(*parent->second.creations) + 1);
    if (facts && node.ephemeral)
        aliveAfter(node.session);
    if (mayMatter(path, node) && !m_reading && !known)
        apply(ChangeKind::created, path, node, ms);
    return isCandidate(path, node);
}

bool LockTracker::deleted(const std::string& path, std::int64_t ms, std::optional<std::int64_t> sinceMs)
{
    m_nowMs = std::max(m_nowMs, ms);
    m_changedSinceMs = sinceMs;
    const auto place = m_tree.find(path);
    if (place == m_tree.end())
        return false;
    const Node node = place->second;
    if (mayMatter(path, node) && !m_reading)
        apply(ChangeKind::removed, path, node, ms);
    m_changedSinceMs.reset();
    if (node.session.valid()) {
        const auto before = m_deletedBySession.find(node.session.value);
        if (before != m_deletedBySession.end() && ms - before->second <= kTogetherMs)
            if (const auto endings = m_endings.find(node.session.value); endings != m_endings.end())
                for (Ending& one : endings->second)
                    one.together = one.together || ms - one.ms <= kTogetherMs;
        m_deletedBySession[node.session.value] = ms;
    }
    erase(path);
    return isCandidate(path, node);
}

void LockTracker::tick(std::int64_t nowMs)
{
    m_nowMs = std::max(m_nowMs, nowMs);
    history::Transaction nothing;
    nothing.timeMs = m_nowMs;
    m_table.apply(nothing); // open holds and waits are measured up to now
    if (m_nowMs - m_bucketMs >= kBucketMs) {
        m_bucketMs = m_nowMs;
        for (auto& [lock, stats] : m_stats) {
            std::rotate(stats.handoffs.begin(), stats.handoffs.end() - 1, stats.handoffs.end());
            stats.handoffs[0] = 0;
        }
    }
    if (m_nowMs - m_foldersMs >= kFoldersEveryMs) {
        m_foldersMs = m_nowMs;
        diagnoseFolders();
        forgetEndings();
        forgetGone();
        boost::unordered::erase_if(m_deletedBySession,
                                   [this](const auto& one) { return m_nowMs - one.second > 600'000; });
    }
}

// ---- how holds begin and end ---------------------------------------------------------------------------

void LockTracker::LastSpans::add(std::int64_t span)
{
    const std::size_t place = seen++ % kKept;
    if (place == ms.size())
        ms.emplace_back();
    ms[place] = std::max<std::int64_t>(span, 0);
}

void LockTracker::onLockEvent(const LockEvent& event)
{
    QueueStats& stats = m_stats[event.lock];
    stats.lastChangeMs = event.timeMs;
    if (event.kind == LockEvent::Kind::entitled) {
        std::string path = std::string(event.node.parent) + "/" + std::string(event.node.name);
        if (const auto node = m_tree.find(path); node != m_tree.end()) {
            HeldSince since{event.node.entitledMs, event.node.entitledMs};
            if (m_reading)
                since = heldBeforeReading(event.node, node->second.createdMs);
            else if (m_changedSinceMs)
                since.earliestMs =
                    std::min(std::max(*m_changedSinceMs, node->second.createdMs), event.timeMs);
            else if (event.node.sinceUnknown)
                since.earliestMs = std::min(node->second.createdMs, event.timeMs);
            node->second.heldSince = since;
            node->second.sinceGap = !since.exact() && (m_gapFromMs || m_changedSinceMs);
        }
        // The holder of a lease waited in another queue.
        if (!m_reading && !m_changedSinceMs && !event.node.sinceUnknown &&
            queue::isContender(event.node.role) && event.node.role != NodeRole::fixedName) {
            stats.waits.add(event.timeMs - event.node.createdMs);
            stats.longestWaitMs = std::max(stats.longestWaitMs, event.timeMs - event.node.createdMs);
        }
    } else if (event.kind == LockEvent::Kind::ended && event.node.entitled) {
        noteEnd(event);
    } else if (event.kind == LockEvent::Kind::ended && event.reason != history::EndReason::unknown &&
               !m_changedSinceMs) {
        stats.longestWaitMs = std::max(stats.longestWaitMs, event.timeMs - event.node.createdMs);
    }
    if (m_listener)
        m_listener(event);
}

// For a node that was already first when it was first read.
HeldSince LockTracker::heldBeforeReading(const history::LockNode& node, std::int64_t createdMs) const
{
    if (node.lockPath.size() > node.parent.size() && history::nameOf(node.lockPath) == node.name)
        return {createdMs, createdMs}; // a fixed name: the node is the lock
    HeldSince held{std::max(createdMs, m_gapFromMs.value_or(createdMs)), m_nowMs};
    // For Curator's lease, its session also had to leave another queue; kazoo creates one only when it is to
    // be had.
    const bool kazooLease = node.role == NodeRole::lease && node.library == queue::Library::kazoo;
    if (kazooLease || (node.role != NodeRole::lease && nothingWasDeletedFrom(node.parent)))
        held.latestMs = std::min(m_nowMs, createdMs);
    else if (const ListRead* list = node.role == NodeRole::lease ? nullptr : unchangedList(node.parent))
        held.latestMs = std::min(m_nowMs, list->newestMs);
    held.earliestMs = std::min(held.earliestMs, held.latestMs);
    return held;
}

void LockTracker::noteEnd(const LockEvent& event)
{
    QueueStats& stats = m_stats[event.lock];
    if (event.reason == history::EndReason::unknown) {
        ++stats.lostInGap;
        return;
    }
    const auto node = m_tree.find(std::string(event.node.parent) + "/" + std::string(event.node.name));
    if (!m_changedSinceMs && node != m_tree.end() && wasSeenWhole(node->second)) {
        if (node->second.heldSince->exact())
            stats.holds.add(event.timeMs - node->second.heldSince->latestMs);
        stats.longestHoldMs = std::max(stats.longestHoldMs, event.timeMs - node->second.heldSince->latestMs);
    }
    if (!event.node.session.valid())
        return; // the session is unknown
    Ending ending{event.lock, event.node.session, event.timeMs, now(), false, false};
    if (const auto facts = m_sessionPoll.sessions.find(event.node.session);
        facts != m_sessionPoll.sessions.end())
        if (facts->second.silence && facts->second.timeout > Duration{})
            ending.silent = facts->second.silence->most + (ending.seen - m_sessionPoll.ended) >=
                            facts->second.timeout * 9 / 10;
    m_endings[event.node.session.value].push_back(ending);
}

// Drops old endings, which stay unknown where no server may be asked or none answers.
void LockTracker::forgetEndings()
{
    const MonotonicTime oldest = now() - kEndUnknownAfter;
    boost::unordered::erase_if(m_endings, [&](auto& entry) {
        std::erase_if(entry.second, [&](const Ending& one) { return one.seen < oldest; });
        return entry.second.empty();
    });
}

// The session created a node after its hold had ended, so it outlived the hold.
void LockTracker::aliveAfter(SessionId session)
{
    const auto endings = m_endings.find(session.value);
    if (endings == m_endings.end())
        return;
    for (const Ending& one : endings->second)
        if (const auto stats = m_stats.find(one.lock); stats != m_stats.end()) // it may be forgotten
            ++stats->second.alive;
    m_endings.erase(endings);
}

void LockTracker::take(const SessionPoll& poll, std::int64_t nowMs)
{
    std::optional<server::WatchTable> watches =
        std::move(m_sessionPoll.watches); // not requested in every round
    m_sessionPoll = poll;
    if (!poll.watches)
        m_sessionPoll.watches = std::move(watches);
    m_nowMs = std::max(m_nowMs, nowMs);
    for (auto entry = m_endings.begin(); entry != m_endings.end();) {
        const auto facts = poll.sessions.find(SessionId{entry->first});
        const bool alive = facts != poll.sessions.end() && facts->second.alive;
        std::erase_if(entry->second, [&](const Ending& one) {
            if (one.seen >= poll.begun)
                return false;
            const auto stats = m_stats.find(one.lock);
            if (stats == m_stats.end()) // it is forgotten
                return true;
            if (alive)
                ++stats->second.alive;
            else if (!poll.whole)
                return poll.begun - one.seen > kEndUnknownAfter;
            else if (one.together || one.silent || poll.begun - one.seen <= kAtOnce)
                ++stats->second.gone;
            return true;
        });
        const auto done = entry++;
        if (done->second.empty())
            m_endings.erase(done);
    }
    noteUnknownOwners(poll);
    if (poll.watches)
        updateMissingWatches(poll);
}

// ---- what comes out ------------------------------------------------------------------------------------

Participant LockTracker::participant(const LockTable::Queued& queued) const
{
    Participant one;
    one.node = history::nameOf(queued.path);
    one.parent = history::parentOf(queued.path);
    one.session = queued.session;
    one.library = queued.library;
    one.role = queued.role;
    one.created = queued.created;
    one.createdMs = queued.createdMs;
    one.inAcquireMutex = queued.inAcquireMutex;
    one.holds = queued.entitled && !queued.inAcquireMutex;
    one.waits = queued.waits || queued.inAcquireMutex;
    one.mayHold = queued.unsure && !queued.inAcquireMutex;
    const queue::NodeName known = queue::parse(one.node, one.parent);
    one.persistentByDesign = known.scheme && known.scheme->persistent == queue::Persistent::byDesign;
    if (const auto node = m_tree.find(queued.path); node != m_tree.end()) {
        one.data = node->second.data;
        one.dataIsOwners = queue::isOwnersWord(node->second.czxid, node->second.mzxid, one.data);
        one.who = one.dataIsOwners ? history::identityOf(one.data) : "";
        one.createdMs = node->second.createdMs;
        if (node->second.session.valid())
            one.session = node->second.session;
        one.unknown = node->second.unknown;
        one.notPermitted = node->second.notPermitted;
        one.persistent = !node->second.ephemeral && !node->second.unknown;
        if (one.holds && !(one.unknown && one.notPermitted)) // nothing tells when it was created
            one.heldSince = node->second.heldSince;
    }
    if (const auto facts = m_sessionPoll.sessions.find(one.session); facts != m_sessionPoll.sessions.end()) {
        one.address = facts->second.address;
        one.connected = facts->second.connected;
        one.timeout = facts->second.timeout;
        one.expiresIn = facts->second.expiresIn;
        if (facts->second.silence) {
            one.silentAtLeast = facts->second.silence->least;
            one.silentAtMost = facts->second.silence->most;
        }
    }
    return one;
}

LockStatus LockTracker::rowOf(std::uint32_t lock, const history::LockSummary& summary,
                              const std::vector<LockTable::Queued>& nodes, bool detailed)
{
    QueueStats& stats = m_stats[lock];
    LockStatus row;
    row.path = summary.path;
    row.recipe = summary.recipe;
    row.otherLibrary = summary.otherLibrary;
    row.acquisitions = summary.ends.acquisitions();
    row.handoffs = summary.handoffs;
    row.longestHoldMs = stats.longestHoldMs;
    const bool isSemaphore =
        summary.recipe == history::Recipe::semaphore || summary.recipe == history::Recipe::kazooSemaphore;
    row.longestWaitMs =
        isSemaphore ? summary.longestWaitMs : stats.longestWaitMs; // they wait in another queue
    row.deepestQueue = summary.deepestQueue;
    row.ends.deletedSessionAlive = stats.alive;
    row.ends.sessionGone = stats.gone;
    row.ends.gaveUp = summary.ends.gaveUp;
    row.ends.open = summary.ends.open - std::min(summary.ends.open, stats.lostInGap);
    row.ends.unknown =
        row.acquisitions - std::min(row.acquisitions, row.ends.open + stats.alive + stats.gone);
    stats.handoffs[0] +=
        static_cast<std::uint32_t>(summary.handoffs - std::min(summary.handoffs, stats.handoffsBefore));
    stats.handoffsBefore = summary.handoffs;
    for (const std::uint32_t each : stats.handoffs)
        row.handoffsPerMinute += each;
    for (const LockTable::Queued& queued : nodes) {
        Participant one = participant(queued);
        if (one.holds) {
            ++row.holders;
            const auto node = m_tree.find(queued.path);
            if (one.heldSince && node != m_tree.end() && wasSeenWhole(node->second))
                row.longestHoldMs = std::max(row.longestHoldMs, m_nowMs - one.heldSince->latestMs);
        } else if (one.waits) {
            // The first node in a semaphore's acquire mutex already has a lease in the list, or waits for
            // one.
            ++row.waiting;
            row.longestWaitNowMs = std::max(row.longestWaitNowMs, m_nowMs - one.createdMs);
            row.longestWaitMs = std::max(row.longestWaitMs, row.longestWaitNowMs);
            one.behind = queued.behind;
            if (queued.inAcquireMutex && one.behind.empty() && !row.participants.empty())
                one.behind = row.participants.back().node;
        }
        row.participants.push_back(std::move(one));
    }
    const bool mayBeHeld = std::any_of(nodes.begin(), nodes.end(), [](const LockTable::Queued& one) {
        return one.unsure && !one.inAcquireMutex;
    });
    row.state = summary.recipe == history::Recipe::members ? HoldState::noLock
                : row.holders > 0                          ? HoldState::held
                : !summary.showsHolders || mayBeHeld       ? HoldState::notKnown
                                                           : HoldState::free;
    if ((!summary.showsHolders || summary.recipe == history::Recipe::mixed) && nodes.size() > 1)
        m_wantsWatches = true; // they would show a queue
    addForeign(row, summary.foreignInFront);
    // Count a semaphore's client once if it is still in the acquire mutex but has created its lease.
    boost::unordered_flat_map<std::int64_t, std::int64_t> newestLease; // its creation, by session
    for (const Participant& one : row.participants) {                  // leases come first
        if (!one.session.valid())
            continue;
        if (!one.inAcquireMutex) {
            std::int64_t& newest = newestLease.try_emplace(one.session.value, one.createdMs).first->second;
            newest = std::max(newest, one.createdMs);
        } else if (const auto lease = newestLease.find(one.session.value);
                   lease != newestLease.end() && lease->second >= one.createdMs) {
            row.waiting -= std::min(row.waiting, 1U);
        }
    }
    const auto holder = std::find_if(row.participants.begin(), row.participants.end(),
                                     [](const Participant& one) { return one.holds; });
    if (holder != row.participants.end())
        row.holder = *holder;
    if (detailed || row.waiting > 0) {
        row.holdsMs = stats.holds.ms;
        row.waitsMs = stats.waits.ms;
    }
    if (!detailed && row.waiting == 0 && !row.holder)
        row.participants.clear();
    return row;
}

// For a lock without nodes.
bool LockTracker::isPathGone(const history::LockSummary& summary) const
{
    return !m_tree.contains(summary.recipe == history::Recipe::fixedName ? history::parentOf(summary.path)
                                                                         : summary.path);
}

bool LockTracker::isGone(std::uint32_t lock, const history::LockSummary& summary) const
{
    const auto stats = m_stats.find(lock);
    return isPathGone(summary) && stats != m_stats.end() &&
           milliseconds(m_nowMs - stats->second.lastChangeMs) >= kShownWhenGone;
}

// A path for each job would make a long watch grow without bound.
void LockTracker::forgetGone()
{
    if (m_reading)
        return;
    std::vector<std::int64_t> changes; // of the locks that are gone
    const auto lastChange = [&](std::uint32_t lock,
                                const history::LockSummary& summary) -> std::optional<std::int64_t> {
        const auto stats = m_stats.find(lock);
        return stats != m_stats.end() && isPathGone(summary) ? std::optional(stats->second.lastChangeMs)
                                                             : std::nullopt;
    };
    m_table.forget([&](std::uint32_t lock, const history::LockSummary& summary) {
        if (const auto change = lastChange(lock, summary))
            changes.push_back(*change);
        return false;
    });
    std::int64_t beforeMs = m_nowMs - std::chrono::duration_cast<milliseconds>(kForgottenAfter).count();
    if (changes.size() > kMostGone) {
        const auto place = changes.end() - static_cast<std::ptrdiff_t>(kMostGone);
        std::nth_element(changes.begin(), place, changes.end());
        beforeMs = std::max(beforeMs, *place);
    }
    m_table.forget([&](std::uint32_t lock, const history::LockSummary& summary) {
        const auto change = lastChange(lock, summary);
        if (!change || *change >= beforeMs)
            return false;
        ++m_forgotten.locks;
        m_forgotten.acquisitions += summary.ends.acquisitions();
        m_forgotten.handoffs += summary.handoffs;
        m_stats.erase(lock);
        if (m_onForgotten)
            m_onForgotten(lock);
        return true;
    });
}

void LockTracker::fill(Snapshot& snapshot, const std::set<std::string>& detailed, bool everyDetail, Rows rows)
{
    m_wantsWatches = false;
    std::vector<std::uint32_t> numbers;
    m_table.visit([&](std::uint32_t lock, const history::LockSummary& summary,
                      const std::vector<LockTable::Queued>& nodes) {
        if (rows == Rows::present && nodes.empty() && isGone(lock, summary))
            return;
        snapshot.locks.push_back(rowOf(lock, summary, nodes, everyDetail || detailed.contains(summary.path)));
        numbers.push_back(lock);
    });
    if (m_news) {
        Waiting waiting{snapshot.locks, {}};
        for (std::size_t i = 0; i < snapshot.locks.size(); ++i)
            for (const Participant& one : snapshot.locks[i].participants)
                if (one.waits && one.session.valid())
                    waiting.in[one.session].push_back(i);
        for (std::size_t i = 0; i < snapshot.locks.size(); ++i)
            diagnose(snapshot.locks[i], m_stats[numbers[i]], waiting);
        diagnoseDeadlocks(snapshot.locks);
        nameOtherNodes(snapshot.locks);
        keepGiven(snapshot.locks);
    }
    snapshot.verdicts = m_given;
    snapshot.forgotten = m_forgotten;
    if (!everyDetail)
        for (LockStatus& row : snapshot.locks)
            if (!detailed.contains(row.path)) {
                row.participants.clear();
                row.holdsMs = row.waitsMs = {};
            }
    std::sort(snapshot.locks.begin(), snapshot.locks.end(), [](const LockStatus& a, const LockStatus& b) {
        if (a.diagnosis.has_value() != b.diagnosis.has_value())
            return a.diagnosis.has_value();
        if (a.diagnosis && a.diagnosis->kind != b.diagnosis->kind)
            return a.diagnosis->kind < b.diagnosis->kind;
        // Short waits come and go: rows sorted by them would jump about.
        const auto seconds = [](const LockStatus& row) {
            return row.longestWaitNowMs < kLongWaitMs ? 0 : row.longestWaitNowMs / 1000;
        };
        if (seconds(a) != seconds(b))
            return seconds(a) > seconds(b);
        return a.path < b.path;
    });
    snapshot.folders = m_folders;
}

} // namespace lockscope::field
