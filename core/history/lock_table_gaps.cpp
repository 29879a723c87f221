// The table of locks: what a gap hides, and what a snapshot or a later transaction shows of it.
#include "core/history/lock_table.h"

#include "core/queue/words.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lockscope::history {

namespace {

// The creations below a parent between two of its cversions. A snapshot may have later changes than its name
// says, so that a cversion may come again.
std::uint32_t missed(std::int32_t known, std::int32_t next)
{
    const std::uint32_t created = static_cast<std::uint32_t>(next) - static_cast<std::uint32_t>(known);
    return static_cast<std::int32_t>(created) > 0 ? created - 1 : 0;
}

} // namespace

// Counts the nodes that were created below a known parent and not seen. A parent that is created has none.
void LockTable::noteCversion(const Change& change)
{
    if (!change.ephemeral) {
        if (const auto made = m_lockByPath.find(change.path); made != m_lockByPath.end())
            m_locks[made->second].cversion = 0;
    }
    const auto known = m_lockByPath.find(parentOf(change.path));
    if (known == m_lockByPath.end() || !change.hasCversion || !m_locks[known->second].cversion)
        return;
    Queue& queue = m_locks[known->second];
    const std::uint32_t count = missed(*queue.cversion, change.parentCversion);
    queue.missedCreates += count;
    queue.cversion = change.parentCversion;
    if (count > 0 && !queue.mayMiss) {
        if (m_missingListener)
            m_missingListener();
        const auto [by, zxid, cxid] = std::tuple(m_by, m_zxid, m_cxid);
        loseNodes(Zxid{zxid.value - 1}, m_timeMs);
        m_by = by;
        m_zxid = zxid;
        m_cxid = cxid;
    }
    queue.mayMiss = false;
}

// Adds a node that is mentioned without a creation, if its number shows that it is older than the log.
void LockTable::addFromLateMention(std::string_view path, SessionId owner)
{
    const auto place = placeFrom(path, {}, true, std::nullopt, false);
    if (!place)
        return;
    const auto known = m_lockByPath.find(parentOf(path));
    if (known == m_lockByPath.end() && !queue::isOfLock(place->role))
        return;
    const std::uint32_t queue = known == m_lockByPath.end() ? queueFor(parentOf(path)) : known->second;
    const std::optional<std::int32_t> first = m_locks[queue].firstNumber;
    if (first && place->number >= *first)
        return;
    const std::uint32_t node = addNode(path, owner);
    m_nodes[node].beforeLog = true;
    m_nodes[node].created = Zxid::none();
    if (m_beginsInside && !m_locks[queue].cversion && !m_locks[queue].knownSince.valid()) {
        m_locks[queue].knownSince = m_zxid;
        m_locks[queue].knownSinceMs = m_timeMs;
    }
    enter(node, queue, *place, {});
    measureDepth(m_locks[queue]);
    if (placeOf(m_locks[queue], node) == 0 && !m_nodes[node].entitled &&
        queue::isOfLock(contenderRole(m_locks[queue], m_nodes[node])))
        grant(node, false);
}

// A transaction mentions the node: if sight of it was lost, it existed all the time.
void LockTable::findAgain(std::uint32_t index, SessionId owner)
{
    adopt(index, owner);
    if (!m_nodes[index].lost)
        return;
    setLost(index, false);
    Node& node = m_nodes[index];
    if (node.queue == kNone)
        return;
    markTouched(node.queue, false);
    const bool wasBeforeLog = std::exchange(node.beforeLog, true);
    notify(LockEvent::Kind::queued, index);
    if (node.entitled) {
        notify(LockEvent::Kind::entitled, index);
    } else if (node.role != NodeRole::lease && placeOf(m_locks[node.queue], index) == 0) {
        const bool since = node.entitledMs != 0; // when it came to be first, if that was seen
        const bool resyncing = std::exchange(m_resyncing, m_resyncing || !since);
        grant(index, node.handoff, since ? node.entitledMs : m_timeMs);
        m_resyncing = resyncing;
    }
    node.beforeLog = wasBeforeLog;
}

// Sets the session of a node whose creation was not seen.
void LockTable::adopt(std::uint32_t node, SessionId owner)
{
    if (m_nodes[node].session.valid() || !owner.valid())
        return;
    m_nodes[node].session = owner;
    link(node);
}

void LockTable::setLost(std::uint32_t index, bool lost)
{
    Node& node = m_nodes[index];
    if (std::exchange(node.lost, lost) == lost || node.queue == kNone)
        return;
    Queue& queue = m_locks[node.queue];
    queue.lost += lost ? 1 : -1U;
    if (node.role == NodeRole::lease && node.entitled)
        queue.inside += lost ? -1U : 1;
}

// Whether a node that was lost sight of, and no other one, may keep the node at this place from being
// entitled.
bool LockTable::isUnsure(const Queue& queue, std::size_t place) const
{
    const Node& node = m_nodes[queue.nodes[place]];
    if (node.mayHold && !node.entitled)
        return true;
    if (queue.lost == 0 || node.entitled || node.role == NodeRole::lease)
        return false;
    bool lost = false;
    for (std::size_t i = 0; i < place; ++i) {
        const Node& ahead = m_nodes[queue.nodes[i]];
        if (!countEachOther(queue, ahead, node))
            continue;
        if (!ahead.lost && (ahead.role != NodeRole::reader || node.role != NodeRole::reader))
            return false;
        lost = lost || ahead.lost;
    }
    return lost;
}

bool LockTable::isUnsure(std::string_view path) const
{
    const auto known = m_nodeByPath.find(path);
    if (known == m_nodeByPath.end() || m_nodes[known->second].queue == kNone)
        return false;
    const Queue& queue = m_locks[m_nodes[known->second].queue];
    return !m_nodes[known->second].lost && isUnsure(queue, placeOf(queue, known->second));
}

void LockTable::resync(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs,
                       const UnchangedSince& unchangedSince)
{
    m_unchangedSince = unchangedSince;
    m_by = SessionId::none();
    m_zxid = zxid;
    m_cxid = 0;
    m_timeMs = timeMs;
    m_resyncing = true;
    m_beginsInside = false;
    m_foreign.clear();
    std::unordered_map<std::string_view, Zxid> there;
    for (const SnapshotNode& node : nodes)
        there.emplace(node.path, node.created);
    std::vector<std::uint32_t> gone;
    for (const auto& [path, index] : m_nodeByPath) {
        const auto found = there.find(path);
        const Node& node = m_nodes[index];
        const bool mayComeAgain = node.queue == kNone || m_locks[node.queue].fixedName;
        if (found == there.end() || (mayComeAgain && node.created.valid() && node.created != found->second))
            gone.push_back(index);
        else if (m_nodes[index].lost)
            findAgain(index, SessionId::none());
    }
    for (const std::uint32_t index : gone)
        leave(index, EndReason::unknown);
    for (Queue& queue : m_locks) {
        queue.firstNumber.reset();
        queue.mayMiss = true;
        queue.knownSince = Zxid::none();
    }
    std::vector<const SnapshotNode*> inOrder;
    for (const SnapshotNode& node : nodes) {
        if (!m_nodeByPath.contains(std::string_view(node.path)))
            inOrder.push_back(&node);
        else
            noteForeign(node.path, node.created);
        if (!node.ephemeral && node.path.ends_with(queue::kKazooMutexSuffix))
            queueFor(node.path); // before the leases that it shows to be such
    }
    std::sort(inOrder.begin(), inOrder.end(),
              [](const auto* a, const auto* b) { return a->created < b->created; });
    for (const SnapshotNode* node : inOrder)
        addFromSnapshot(*node);
    grantTouched();
    m_resyncing = false;
    m_unchangedSince = {};
}

void LockTable::loseNodes(Zxid zxid, std::int64_t timeMs)
{
    m_by = SessionId::none();
    m_zxid = zxid;
    m_cxid = 0;
    m_timeMs = timeMs;
    for (const auto& [path, index] : m_nodeByPath) {
        if (m_nodes[index].lost)
            continue;
        if (m_nodes[index].queue != kNone)
            notify(LockEvent::Kind::ended, index, EndReason::unknown);
        if (!m_nodes[index].entitled)
            m_nodes[index].entitledMs = 0;
        setLost(index, true);
    }
    m_beginsInside = true;
    for (Queue& queue : m_locks) {
        queue.firstNumber.reset();
        queue.mayMiss = true;
    }
}

void LockTable::addFromSnapshot(const SnapshotNode& from)
{
    const auto place = placeFrom(from.path, from.data, from.ephemeral, from.parentCversion, false);
    if (!place) {
        Change change;
        change.path = from.path;
        change.data = from.data;
        change.ephemeral = from.ephemeral;
        m_by = from.owner;
        return createFixed(change, &from);
    }
    const std::uint32_t node = addNode(from.path, from.owner, &from);
    m_nodes[node].ephemeral = from.ephemeral;
    const std::uint32_t queue = queueFor(parentOf(from.path));
    const std::int64_t lastUsedMs = m_locks[queue].lastUsedMs;
    enter(node, queue, *place, from.data);
    if (from.parentCversion)
        m_locks[queue].cversion = from.parentCversion;
    m_locks[queue].lastUsedMs = std::max(lastUsedMs, from.createdMs > 0 ? from.createdMs : m_timeMs);
}

} // namespace lockscope::history
