#include "core/replay/findings/deadlock.h"

#include "core/queue/words.h"
#include "core/replay/findings/wording.h"
#include "core/replay/state/node_queue.h"

#include <algorithm>
#include <span>

namespace lockscope::replay {

namespace {

constexpr std::size_t kMaxClientsNamed = 12; // in the sentence about a circle

// Adds the edges of one wait. False if an unknown client or another thread of the same client can end the
// wait.
bool waitsFor(const RunState& state, const LockUse& one, ClientId client, std::vector<WaitEdge>& edges)
{
    const LockRow* lock = state.lock(one.lock);
    if (!lock)
        return false;
    if (!one.watchesList) {
        const NodeRow* node = one.linked ? state.node(one.watchLock, one.watches) : nullptr;
        if (!node || node->phase == NodePhase::foreign || node->owner.value >= state.clients.size())
            return false;
        if (node->owner == client) {
            // It waits behind its own node: if that belongs to another of its threads, that thread makes
            // progress.
            const LockUse* own = state.clients[client.value].lockUse(one.watchLock, one.watches);
            if (!own || own->owner != one.owner)
                return false;
        }
        edges.push_back({client, node->owner, one.watchLock});
        return true;
    }
    const LockBookkeeping& book = state.book.locks[one.lock.value];
    if (!book.limited && lock->kind() != Recipe::semaphore && !node_queue::isLease(one.node))
        return false; // any change of the list may end the wait
    const std::size_t before = edges.size();
    for (const LockUseRef& ref : book.believedHolders) {
        const LockUse* lease = state.lockUse(ref);
        if (!lease || lease->isStale)
            return false;
        if (ref.client == client && lease->owner != one.owner)
            return false;
        const auto added = std::span(edges).subspan(before);
        if (std::ranges::find(added, ref.client, &WaitEdge::next) == added.end())
            edges.push_back({client, ref.client, one.lock});
    }
    return edges.size() > before;
}

bool waitsFor(const RunState& state, ClientId client, std::vector<WaitEdge>& edges)
{
    bool sleeps = false;
    bool known = true;
    state.clients[client.value].forEach([&](const LockUse& one) {
        if (!one.asleep())
            return;
        sleeps = true;
        known = waitsFor(state, one, client, edges) && known;
    });
    return sleeps && known;
}

} // namespace

// Visits everything that can be reached, depth first; the path back to the start is the circle.
std::vector<WaitEdge> findDeadlock(const RunState& state, ClientId start)
{
    std::vector<bool> reached(state.clients.size());
    std::vector<WaitEdge> open;   // not followed yet
    std::vector<WaitEdge> cameBy; // the edge by which each reached client was found
    if (!waitsFor(state, start, open))
        return {};
    bool closed = false;
    while (!open.empty()) {
        const WaitEdge edge = open.back();
        open.pop_back();
        if (reached[edge.next.value])
            continue;
        reached[edge.next.value] = true;
        cameBy.push_back(edge);
        closed = closed || edge.next == start;
        if (edge.next != start && !waitsFor(state, edge.next, open))
            return {}; // it makes progress, and so do all clients that wait for it
    }
    if (!closed)
        return {};
    std::vector<WaitEdge> circle;
    ClientId at = start;
    do {
        const auto by = std::ranges::find(cameBy, at, &WaitEdge::next);
        circle.push_back(*by);
        at = by->client;
    } while (at != start);
    std::reverse(circle.begin(), circle.end());
    return circle;
}

bool isDeadlocked(const RunState& state, const std::vector<ClientId>& circle)
{
    std::vector<WaitEdge> edges;
    for (std::size_t i = 0; i < circle.size(); ++i) {
        const ClientId next = circle[(i + 1) % circle.size()];
        edges.clear();
        if (!waitsFor(state, circle[i], edges) ||
            std::ranges::find(edges, next, &WaitEdge::next) == edges.end())
            return false;
    }
    return true;
}

std::uint64_t fingerprint(const RunState& state, const std::vector<WaitEdge>& circle)
{
    std::uint64_t sum = circle.size();
    for (const WaitEdge& edge : circle) {
        std::uint64_t waits = 0;
        state.clients[edge.client.value].forEach([&](const LockUse& one) {
            if (one.asleep())
                waits = std::max<std::uint64_t>(waits, one.asked.value + std::uint64_t{1});
        });
        sum += waits * 0x9e37'79b9'7f4a'7c15U ^ (waits << 29U); // the sum does not depend on the order
    }
    return sum;
}

namespace {

// "left" for "/locks/left"; each of a semaphore's two paths is named with the semaphore: "well/leases".
Message lockName(const RunState& state, LockId id)
{
    const LockRow* lock = state.lock(id);
    if (!lock || lock->path.empty())
        return message("lock %1", id.value);
    std::size_t from = lock->path.rfind('/');
    const bool part = lock->path.ends_with(queue::kLeasesSuffix) || lock->path.ends_with(queue::kMutexSuffix);
    if (part && from > 0)
        from = lock->path.rfind('/', from - 1);
    return wording::cappedName(lock->path.substr(from == Text::npos ? 0 : from + 1));
}

} // namespace

Message describeDeadlock(const RunState& state, const std::vector<WaitEdge>& circle)
{
    const WaitEdge& into = circle.back(); // its client waits for the first one
    bool holds = false;
    state.clients[into.next.value].forEach(
        [&](const LockUse& one) { holds = holds || (one.holds() && one.lock == into.lock); });
    std::vector<Message> clauses;
    for (std::size_t i = 0; i < circle.size() && i < kMaxClientsNamed; ++i) {
        const WaitEdge& edge = circle[i];
        const Message client = wording::client(state, edge.client), lock = lockName(state, edge.lock);
        //: a client, in "ada waits for itself on /lock"
        const Message next = edge.next == edge.client ? message("itself") : wording::client(state, edge.next);
        clauses.push_back(i == 0 && holds ? message("%1 holds %2 and waits for %3 on %4", client,
                                                    lockName(state, into.lock), next, lock)
                                          : message("%1 waits for %2 on %3", client, next, lock));
    }
    if (circle.size() > kMaxClientsNamed)
        clauses.push_back(message("and so on for %1 more", circle.size() - kMaxClientsNamed));
    return message("%1.", listed(clauses));
}

} // namespace lockscope::replay
