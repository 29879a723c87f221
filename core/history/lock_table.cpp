#include "core/history/lock_table.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lockscope::history {

namespace {

// A LockScope holder announces its hold by setting data that ends in this.
constexpr std::string_view kAnnouncement = "__HOLDS__"; // after a space if the node has other data

template <class Bit>
std::uint8_t bit(Bit value)
{
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(value));
}

std::string join(std::string_view a, std::string_view b) { return std::string(a).append(b); }

std::uint64_t& countOf(EndCounts& ends, EndReason reason)
{
    switch (reason) {
    case EndReason::released:
        return ends.released;
    case EndReason::sessionClosed:
        return ends.sessionClosed;
    case EndReason::sessionExpired:
        return ends.sessionExpired;
    case EndReason::deletedByOther:
        return ends.deletedByOther;
    case EndReason::gaveUp:
        return ends.gaveUp;
    case EndReason::unknown:
        break;
    }
    return ends.open;
}

} // namespace

const char* name(EndReason reason)
{
    constexpr std::array<const char*, 6> kNames = {"released",         "session_closed", "session_expired",
                                                   "deleted_by_other", "gave_up",        "unknown"};
    return kNames[static_cast<std::size_t>(reason)];
}

// ---- transactions --------------------------------------------------------------------------------------

void LockTable::apply(const Transaction& transaction)
{
    m_by = transaction.session;
    m_zxid = transaction.zxid;
    m_cxid = transaction.cxid;
    m_timeMs = transaction.timeMs;
    for (const Change& change : transaction.changes) {
        if (change.kind == ChangeKind::created)
            create(change);
        else if (change.kind == ChangeKind::removed)
            remove(change.path, EndReason::released);
        else if (change.kind == ChangeKind::dataSet && !change.path.empty() && isDigit(change.path.back()))
            setData(change);
    }
    if (transaction.type == TxnType::closeSession)
        closeSession(transaction);
    if (!m_touched.empty())
        grantTouched();
}

bool LockTable::isLockNode(const Change& change, SequentialName& parsed) const
{
    const std::optional<SequentialName> name = parseSequentialName(nameOf(change.path));
    if (!name)
        return false;
    parsed = *name;
    if (!change.ephemeral) // kazoo's Lock(ephemeral=False)
        return name->naming == NamingScheme::kazoo && isNumbered(change, *name);
    // A Curator reader may use the number of its writer.
    return name->naming != NamingScheme::other || isNumbered(change, *name);
}

// True if the server assigned the number: ten digits at the end may mean something else. After 2^31 - 1 comes -2^31.
bool LockTable::isNumbered(const Change& change, const SequentialName& name) const
{
    return !change.hasCversion ||
           static_cast<std::uint32_t>(change.parentCversion) - 1 == static_cast<std::uint32_t>(name.number);
}

void LockTable::create(const Change& change)
{
    SequentialName name;
    if (isLockNode(change, name)) {
        if (const auto known = m_nodeByPath.find(change.path); known != m_nodeByPath.end())
            leave(known->second, EndReason::unknown); // it ended in a gap of the log
        const std::uint32_t queue = queueFor(parentOf(change.path));
        if (!m_locks[queue].firstNumber)
            m_locks[queue].firstNumber = name.number;
        const std::uint32_t node = addNode(change.path, m_by);
        m_nodes[node].ephemeral = change.ephemeral;
        enter(node, queue, name, change.data, change.acl);
    } else if (change.ephemeral) {
        createFixed(change);
    }
}

void LockTable::setData(const Change& change)
{
    auto known = m_nodeByPath.find(change.path);
    const bool announces = change.data == kAnnouncement || change.data.ends_with(" " + std::string(kAnnouncement));
    if (known == m_nodeByPath.end() && (announces || change.data == queue::kRevokeMessage)) {
        addFromLateMention(change.path, announces ? m_by : SessionId::none());
        known = m_nodeByPath.find(change.path);
    }
    if (known != m_nodeByPath.end() && m_nodes[known->second].queue != kNone)
        notify(LockEvent::Kind::dataSet, known->second, {}, change.data);
}

// The lease queue of the kazoo semaphore that a lease of this name belongs to; kNone if there is no such semaphore.
std::uint32_t LockTable::leasesQueue(std::string_view name, std::string_view parent)
{
    if (!isKazooLeaseName(name))
        return kNone;
    const auto acquireMutex = m_lockByPath.find(join(parent, kKazooMutexSuffix));
    if (acquireMutex == m_lockByPath.end())
        return kNone;
    const std::uint32_t queue = queueFor(parent);
    m_locks[queue].kazooLeases = true;
    m_locks[queue].acquireMutex = acquireMutex->second;
    m_locks[acquireMutex->second].leases = queue;
    return queue;
}

void LockTable::addSemaphore(std::string_view path)
{
    queueFor(join(path, queue::kMutexSuffix));
    m_locks[queueFor(join(path, queue::kLeasesSuffix))].roles |= bit(NodeRole::lease);
}

void LockTable::createFixed(const Change& change, const SnapshotNode* from)
{
    if (const auto there = m_nodeByPath.find(change.path); there != m_nodeByPath.end())
        leave(there->second, EndReason::unknown);
    const std::uint32_t leases = leasesQueue(nameOf(change.path), parentOf(change.path));
    const std::uint32_t node = addNode(change.path, m_by, from);
    if (leases != kNone) {
        SequentialName name{NamingScheme::kazoo, NodeRole::lease};
        name.order = m_zxid.value;
        return enter(node, leases, name, change.data, change.acl);
    }
    if (m_fixedNames.size() >= m_mostFixedNames)
        forgetUnusedNames();
    const auto [place, isNew] = m_fixedNames.try_emplace(TextHash()(change.path));
    FixedName& fixed = place->second;
    if (isNew)
        fixed.session = m_by;
    const bool known = isNew && std::binary_search(m_options.fixedNames.begin(), m_options.fixedNames.end(), change.path);
    if (fixed.queue == kNone && (known || fixed.session != m_by)) {
        fixed.queue = queueFor(change.path);
        Queue& queue = m_locks[fixed.queue];
        queue.ends = fixed.ends;
        queue.longestHoldMs = fixed.longestHoldMs;
        queue.deepest = 1;
    }
    fixed.live = node;
    m_nodes[node].role = NodeRole::fixedName;
    if (fixed.queue != kNone)
        return enter(node, fixed.queue, {NamingScheme::other, NodeRole::fixedName}, change.data, change.acl);
    m_nodes[node].entitled = true;
    m_nodes[node].entitledMs = m_timeMs;
}

void LockTable::forgetUnusedNames()
{
    boost::unordered::erase_if(m_fixedNames, [](const auto& entry) {
        return entry.second.queue == kNone && entry.second.live == kNone;
    });
    m_mostFixedNames = std::max(kMaxSingleUse, 2 * m_fixedNames.size());
}

void LockTable::remove(std::string_view path, EndReason reason)
{
    auto known = m_nodeByPath.find(path);
    if (known == m_nodeByPath.end()) {
        addFromLateMention(path, SessionId::none());
        known = m_nodeByPath.find(path);
    }
    if (known == m_nodeByPath.end())
        return;
    const SessionId owner = m_nodes[known->second].session;
    if (owner.valid() && owner != m_by)
        reason = EndReason::deletedByOther;
    leave(known->second, reason);
}

// Adds a node that is mentioned without a creation, if its number shows that it is older than the log.
void LockTable::addFromLateMention(std::string_view path, SessionId owner)
{
    if (!m_lost.empty() && m_lost.contains(std::string(path)))
        return addLost(path, owner);
    const std::optional<SequentialName> name = parseSequentialName(nameOf(path));
    if (!name)
        return;
    const auto known = m_lockByPath.find(parentOf(path));
    if (known == m_lockByPath.end() && name->naming == NamingScheme::other)
        return;
    const std::uint32_t queue = known == m_lockByPath.end() ? queueFor(parentOf(path)) : known->second;
    const std::optional<std::int32_t> first = m_locks[queue].firstNumber;
    if (first && name->number >= *first)
        return;
    const std::uint32_t node = addNode(path, owner);
    m_nodes[node].beforeLog = true;
    m_nodes[node].created = Zxid::none();
    enter(node, queue, *name, {});
    measureDepth(m_locks[queue]);
    if (placeOf(m_locks[queue], node) == 0 && !m_nodes[node].entitled)
        grant(node, false);
}

// Adds a node that lived on after a gap, and undoes its count as a node with an unknown end.
void LockTable::addLost(std::string_view path, SessionId owner)
{
    const auto lost = m_lost.find(std::string(path));
    const LostNode was = lost->second;
    m_lost.erase(lost);
    const std::uint32_t index = addNode(path, was.session.valid() ? was.session : owner);
    Node& node = m_nodes[index];
    node.beforeLog = true;
    node.created = was.created;
    node.createdMs = was.createdMs;
    node.waitFromMs = was.waitFromMs;
    const std::uint32_t queue = queueFor(parentOf(path));
    if (was.counted)
        --(was.entitled ? m_locks[queue].ends.open : m_locks[queue].ends.gaveUp);
    enter(index, queue, *parseSequentialName(nameOf(path)), {});
    measureDepth(m_locks[queue]);
    if (!node.entitled && placeOf(m_locks[queue], index) == 0)
        grant(index, false, was.entitled ? was.entitledMs : m_timeMs);
}

// Sets the session of a node whose creation was not seen.
void LockTable::adopt(std::uint32_t node, SessionId owner)
{
    if (m_nodes[node].session.valid())
        return;
    m_nodes[node].session = owner;
    link(node);
}

void LockTable::closeSession(const Transaction& transaction)
{
    const EndReason reason = transaction.expired() ? EndReason::sessionExpired : EndReason::sessionClosed;
    for (const std::string_view path : transaction.closedPaths) {
        if (const auto known = m_nodeByPath.find(path); known != m_nodeByPath.end())
            adopt(known->second, m_by);
        else
            addFromLateMention(path, m_by);
    }
    const auto session = m_sessions.find(m_by.value);
    if (session == m_sessions.end())
        return;
    for (std::uint32_t node = session->second; node != kNone;) {
        const std::uint32_t next = m_nodes[node].sessionNext;
        if (m_nodes[node].ephemeral)
            leave(node, reason);
        node = next;
    }
}

// ---- nodes ---------------------------------------------------------------------------------------------

std::uint32_t LockTable::addNode(std::string_view path, SessionId session, const SnapshotNode* from)
{
    std::uint32_t index = 0;
    if (m_freeNodes.empty()) {
        index = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
    } else {
        index = m_freeNodes.back();
        m_freeNodes.pop_back();
    }
    Node& node = m_nodes[index];
    std::string text = std::move(node.path); // reuses its storage
    text.assign(path);
    node = Node{};
    node.path = std::move(text);
    node.session = session;
    node.beforeLog = from != nullptr;
    node.created = from ? from->created : m_zxid;
    node.createdMs = node.waitFromMs = from ? from->createdMs : m_timeMs;
    m_nodeByPath.emplace(node.path, index);
    link(index);
    return index;
}

void LockTable::drop(std::uint32_t index)
{
    unlink(index);
    m_nodeByPath.erase(std::string_view(m_nodes[index].path));
    m_freeNodes.push_back(index);
}

void LockTable::link(std::uint32_t index)
{
    Node& node = m_nodes[index];
    if (!node.session.valid())
        return;
    const auto [place, isNew] = m_sessions.try_emplace(node.session.value, index);
    if (isNew)
        return;
    node.sessionNext = place->second;
    m_nodes[place->second].sessionPrevious = index;
    place->second = index;
}

void LockTable::unlink(std::uint32_t index)
{
    const Node& node = m_nodes[index];
    if (!node.session.valid())
        return;
    if (node.sessionNext != kNone)
        m_nodes[node.sessionNext].sessionPrevious = node.sessionPrevious;
    if (node.sessionPrevious != kNone)
        m_nodes[node.sessionPrevious].sessionNext = node.sessionNext;
    else if (node.sessionNext != kNone)
        m_sessions[node.session.value] = node.sessionNext;
    else
        m_sessions.erase(node.session.value);
}

std::uint32_t LockTable::queueFor(std::string_view path)
{
    if (const auto known = m_lockByPath.find(path); known != m_lockByPath.end())
        return known->second;
    const auto index = static_cast<std::uint32_t>(m_locks.size());
    Queue& queue = m_locks.emplace_back();
    queue.path = path;
    m_lockByPath.emplace(queue.path, index);
    const bool isLeases = path.ends_with(queue::kLeasesSuffix);
    if (isLeases || path.ends_with(queue::kMutexSuffix)) {
        const std::string_view base = parentOf(path);
        if (const auto other = m_lockByPath.find(join(base, isLeases ? queue::kMutexSuffix : queue::kLeasesSuffix)); other != m_lockByPath.end()) {
            const std::uint32_t leases = isLeases ? index : other->second;
            const std::uint32_t acquireMutex = isLeases ? other->second : index;
            m_locks[leases].acquireMutex = acquireMutex;
            m_locks[acquireMutex].leases = leases;
            m_locks[leases].deepest = m_locks[acquireMutex].deepest;
        }
    }
    return index;
}

std::size_t LockTable::placeOf(const Queue& queue, std::uint32_t index) const
{
    const std::int64_t order = m_nodes[index].order;
    auto place = std::lower_bound(queue.nodes.begin(), queue.nodes.end(), order,
                                  [this](std::uint32_t a, std::int64_t b) { return m_nodes[a].order < b; });
    place = std::find(place, queue.nodes.end(), index);
    return static_cast<std::size_t>(place - queue.nodes.begin());
}

// ---- the queue of a lock -------------------------------------------------------------------------------

void LockTable::enter(std::uint32_t index, std::uint32_t queueIndex, const SequentialName& name, std::string_view data,
                      std::string_view acl)
{
    Node& node = m_nodes[index];
    Queue& queue = m_locks[queueIndex];
    node.queue = queueIndex;
    node.role = name.role;
    node.order = name.order;
    queue.namings |= bit(name.naming);
    queue.roles |= bit(name.role);
    queue.lastUsedMs = m_timeMs;
    queue.used = true;
    auto place = queue.nodes.end();
    if (!queue.nodes.empty() && m_nodes[queue.nodes.back()].order > name.order)
        place = std::upper_bound(queue.nodes.begin(), queue.nodes.end(), name.order,
                                 [this](std::int64_t a, std::uint32_t b) { return a < m_nodes[b].order; });
    const std::size_t at = static_cast<std::size_t>(place - queue.nodes.begin());
    queue.nodes.insert(place, index);
    markTouched(queueIndex, false);
    notify(LockEvent::Kind::queued, index, {}, data, acl);
    if (node.role == NodeRole::lease)
        return enterLease(index, queue);
    if (node.beforeLog)
        revokeBehind(queue, at);
    const Node& front = m_nodes[queue.nodes.front()];
    if (node.role == NodeRole::reader && front.role == NodeRole::writer && front.entitled && at > 0 &&
        front.session == node.session && node.session.valid())
        grant(index, false); // a reader inside its own write lock
}

// Revokes what was granted behind `place`, where a node from before the log has turned up.
void LockTable::revokeBehind(Queue& queue, std::size_t place)
{
    const bool reads = m_nodes[queue.nodes[place]].role == NodeRole::reader;
    for (std::size_t i = place + 1; i < queue.nodes.size(); ++i) {
        Node& behind = m_nodes[queue.nodes[i]];
        if (!behind.entitled)
            return;
        behind.entitled = reads && behind.role == NodeRole::reader;
        if (!behind.entitled)
            behind.notEntitledMs = behind.entitledMs;
        if (!behind.entitled && std::exchange(behind.handoff, false) && counts(behind))
            --queue.handoffs;
    }
}

void LockTable::enterLease(std::uint32_t index, Queue& queue)
{
    Node& lease = m_nodes[index];
    if (queue.acquireMutex != kNone && !m_locks[queue.acquireMutex].nodes.empty()) {
        const std::uint32_t first = m_locks[queue.acquireMutex].nodes.front();
        if (isPartner(m_nodes[first], lease)) {
            lease.partner = first;
            lease.waitFromMs = m_nodes[first].createdMs;
            lease.olderLease = std::exchange(m_nodes[first].partner, index);
        }
    }
    if (lease.partner == kNone || queue.kazooLeases) // kazoo creates a lease only when one is free
        grantLease(index);
}

void LockTable::grantLease(std::uint32_t index)
{
    Node& lease = m_nodes[index];
    Queue& queue = m_locks[lease.queue];
    ++queue.inside;
    queue.mostInside = std::max(queue.mostInside, queue.inside);
    const bool handoff = queue.pendingHandoffs > 0;
    if (handoff)
        --queue.pendingHandoffs;
    grant(index, handoff);
}

void LockTable::grant(std::uint32_t index, bool handoff, std::int64_t sinceMs)
{
    Node& node = m_nodes[index];
    Queue& queue = m_locks[node.queue];
    node.entitled = true;
    node.entitledMs = sinceMs;
    node.handoff = handoff;
    if (counts(node)) {
        queue.handoffs += handoff ? 1 : 0;
        if (!m_resyncing)
            queue.longestWaitMs = std::max(queue.longestWaitMs, sinceMs - node.waitFromMs);
    }
    notify(LockEvent::Kind::entitled, index);
    node.notEntitledMs.reset();
}

void LockTable::markTouched(std::uint32_t index, bool ended)
{
    Queue& queue = m_locks[index];
    if (!std::exchange(queue.touched, true))
        m_touched.push_back(index);
    queue.touchedByEnd = queue.touchedByEnd || ended;
}

void LockTable::grantTouched()
{
    for (std::size_t i = 0; i < m_touched.size(); ++i) {
        Queue& queue = m_locks[m_touched[i]];
        measureDepth(queue);
        grantFront(m_touched[i], queue.touchedByEnd);
        queue.touched = queue.touchedByEnd = false;
    }
    m_touched.clear();
}

void LockTable::grantFront(std::uint32_t queueIndex, bool ended)
{
    const std::vector<std::uint32_t>& nodes = m_locks[queueIndex].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = m_nodes[nodes[i]];
        const bool reads = node.role == NodeRole::reader;
        if (node.role == NodeRole::lease || (i > 0 && !reads))
            return;
        if (!node.entitled)
            grant(nodes[i], ended && node.created != m_zxid);
        if (!reads) {
            if (m_resyncing && node.role == NodeRole::writer && node.session.valid())
                grantReadersOf(node.session, nodes);
            return;
        }
    }
}

// Grants readers inside their own write lock, as enter() does, where the order of the two nodes is unknown.
void LockTable::grantReadersOf(SessionId session, const std::vector<std::uint32_t>& nodes)
{
    for (const std::uint32_t index : nodes) {
        const Node& node = m_nodes[index];
        if (node.role == NodeRole::reader && node.session == session && !node.entitled)
            grant(index, false);
    }
}

void LockTable::leave(std::uint32_t index, EndReason reason)
{
    Node& node = m_nodes[index];
    if (node.queue == kNone)
        return leaveFixed(index, reason);
    Queue& queue = m_locks[node.queue];
    notify(LockEvent::Kind::ended, index,
         !node.entitled && reason == EndReason::released ? EndReason::gaveUp : reason);
    queue.lastUsedMs = m_timeMs;
    queue.used = true;
    if (counts(node)) {
        ++countOf(queue.ends, node.entitled ? reason : EndReason::gaveUp);
        if (node.entitled)
            queue.longestHoldMs = std::max(queue.longestHoldMs, m_timeMs - node.entitledMs);
        else
            queue.longestWaitMs = std::max(queue.longestWaitMs, m_timeMs - node.waitFromMs);
    }
    queue.nodes.erase(queue.nodes.begin() + static_cast<std::ptrdiff_t>(placeOf(queue, index)));
    leaveSemaphore(node, queue, reason);
    markTouched(node.queue, node.entitled);
    if (node.role == NodeRole::fixedName) {
        if (const auto fixed = m_fixedNames.find(TextHash()(node.path)); fixed != m_fixedNames.end())
            fixed->second.live = kNone;
    }
    drop(index);
}

void LockTable::leaveSemaphore(Node& node, Queue& queue, EndReason reason)
{
    if (node.role == NodeRole::lease) {
        if (node.partner != kNone) {
            const auto index = static_cast<std::uint32_t>(m_nodeByPath.at(std::string_view(node.path)));
            std::uint32_t* link = &m_nodes[node.partner].partner;
            while (*link != index)
                link = &m_nodes[*link].olderLease;
            *link = node.olderLease;
        }
        const bool someoneWaits = queue.acquireMutex != kNone && !m_locks[queue.acquireMutex].nodes.empty();
        if (node.entitled) {
            if (queue.inside == queue.mostInside && someoneWaits)
                ++queue.pendingHandoffs;
            --queue.inside;
        }
        return;
    }
    // A node that leaves the acquire mutex has acquired its leases, unless its session ended: then the leases end too.
    const bool sessionEnded = reason == EndReason::sessionClosed || reason == EndReason::sessionExpired;
    for (std::uint32_t lease = node.partner; lease != kNone;) {
        m_nodes[lease].partner = kNone;
        if (!m_nodes[lease].entitled && !sessionEnded)
            grantLease(lease);
        lease = std::exchange(m_nodes[lease].olderLease, kNone);
    }
    if (queue.leases != kNone && queue.nodes.empty())
        m_locks[queue.leases].pendingHandoffs = 0;
}

void LockTable::leaveFixed(std::uint32_t index, EndReason reason)
{
    const Node& node = m_nodes[index];
    if (const auto place = m_fixedNames.find(TextHash()(node.path)); place != m_fixedNames.end()) {
        FixedName& fixed = place->second;
        fixed.live = kNone;
        if (counts(node)) {
            ++countOf(fixed.ends, reason);
            fixed.longestHoldMs = std::max(fixed.longestHoldMs, m_timeMs - node.entitledMs);
        }
    }
    drop(index);
}

void LockTable::measureDepth(Queue& queue)
{
    Queue& counted = queue.leases == kNone ? queue : m_locks[queue.leases];
    std::size_t depth = counted.nodes.size();
    if (counted.acquireMutex != kNone) {
        const std::vector<std::uint32_t>& acquireMutex = m_locks[counted.acquireMutex].nodes;
        depth += acquireMutex.size();
        if (!acquireMutex.empty() && m_nodes[acquireMutex.front()].partner != kNone)
            --depth; // the front has its lease already
    }
    counted.deepest = std::max(counted.deepest, static_cast<std::uint32_t>(depth));
}

// ---- snapshots and gaps --------------------------------------------------------------------------------

void LockTable::resync(const std::vector<SnapshotNode>& nodes, Zxid zxid, std::int64_t timeMs)
{
    m_by = SessionId::none();
    m_zxid = zxid;
    m_cxid = 0;
    m_timeMs = timeMs;
    m_resyncing = true;
    std::unordered_set<std::string_view> there;
    for (const SnapshotNode& node : nodes)
        there.insert(node.path);
    std::vector<std::uint32_t> gone;
    for (const auto& [path, index] : m_nodeByPath)
        if (!there.contains(path))
            gone.push_back(index);
    for (const std::uint32_t index : gone)
        leave(index, EndReason::unknown);
    for (Queue& queue : m_locks)
        queue.firstNumber.reset();
    std::vector<const SnapshotNode*> inOrder;
    for (const SnapshotNode& node : nodes)
        if (!m_nodeByPath.contains(std::string_view(node.path)))
            inOrder.push_back(&node);
    std::sort(inOrder.begin(), inOrder.end(), [](const auto* a, const auto* b) { return a->created < b->created; });
    for (const SnapshotNode* node : inOrder)
        addFromSnapshot(*node);
    grantTouched();
    m_resyncing = false;
}

void LockTable::loseNodes(Zxid zxid, std::int64_t timeMs)
{
    m_lost.clear();
    for (const auto& [path, index] : m_nodeByPath) {
        const Node& node = m_nodes[index];
        if (node.queue != kNone && parseSequentialName(nameOf(path)) && node.role != NodeRole::lease)
            m_lost.emplace(std::string(path), LostNode{node.session, node.created, node.createdMs, node.entitledMs,
                                                       node.waitFromMs, node.entitled, counts(node)});
    }
    resync({}, zxid, timeMs);
}

void LockTable::addFromSnapshot(const SnapshotNode& from)
{
    Change change;
    change.path = from.path;
    change.data = from.data;
    change.ephemeral = true;
    SequentialName name;
    const bool numbered = isLockNode(change, name) && (name.naming != NamingScheme::other || !from.parentCversion ||
                                                       name.number < *from.parentCversion);
    if (!numbered) {
        m_by = from.owner;
        createFixed(change, &from);
    } else {
        const std::uint32_t node = addNode(from.path, from.owner, &from);
        const std::uint32_t queue = queueFor(parentOf(from.path));
        const std::int64_t lastUsedMs = m_locks[queue].lastUsedMs;
        enter(node, queue, name, from.data);
        m_locks[queue].lastUsedMs = std::max(lastUsedMs, from.createdMs > 0 ? from.createdMs : m_timeMs);
    }
}

void LockTable::resetCounts()
{
    for (Queue& queue : m_locks) {
        queue.ends = {};
        queue.handoffs = 0;
        queue.longestHoldMs = queue.longestWaitMs = 0;
        queue.deepest = 0;
        queue.used = false;
    }
    for (Node& node : m_nodes)
        node.notEntitledMs.reset();
    for (auto& [path, lost] : m_lost)
        lost.counted = false;
    for (Queue& queue : m_locks)
        measureDepth(queue);
    for (auto& [hash, fixed] : m_fixedNames) {
        fixed.ends = {};
        fixed.longestHoldMs = 0;
    }
}

void LockTable::notifyNodes(Zxid zxid, std::int64_t timeMs)
{
    m_by = SessionId::none();
    m_zxid = zxid;
    m_cxid = 0;
    m_timeMs = timeMs;
    for (const Queue& queue : m_locks)
        for (const std::uint32_t index : queue.nodes) {
            notify(LockEvent::Kind::queued, index);
            if (m_nodes[index].entitled)
                notify(LockEvent::Kind::entitled, index);
        }
}

// ---- what comes out ------------------------------------------------------------------------------------

std::string_view LockTable::lockPath(const Queue& queue) const
{
    const Queue& lock = queue.leases == kNone ? queue : m_locks[queue.leases];
    const std::string_view path = lock.roles & bit(NodeRole::lease) && lock.path.ends_with(queue::kLeasesSuffix)
                                      ? parentOf(lock.path)
                                      : std::string_view(lock.path);
    return path.empty() ? "/" : path;
}

Recipe LockTable::recipeOf(const Queue& queue)
{
    const auto has = [&queue](NodeRole role) { return (queue.roles & bit(role)) != 0; };
    if (has(NodeRole::lease))
        return queue.kazooLeases ? Recipe::kazooSemaphore : Recipe::semaphore;
    if (has(NodeRole::fixedName))
        return Recipe::fixedName;
    if ((queue.namings & (queue.namings - 1)) != 0)
        return Recipe::mixed;
    if (queue.namings == bit(NamingScheme::kazoo))
        return has(NodeRole::reader) ? Recipe::kazooReadWrite : Recipe::kazooMutex;
    if (queue.namings == bit(NamingScheme::zooKeeperC))
        return Recipe::zooKeeperCMutex;
    if (queue.namings == bit(NamingScheme::other))
        return Recipe::sequential;
    if (has(NodeRole::leader))
        return has(NodeRole::exclusive) ? Recipe::mixed : Recipe::leaderLatch;
    if (has(NodeRole::reader) || has(NodeRole::writer))
        return has(NodeRole::exclusive) ? Recipe::mixed : Recipe::readWrite;
    return Recipe::mutex;
}

LockSummary LockTable::summaryOf(const Queue& queue) const
{
    LockSummary lock{std::string(lockPath(queue)), recipeOf(queue), queue.handoffs, queue.ends,
                     queue.longestHoldMs, queue.longestWaitMs, queue.deepest, queue.lastUsedMs};
    const auto addLive = [&](const std::vector<std::uint32_t>& nodes) {
        for (const std::uint32_t index : nodes) {
            const Node& node = m_nodes[index];
            if (!counts(node))
                continue;
            if (node.entitled && &nodes == &queue.nodes) {
                ++lock.ends.open;
                lock.longestHoldMs = std::max(lock.longestHoldMs, m_timeMs - node.entitledMs);
            } else {
                lock.longestWaitMs = std::max(lock.longestWaitMs, m_timeMs - node.waitFromMs);
            }
        }
    };
    addLive(queue.nodes);
    if (queue.acquireMutex != kNone) {
        const Queue& acquireMutex = m_locks[queue.acquireMutex];
        addLive(acquireMutex.nodes);
        // A node that entered the acquire mutex and never got a lease gave up.
        lock.ends.gaveUp += acquireMutex.ends.gaveUp;
        lock.lastUsedMs = std::max(lock.lastUsedMs, acquireMutex.lastUsedMs);
        lock.longestWaitMs = std::max(lock.longestWaitMs, acquireMutex.longestWaitMs);
    }
    return lock;
}

bool LockTable::isUsed(const Queue& queue, const LockSummary& summary) const
{
    const auto inUse = [](const Queue& one) { return one.used || !one.nodes.empty(); };
    return summary.ends.acquisitions() + summary.ends.gaveUp > 0 ||
           (!m_options.session &&
            (inUse(queue) || (queue.acquireMutex != kNone && inUse(m_locks[queue.acquireMutex]))));
}

void LockTable::forEachLock(const std::function<void(LockSummary&&)>& visitor) const
{
    std::vector<std::uint32_t> byPath;
    for (std::size_t i = 0; i < m_locks.size(); ++i)
        if (!isPartOfSemaphore(m_locks[i]))
            byPath.push_back(static_cast<std::uint32_t>(i));
    std::sort(byPath.begin(), byPath.end(), [this](std::uint32_t a, std::uint32_t b) {
        return lockPath(m_locks[a]) < lockPath(m_locks[b]);
    });
    for (const std::uint32_t index : byPath)
        if (LockSummary lock = summaryOf(m_locks[index]); isUsed(m_locks[index], lock))
            visitor(std::move(lock));
}

void LockTable::visit(const Visitor& visitor) const
{
    std::vector<Queued> nodes;
    const auto add = [&](const Queue& queue, bool acquireMutex) {
        for (const std::uint32_t index : queue.nodes) {
            const Node& node = m_nodes[index];
            nodes.push_back({node.path, node.role, node.session, node.created, node.createdMs, node.entitledMs,
                             node.entitled, node.beforeLog, acquireMutex});
        }
    };
    for (std::size_t i = 0; i < m_locks.size(); ++i) {
        const Queue& queue = m_locks[i];
        if (isPartOfSemaphore(queue))
            continue;
        const LockSummary summary = summaryOf(queue);
        if (!isUsed(queue, summary))
            continue;
        nodes.clear();
        add(queue, false);
        if (queue.acquireMutex != kNone)
            add(m_locks[queue.acquireMutex], true);
        visitor(static_cast<std::uint32_t>(i), summary, nodes);
    }
}

void LockTable::notify(LockEvent::Kind kind, std::uint32_t index, EndReason reason, std::string_view data,
                     std::string_view acl)
{
    if (!m_listener)
        return;
    const Node& node = m_nodes[index];
    const Queue& queue = m_locks[node.queue];
    LockEvent event;
    event.kind = kind;
    event.lock = node.queue;
    event.node = {lockPath(queue), nameOf(node.path), parentOf(node.path), data, acl, node.session, node.created,
                  node.createdMs, node.entitledMs, node.entitled, node.beforeLog, node.notEntitledMs};
    event.reason = reason;
    event.by = m_by;
    event.zxid = m_zxid;
    event.cxid = m_cxid;
    event.timeMs = m_timeMs;
    m_listener(event);
}

} // namespace lockscope::history
