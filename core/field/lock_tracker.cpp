// The tree below the watched paths, as a LockTracker enters it.
#include "core/field/lock_tracker.h"

#include "core/history/history.h"
#include "core/queue/owner.h"
#include "core/queue/words.h"

#include <algorithm>
#include <limits>

namespace lockscope::field {

namespace {

using history::ChangeKind;
using history::LockTable;
using history::NodeRole;
using history::SnapshotNode;

constexpr std::size_t kDataKept = 128;
constexpr std::int64_t kTogetherMs = 5;
constexpr std::int64_t kBucketMs = 10'000;
constexpr std::int64_t kFoldersEveryMs = 5'000;

// Counts go on from -2^31 after 2^31 - 1.
std::int32_t later(std::optional<std::int32_t> known, std::int32_t read)
{
    return static_cast<std::uint32_t>(known.value_or(read)) > static_cast<std::uint32_t>(read) ? *known
                                                                                               : read;
}

} // namespace

LockTracker::LockTracker(Duration cleanedAfter)
    : m_cleanedAfter(cleanedAfter)
{
    m_table.listen([this](const history::LockEvent& event) { onLockEvent(event); });
}

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

// Whether it may be a lock, or a node of one, though nothing shows it: an ephemeral node with a name of
// no scheme, or a persistent one with data that never had children.
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

} // namespace lockscope::field
