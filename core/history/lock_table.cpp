// The table of locks: what each change of a transaction does to the nodes and sessions in it.
#include "core/history/lock_table.h"

#include "core/queue/owner.h"
#include "core/queue/words.h"

#include <algorithm>
#include <utility>

namespace lockscope::history {

namespace {

std::string join(std::string_view a, std::string_view b) { return std::string(a).append(b); }

} // namespace

void LockTable::addFixedName(std::string path)
{
    while (path.ends_with('/'))
        path.pop_back();
    m_asked.insert(std::move(path));
}

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
    Place place; // nothing is claimed of a name that no scheme has
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

void LockTable::leaveFixed(std::uint32_t index)
{
    const Node& node = m_nodes[index];
    if (const auto folder = m_mayBeLeases.find(std::string(parentOf(node.path)));
        folder != m_mayBeLeases.end() && folder->second.erase(std::string(nameOf(node.path))) > 0 &&
        folder->second.empty())
        m_mayBeLeases.erase(folder);
    drop(index);
}

} // namespace lockscope::history
