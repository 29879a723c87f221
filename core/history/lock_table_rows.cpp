// The table of locks: its rows.
#include "core/history/lock_table.h"

#include "core/queue/words.h"

#include <algorithm>
#include <utility>

namespace lockscope::history {

const char* name(EndReason reason)
{
    constexpr std::array<const char*, 7> kNames = {
        "released", "session_closed", "session_expired", "deleted_by_other", "gave_up", "left", "unknown"};
    return kNames[static_cast<std::size_t>(reason)];
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
                ++(entitled ? lock.ends.endUnknown : lock.ends.unknown);
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
                one.behind = foreignBefore(queue, node);
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
