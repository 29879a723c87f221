#include "core/history/lock_table.h"

#include "core/queue/owner.h"
#include "core/queue/words.h"

#include <algorithm>
#include <bitset>
#include <limits>
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
    case EndReason::left:
        return ends.unknown;
    case EndReason::unknown:
        break;
    }
    return ends.open;
}

} // namespace

const char* name(EndReason reason)
{
    constexpr std::array<const char*, 7> kNames = {
        "released", "session_closed", "session_expired", "deleted_by_other", "gave_up", "left", "unknown"};
    return kNames[static_cast<std::size_t>(reason)];
}

void LockTable::addFixedName(std::string path)
{
    while (path.ends_with('/'))
        path.pop_back();
    m_asked.insert(std::move(path));
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
        else if (change.kind == ChangeKind::dataSet)
            setData(change);
    }
    if (transaction.type == OpCode::closeSession)
        closeSession(transaction);
    if (!m_touched.empty())
        grantTouched();
}

// None if the node is in no queue. `creations`: of the parent's children so far; `seen`: by the node's own
// creation.
std::optional<LockTable::Place> LockTable::placeFrom(std::string_view path, std::string_view data,
                                                     bool ephemeral, std::optional<std::int32_t> creations,
                                                     bool seen)
{
    const std::string_view name = nameOf(path);
    const std::optional<queue::Number> number = queue::numberOf(name);
    if (!number)
        return std::nullopt;
    const std::int32_t made = creations.value_or(0); // 0: not known, as a folder with a child has had one
    const queue::NodeName known = queue::parse(name, parentOf(path));
    if (known.scheme && known.scheme->ending == queue::Ending::whole)
        return std::nullopt;
    const queue::Given given = made == 0 ? queue::givenTo(number->value, std::nullopt)
                               : seen    ? queue::givenAtCreation(number->value, made)
                                         : queue::givenTo(number->value, made);
    if (given == queue::Given::notByServer && !queue::hasIdInFront(known, name))
        return std::nullopt;
    Place place{known.library, queue::roleOf(known, data, ephemeral), queue::orderOf(*number, known.library),
                number->value, false};
    if (place.role == NodeRole::lease && !queue::hasIdInFront(known, name) &&
        !parentOf(path).ends_with(queue::kLeasesSuffix))
        place.role = NodeRole::none;
    if (place.role == NodeRole::none && known.role != NodeRole::none)
        place.library = queue::Library::none; // only the name is of that library
    // Curator's reader may use the number of its writer; of an unknown recipe, only the server's own number
    // counts.
    if (place.library == queue::Library::none && seen && given == queue::Given::allowed)
        return std::nullopt;
    if (!ephemeral) {
        if (place.role == NodeRole::member)
            return std::nullopt; // an item of work
        // With the library's own id in front it is a lock's all the same: its clients wait behind it.
        const bool isLocks = queue::isOfLock(place.role) && queue::hasIdInFront(known, name);
        place.odd = !isLocks && (!known.scheme || known.scheme->persistent == queue::Persistent::never);
    }
    return place;
}

void LockTable::create(const Change& change)
{
    if (!change.fromStat)
        noteCversion(change);
    const auto creations = change.hasCversion ? std::optional(change.parentCversion) : std::nullopt;
    const auto place = placeFrom(change.path, change.data, change.ephemeral, creations, !change.fromStat);
    if (!place) {
        if (!change.ephemeral && change.path.ends_with(queue::kKazooMutexSuffix))
            queueFor(change.path);
        if (!change.ephemeral && change.path.ends_with(queue::kLeasesSuffix))
            addSemaphore(parentOf(change.path));
        return createFixed(change);
    }
    if (const auto known = m_nodeByPath.find(change.path); known != m_nodeByPath.end())
        leave(known->second, EndReason::unknown); // it ended in a gap of the log
    const std::uint32_t index = queueFor(parentOf(change.path));
    Queue& queue = m_locks[index];
    if (!queue.firstNumber)
        queue.firstNumber = place->number;
    if (change.hasCversion && !change.fromStat && !queue.cversion) {
        queue.cversion = change.parentCversion;
        if (m_beginsInside && change.parentCversion != 1 &&
            !queue.knownSince.valid()) { // there were others before
            queue.knownSince = m_zxid;
            queue.knownSinceMs = m_timeMs;
        }
    }
    const std::uint32_t node = addNode(change.path, m_by);
    m_nodes[node].ephemeral = change.ephemeral;
    enter(node, index, *place, change.data, change.acl);
}

// ---- foreign nodes ---------------------------------------------------------------------------------------

// Curator compares the whole name of a child that is no lock's node with the digits of the others.
void LockTable::noteForeign(std::string_view path, Zxid created)
{
    const std::string_view name = nameOf(path);
    if (name.empty() || name.front() > '9' || queue::parse(name, parentOf(path)).scheme)
        return;
    m_foreign[std::string(parentOf(path))].emplace(name, created);
}

void LockTable::forgetForeign(std::string_view path)
{
    if (const std::string_view name = nameOf(path); m_foreign.empty() || name.empty() || name.front() > '9')
        return;
    const auto folder = m_foreign.find(std::string(parentOf(path)));
    if (folder == m_foreign.end())
        return;
    if (const auto known = folder->second.find(nameOf(path)); known != folder->second.end())
        folder->second.erase(known);
    if (folder->second.empty())
        m_foreign.erase(folder);
    if (const auto queue = m_lockByPath.find(parentOf(path)); queue != m_lockByPath.end())
        markTouched(queue->second, true);
}

// The foreign node that the client of this one waits for.
std::string_view LockTable::foreignBefore(const Queue& queue, const Node& node) const
{
    if (m_foreign.empty() || !queue::countsEveryChild(node.library))
        return {};
    const auto folder = m_foreign.find(queue.path);
    if (folder == m_foreign.end())
        return {};
    const std::string_view name = folder->second.begin()->first, own = nameOf(node.path);
    return name < own.substr(queue::parse(own).keyOffset) ? name : std::string_view();
}

std::string_view LockTable::foreignInFront(const Queue& queue) const
{
    if (queue.nodes.empty() || queue.seen.has(NodeRole::lease))
        return {};
    const Node& front = m_nodes[queue.nodes.front()];
    return front.entitled || front.mayHold ? std::string_view() : foreignBefore(queue, front);
}

void LockTable::noteWaiting(std::uint32_t lock)
{
    const auto queue =
        std::find_if(m_locks.begin(), m_locks.end(), [lock](const Queue& one) { return one.number == lock; });
    if (queue == m_locks.end() || std::exchange(queue->waitingSeen, true))
        return;
    revokeWaiting(*queue);
    markTouched(static_cast<std::uint32_t>(queue - m_locks.begin()), false);
    grantTouched();
}

// They were taken for nodes of two libraries that do not wait for each other.
void LockTable::revokeWaiting(Queue& queue)
{
    queue::Standing standing(true);
    for (std::size_t i = 0; i < queue.nodes.size(); ++i) {
        Node& node = m_nodes[queue.nodes[i]];
        if (!standing.next(node.library, contenderRole(queue, node), i).waits || !node.entitled)
            continue;
        node.entitled = false;
        node.notEntitledMs = node.entitledMs;
    }
}

NodeRole LockTable::contenderRole(const Queue& queue, const Node& node) const
{
    return node.role == NodeRole::none && queue.waitingSeen ? NodeRole::exclusive : node.role;
}

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

void LockTable::setData(const Change& change)
{
    auto known = m_nodeByPath.find(change.path);
    const bool announces = queue::isAnnouncement(change.data);
    if (known == m_nodeByPath.end() && (announces || change.data == queue::kRevokeMessage)) {
        addFromLateMention(change.path, announces ? m_by : SessionId::none());
        known = m_nodeByPath.find(change.path);
    }
    if (known != m_nodeByPath.end() && m_nodes[known->second].lost)
        findAgain(known->second, SessionId::none());
    if (known != m_nodeByPath.end() && m_nodes[known->second].queue != kNone)
        notify(LockEvent::Kind::dataSet, known->second, {}, change.data);
}

// The lease queue of the kazoo semaphore that a lease of this name belongs to; kNone if there is no such
// semaphore.
std::uint32_t LockTable::leasesQueue(std::string_view name, std::string_view parent)
{
    if (!queue::isKazooLeaseName(name))
        return kNone;
    const auto acquireMutex = m_lockByPath.find(join(parent, queue::kKazooMutexSuffix));
    if (acquireMutex == m_lockByPath.end())
        return kNone;
    return m_locks[acquireMutex->second].leases;
}

void LockTable::addSemaphore(std::string_view path)
{
    queueFor(join(path, queue::kMutexSuffix));
    m_locks[queueFor(join(path, queue::kLeasesSuffix))].seen.add(queue::Library::curator, NodeRole::lease);
}

void LockTable::createFixed(const Change& change, const SnapshotNode* from)
{
    if (const auto there = m_nodeByPath.find(change.path); there != m_nodeByPath.end())
        leave(there->second, EndReason::unknown);
    noteForeign(change.path, from ? from->created : m_zxid);
    const std::uint32_t leases = leasesQueue(nameOf(change.path), parentOf(change.path));
    const bool mayBeLease = queue::isKazooLeaseName(nameOf(change.path));
    if (!change.ephemeral && !mayBeLease)
        return;
    const queue::NodeName known = queue::parse(nameOf(change.path), parentOf(change.path));
    if (queue::roleOf(known, change.data, change.ephemeral) == NodeRole::member)
        return; // a registration
    const std::uint32_t node = addNode(change.path, m_by, from);
    m_nodes[node].ephemeral = change.ephemeral;
    if (leases != kNone)
        return enter(node, leases, {queue::Library::kazoo, NodeRole::lease, m_nodes[node].created.value},
                     change.data, change.acl);
    if (mayBeLease)
        m_mayBeLeases[std::string(parentOf(change.path))].emplace(nameOf(change.path), change.data);
    if (!change.ephemeral)
        return;
    Place place; // nothing is claimed of a name that nobody knows
    if (queue::roleOf(known, change.data, change.ephemeral) == NodeRole::fixedName) {
        place = {known.library, NodeRole::fixedName};
    } else if (m_by.valid() && m_asked.contains(change.path)) {
        place.role = NodeRole::fixedName;
    } else {
        if (m_fixedNames.size() >= kMostFixedNames)
            m_fixedNames.clear();
        const auto [first, isNew] = m_fixedNames.try_emplace(TextHash()(change.path), m_by);
        if (isNew || (first->second == m_by && !m_lockByPath.contains(change.path)))
            return;
    }
    const std::uint32_t queue = queueFor(change.path);
    m_locks[queue].fixedName = true;
    enter(node, queue, place, change.data, change.acl);
}

// The nodes that were there before the entrance which shows them to be leases. kazoo creates a lease only
// when one is to be had: they are held since their creation.
void LockTable::adoptLeases(std::uint32_t leases)
{
    const auto found = m_mayBeLeases.find(m_locks[leases].path);
    if (found == m_mayBeLeases.end())
        return;
    const auto [parent, names] = std::move(*found);
    m_mayBeLeases.erase(found);
    for (const auto& [name, data] : names) {
        const auto known = m_nodeByPath.find(join(parent + "/", name));
        if (known == m_nodeByPath.end() || m_nodes[known->second].queue != kNone)
            continue;
        const std::uint32_t index = known->second;
        Node& node = m_nodes[index];
        const bool wasBeforeLog = std::exchange(node.beforeLog, true);
        enter(index, leases, {queue::Library::kazoo, NodeRole::lease, node.created.value}, data);
        node.beforeLog = wasBeforeLog;
    }
}

void LockTable::remove(std::string_view path, EndReason reason)
{
    forgetForeign(path);
    auto known = m_nodeByPath.find(path);
    if (known == m_nodeByPath.end()) {
        addFromLateMention(path, SessionId::none());
        known = m_nodeByPath.find(path);
    }
    if (known == m_nodeByPath.end()) {
        if (const auto parent = m_lockByPath.find(path); parent != m_lockByPath.end())
            removeFolder(m_locks[parent->second]);
        return;
    }
    findAgain(known->second, SessionId::none());
    const SessionId owner = m_nodes[known->second].session;
    if (owner.valid() && owner != m_by)
        reason = EndReason::deletedByOther;
    leave(known->second, reason);
}

// A folder is deleted only when it is empty: what was lost sight of has ended.
void LockTable::removeFolder(Queue& queue)
{
    queue.cversion.reset();
    queue.knownSince = Zxid::none();
    while (queue.lost > 0)
        leave(*std::find_if(queue.nodes.begin(), queue.nodes.end(),
                            [this](std::uint32_t i) { return m_nodes[i].lost; }),
              EndReason::unknown);
    if (!m_listener || !m_by.valid() || m_by.value == 0 || !queue.used)
        return; // the server removes empty containers
    LockEvent event;
    event.kind = LockEvent::Kind::folderDeleted;
    event.lock = queue.number;
    event.node.lockPath = lockPath(queue);
    event.node.parent = queue.path;
    event.by = m_by;
    event.zxid = m_zxid;
    event.cxid = m_cxid;
    event.timeMs = m_timeMs;
    m_listener(event);
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

void LockTable::closeSession(const Transaction& transaction)
{
    const EndReason reason = transaction.expired() ? EndReason::sessionExpired : EndReason::sessionClosed;
    for (const std::string_view path : transaction.closedPaths) {
        if (const auto known = m_nodeByPath.find(path); known != m_nodeByPath.end())
            findAgain(known->second, m_by);
        else
            addFromLateMention(path, m_by);
    }
    const auto session = m_sessions.find(m_by.value);
    if (session == m_sessions.end())
        return;
    for (std::uint32_t node = session->second; node != kNone;) {
        const std::uint32_t next = m_nodes[node].sessionNext;
        if (m_nodes[node].ephemeral) { // one that is still lost has ended before
            forgetForeign(m_nodes[node].path);
            leave(node, m_nodes[node].lost ? EndReason::unknown : reason);
        }
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
    auto index = static_cast<std::uint32_t>(m_locks.size());
    if (m_freeLocks.empty()) {
        m_locks.emplace_back();
    } else {
        index = m_freeLocks.back();
        m_freeLocks.pop_back();
    }
    Queue& queue = m_locks[index];
    queue.number = m_nextNumber++;
    queue.path = path;
    m_lockByPath.emplace(queue.path, index);
    if (path.size() > queue::kKazooMutexSuffix.size() && path.ends_with(queue::kKazooMutexSuffix)) {
        const std::uint32_t leases = queueFor(path.substr(0, path.size() - queue::kKazooMutexSuffix.size()));
        m_locks[leases].kazooLeases = true;
        m_locks[leases].acquireMutex = index;
        m_locks[leases].seen.add(queue::Library::kazoo, NodeRole::lease);
        queue.leases = leases;
        adoptLeases(leases);
        return index;
    }
    const bool isLeases = path.ends_with(queue::kLeasesSuffix);
    if (isLeases || path.ends_with(queue::kMutexSuffix)) {
        const std::string_view base = parentOf(path);
        if (const auto other =
                m_lockByPath.find(join(base, isLeases ? queue::kMutexSuffix : queue::kLeasesSuffix));
            other != m_lockByPath.end()) {
            const std::uint32_t leases = isLeases ? index : other->second;
            const std::uint32_t acquireMutex = isLeases ? other->second : index;
            m_locks[leases].acquireMutex = acquireMutex;
            m_locks[acquireMutex].leases = leases;
            m_locks[leases].deepest = m_locks[acquireMutex].deepest;
        }
    }
    return index;
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

std::size_t LockTable::placeOf(const Queue& queue, std::uint32_t index) const
{
    const std::int64_t order = m_nodes[index].order;
    auto place = std::lower_bound(queue.nodes.begin(), queue.nodes.end(), order,
                                  [this](std::uint32_t a, std::int64_t b) { return m_nodes[a].order < b; });
    place = std::find(place, queue.nodes.end(), index);
    return static_cast<std::size_t>(place - queue.nodes.begin());
}

// ---- the queue of a lock -------------------------------------------------------------------------------

void LockTable::enter(std::uint32_t index, std::uint32_t queueIndex, const Place& at, std::string_view data,
                      std::string_view acl)
{
    Node& node = m_nodes[index];
    Queue& queue = m_locks[queueIndex];
    node.queue = queueIndex;
    node.role = at.role;
    node.library = at.library;
    node.order = at.order;
    node.number = at.number;
    node.odd = at.odd;
    queue.seen.add(at.library, at.role);
    queue.ephemeralSeen = queue.ephemeralSeen || !at.odd;
    queue.lastUsedMs = m_timeMs;
    queue.used = true;
    auto place = queue.nodes.end();
    if (!queue.nodes.empty() && m_nodes[queue.nodes.back()].order > at.order)
        place = std::upper_bound(queue.nodes.begin(), queue.nodes.end(), at.order,
                                 [this](std::int64_t a, std::uint32_t b) { return a < m_nodes[b].order; });
    const std::size_t position = static_cast<std::size_t>(place - queue.nodes.begin());
    queue.nodes.insert(place, index);
    markTouched(queueIndex, false);
    notify(LockEvent::Kind::queued, index, {}, data, acl);
    if (node.role == NodeRole::lease)
        return enterLease(index, queue);
    if (node.beforeLog)
        revokeBehind(queue, position);
    const Node& front = m_nodes[queue.nodes.front()];
    if (node.role == NodeRole::reader && front.role == NodeRole::writer && front.entitled && position > 0 &&
        front.session == node.session && node.session.valid() && queue::countsEveryChild(node.library))
        grant(index, false); // a reader inside its own write lock
}

// Revokes what was granted behind `place`, where a node from before the log has turned up.
void LockTable::revokeBehind(Queue& queue, std::size_t place)
{
    const Node& ahead = m_nodes[queue.nodes[place]];
    const bool reads = ahead.role == NodeRole::reader;
    for (std::size_t i = place + 1; i < queue.nodes.size(); ++i) {
        Node& behind = m_nodes[queue.nodes[i]];
        if (!countEachOther(queue, ahead, behind))
            continue;
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
    if (queue.kazooLeases) // kazoo creates a lease only when one is free
        grantLease(index, m_resyncing ? m_timeMs : lease.createdMs);
    else if (lease.partner == kNone)
        grantLease(index);
}

void LockTable::grantLease(std::uint32_t index, std::int64_t sinceMs)
{
    Node& lease = m_nodes[index];
    Queue& queue = m_locks[lease.queue];
    ++queue.inside;
    queue.mostInside = std::max(queue.mostInside, queue.inside);
    const bool handoff = queue.pendingHandoffs > 0;
    if (handoff)
        --queue.pendingHandoffs;
    grant(index, handoff, sinceMs);
}

void LockTable::grant(std::uint32_t index, bool handoff, std::int64_t sinceMs)
{
    Node& node = m_nodes[index];
    Queue& queue = m_locks[node.queue];
    node.entitled = true;
    node.entitledMs = sinceMs;
    node.sinceUnknown = m_resyncing || std::exchange(node.mayHold, false);
    node.handoff = handoff;
    if (counts(node)) {
        queue.handoffs += handoff ? 1 : 0;
        if (!node.sinceUnknown)
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
        const bool resyncing = std::exchange(m_resyncing, m_resyncing || queue.touchedLate);
        grantFront(m_touched[i], queue.touchedByEnd);
        m_resyncing = resyncing;
        queue.touched = queue.touchedByEnd = queue.touchedLate = false;
    }
    m_touched.clear();
}

void LockTable::grantFront(std::uint32_t queueIndex, bool ended)
{
    const Queue& queue = m_locks[queueIndex];
    const std::vector<std::uint32_t>& nodes = queue.nodes;
    if (nodes.empty() || !queue.ephemeralSeen || !showsHolders(queue) || queue.seen.has(NodeRole::lease))
        return;
    const std::string_view foreign = foreignBefore(queue, m_nodes[nodes.front()]);
    queue::Standing standing(queue.waitingSeen);
    std::bitset<queue::kFamilies> lost; // behind such nodes nothing is known
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = m_nodes[nodes[i]];
        const NodeRole role = contenderRole(queue, node);
        const queue::Family family = queue::familyOf(node.library, role);
        const queue::Standing::Place place = standing.next(node.library, role, i, !foreign.empty());
        if (lost.test(family))
            continue;
        if (node.lost) {
            if (place.holds && !node.entitled && node.entitledMs == 0 && !m_resyncing) { // if it exists
                node.entitledMs = m_timeMs;
                node.handoff = ended;
            }
            if (isOneQueue(queue))
                return;
            lost.set(family);
            continue;
        }
        if (place.holds && !node.entitled)
            grant(nodes[i], ended && node.created != m_zxid);
        if (isOneQueue(queue) && (place.waits || standing.isClosed(family)))
            break; // all behind it wait, too
    }
    const Node& front = m_nodes[nodes.front()];
    if (m_resyncing && front.role == NodeRole::writer && front.entitled && front.session.valid() &&
        queue::countsEveryChild(front.library))
        grantReadersOf(front.session, nodes);
    if (m_resyncing)
        grantEarlier(queueIndex);
}

// A node that was there before all those in front of it, as before a number that has wrapped, holds if it was
// first then: that is sure if nothing was deleted since they came. Otherwise it may.
void LockTable::grantEarlier(std::uint32_t queueIndex)
{
    const Queue& queue = m_locks[queueIndex];
    if (queue.lost > 0 || !isOneQueue(queue))
        return;
    constexpr Zxid kNothing{std::numeric_limits<std::int64_t>::max()};
    Zxid oldest = kNothing, oldestWriter = kNothing; // in front
    if (!foreignBefore(queue, m_nodes[queue.nodes.front()]).empty())
        for (const auto& [name, created] : m_foreign.find(queue.path)->second)
            oldest = oldestWriter = std::min(oldest, created);
    for (const std::uint32_t index : queue.nodes) {
        Node& node = m_nodes[index];
        const bool reads = node.role == NodeRole::reader;
        const Zxid ahead = reads ? oldestWriter : oldest;
        if (!node.entitled && ahead != kNothing && node.created.valid() && node.created < ahead) {
            const auto since = m_unchangedSince ? m_unchangedSince(queue.path) : std::nullopt;
            if (since && *since <= ahead)
                grant(index, false);
            else
                node.mayHold = true;
        }
        oldest = std::min(oldest, node.created);
        oldestWriter = reads ? oldestWriter : std::min(oldestWriter, node.created);
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
        return leaveFixed(index);
    Queue& queue = m_locks[node.queue];
    const std::size_t place = placeOf(queue, index);
    const bool isEndKnown = reason != EndReason::unknown;
    const bool wasLost = node.lost; // its end was reported then
    const bool stands = queue::isOfLock(contenderRole(queue, node)) && queue.ephemeralSeen;
    // Whether it was first is unknown: it may have come to be first in a gap, or behind a node that had ended
    // in one; or its recipe does not show it.
    const bool unsure = !node.entitled && (!isEndKnown || isUnsure(queue, place));
    if (!wasLost)
        notify(LockEvent::Kind::ended, index,
               node.entitled || reason != EndReason::released ? reason
               : unsure || !stands                            ? EndReason::left
                                                              : EndReason::gaveUp);
    if (isEndKnown) {
        queue.lastUsedMs = m_timeMs;
        queue.used = true;
    }
    if (counts(node) && (stands || node.entitled)) {
        ++countOf(queue.ends, node.entitled ? reason : unsure ? EndReason::left : EndReason::gaveUp);
        if (node.entitled && isEndKnown)
            queue.longestHoldMs = std::max(queue.longestHoldMs, m_timeMs - node.entitledMs);
        else if (!node.entitled && !unsure)
            queue.longestWaitMs = std::max(queue.longestWaitMs, m_timeMs - node.waitFromMs);
    }
    setLost(index, false);
    queue.nodes.erase(queue.nodes.begin() + static_cast<std::ptrdiff_t>(place));
    leaveSemaphore(node, queue, reason);
    queue.touchedLate = queue.touchedLate || wasLost;
    markTouched(node.queue, node.entitled && !wasLost);
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
    // A node that leaves the acquire mutex has acquired its leases, unless its session ended: then the leases
    // end too.
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

void LockTable::leaveFixed(std::uint32_t index)
{
    const Node& node = m_nodes[index];
    if (const auto folder = m_mayBeLeases.find(std::string(parentOf(node.path)));
        folder != m_mayBeLeases.end() && folder->second.erase(std::string(nameOf(node.path))) > 0 &&
        folder->second.empty())
        m_mayBeLeases.erase(folder);
    drop(index);
}

void LockTable::measureDepth(Queue& queue)
{
    if (!showsHolders(queue))
        return;
    Queue& counted = queue.leases == kNone ? queue : m_locks[queue.leases];
    std::size_t depth = counted.nodes.size() - counted.lost;
    if (counted.acquireMutex != kNone) {
        const std::vector<std::uint32_t>& acquireMutex = m_locks[counted.acquireMutex].nodes;
        depth += acquireMutex.size() - m_locks[counted.acquireMutex].lost;
        if (!acquireMutex.empty() && m_nodes[acquireMutex.front()].partner != kNone)
            --depth; // the front has its lease already
    }
    counted.deepest = std::max(counted.deepest, static_cast<std::uint32_t>(depth));
}

// ---- snapshots and gaps --------------------------------------------------------------------------------

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
    for (Queue& queue : m_locks) {
        queue.missedCreates = 0;
        measureDepth(queue);
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
            if (m_nodes[index].lost)
                continue;
            notify(LockEvent::Kind::queued, index);
            if (m_nodes[index].entitled)
                notify(LockEvent::Kind::entitled, index);
        }
}

// ---- what comes out ------------------------------------------------------------------------------------

std::string_view LockTable::lockPath(const Queue& queue) const
{
    const Queue& lock = queue.leases == kNone ? queue : m_locks[queue.leases];
    const std::string_view path = lock.seen.has(NodeRole::lease) && lock.path.ends_with(queue::kLeasesSuffix)
                                      ? parentOf(lock.path)
                                      : std::string_view(lock.path);
    return path.empty() ? "/" : path;
}

LockSummary LockTable::summaryOf(const Queue& queue) const
{
    LockSummary lock{std::string(lockPath(queue)),
                     queue.fixedName ? Recipe::fixedName : queue.seen.recipe(queue.kazooLeases),
                     queue.handoffs,
                     queue.ends,
                     queue.longestHoldMs,
                     queue.longestWaitMs,
                     queue.deepest,
                     queue.lastUsedMs,
                     queue.knownSince,
                     queue.knownSinceMs,
                     queue.missedCreates,
                     showsHolders(queue),
                     std::string(foreignInFront(queue)),
                     queue.seen.otherLibrary()};
    const auto addLive = [&](const Queue& one) {
        for (std::size_t i = 0; i < one.nodes.size(); ++i) {
            const Node& node = m_nodes[one.nodes[i]];
            const bool entitled = node.entitled && &one == &queue;
            if (!counts(node))
                continue;
            if (node.lost || (!node.entitled && isUnsure(one, i))) {
                ++(entitled ? lock.ends.open : lock.ends.unknown);
            } else if (entitled) {
                ++lock.ends.open;
                lock.longestHoldMs = std::max(lock.longestHoldMs, m_timeMs - node.entitledMs);
            } else if (lock.showsHolders && queue::isOfLock(contenderRole(queue, node))) {
                lock.longestWaitMs = std::max(lock.longestWaitMs, m_timeMs - node.waitFromMs);
            }
        }
    };
    addLive(queue);
    if (queue.acquireMutex != kNone) {
        const Queue& acquireMutex = m_locks[queue.acquireMutex];
        addLive(acquireMutex);
        // A node that entered the acquire mutex and never got a lease gave up.
        lock.ends.gaveUp += acquireMutex.ends.gaveUp;
        lock.ends.unknown += acquireMutex.ends.unknown;
        lock.lastUsedMs = std::max(lock.lastUsedMs, acquireMutex.lastUsedMs);
        lock.longestWaitMs = std::max(lock.longestWaitMs, acquireMutex.longestWaitMs);
    }
    return lock;
}

bool LockTable::isUsed(const Queue& queue, const LockSummary& summary) const
{
    // A folder of nothing but persistent nodes of other recipes is no lock.
    const auto inUse = [](const Queue& one) { return one.ephemeralSeen && (one.used || !one.nodes.empty()); };
    return summary.ends.acquisitions() + summary.ends.gaveUp + summary.ends.unknown > 0 ||
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
        const bool shows = showsHolders(queue) && queue.ephemeralSeen;
        queue::Standing standing(queue.waitingSeen);
        const std::size_t begin = nodes.size();
        for (std::size_t i = 0; i < queue.nodes.size(); ++i) {
            const Node& node = m_nodes[queue.nodes[i]];
            if (node.lost)
                continue;
            const NodeRole role = contenderRole(queue, node);
            const queue::Standing::Place place = standing.next(node.library, role, nodes.size());
            Queued one{node.path,       node.role,     node.session,   node.created, node.createdMs,
                       node.entitledMs, node.entitled, node.beforeLog, acquireMutex, isUnsure(queue, i)};
            one.library = node.library;
            one.waits = shows && !node.entitled && !node.mayHold && queue::isOfLock(role);
            if (one.waits && place.behind != queue::Standing::kNobody)
                one.behind = nameOf(nodes[place.behind].path);
            else if (one.waits)
                one.behind = nodes.size() == begin
                                 ? foreignBefore(queue, node)
                                 : nameOf(nodes.back().path); // it was first when another came
            nodes.push_back(one);
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
        visitor(queue.number, summary, nodes);
    }
}

void LockTable::forget(const std::function<bool(std::uint32_t, const LockSummary&)>& isForgotten)
{
    for (std::size_t i = 0; i < m_locks.size(); ++i) {
        const Queue& queue = m_locks[i];
        const std::uint32_t acquireMutex = queue.acquireMutex;
        if (queue.path.empty() || !queue.nodes.empty() || isPartOfSemaphore(queue) ||
            (acquireMutex != kNone && !m_locks[acquireMutex].nodes.empty()) ||
            !isForgotten(queue.number, summaryOf(queue)))
            continue;
        if (acquireMutex != kNone)
            forgetQueue(acquireMutex);
        forgetQueue(static_cast<std::uint32_t>(i));
    }
}

void LockTable::forgetQueue(std::uint32_t index)
{
    Queue& queue = m_locks[index];
    if (queue.leases != kNone)
        m_locks[queue.leases].acquireMutex = kNone;
    if (queue.acquireMutex != kNone)
        m_locks[queue.acquireMutex].leases = kNone;
    m_lockByPath.erase(std::string_view(queue.path));
    if (queue.fixedName)
        m_fixedNames.erase(TextHash()(queue.path));
    queue = Queue{};
    m_freeLocks.push_back(index);
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
    event.lock = queue.number;
    event.node = {lockPath(queue),
                  nameOf(node.path),
                  parentOf(node.path),
                  data,
                  acl,
                  node.session,
                  node.created,
                  node.createdMs,
                  node.entitledMs,
                  node.library,
                  contenderRole(queue, node),
                  node.number,
                  node.order,
                  node.entitled,
                  node.beforeLog,
                  node.sinceUnknown,
                  reason != EndReason::unknown && queue.lost > 0 && isUnsure(queue, placeOf(queue, index)),
                  node.notEntitledMs};
    event.reason = reason;
    event.by = m_by;
    event.zxid = m_zxid;
    event.cxid = m_cxid;
    event.timeMs = m_timeMs;
    m_listener(event);
}

} // namespace lockscope::history
