// The table of locks: the order of a lock's nodes, and who of them is entitled.
#include "core/history/lock_table.h"

#include <algorithm>
#include <bitset>
#include <limits>
#include <utility>

namespace lockscope::history {

namespace {

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
    return ends.endUnknown;
}

} // namespace

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

std::size_t LockTable::placeOf(const Queue& queue, std::uint32_t index) const
{
    const std::int64_t order = m_nodes[index].order;
    auto place = std::lower_bound(queue.nodes.begin(), queue.nodes.end(), order,
                                  [this](std::uint32_t a, std::int64_t b) { return m_nodes[a].order < b; });
    place = std::find(place, queue.nodes.end(), index);
    return static_cast<std::size_t>(place - queue.nodes.begin());
}

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

} // namespace lockscope::history
