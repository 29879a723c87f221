// no_deadlock: nobody waits for himself over what others wait for, on all locks together. A client that
// sleeps waits for the owner of the node it watches; on the leases of a semaphore, for all who hold one. A
// new wait closes a circle when everybody that can be reached from it sleeps too, and it can be reached
// itself. Whose owner is not known is taken to go on. Told once per circle: the same acquires that wait for
// each other again (a watch that is set anew) are the same circle.
#include "core/replay/findings/invariant_checker.h"

#include "core/replay/state/node_queue.h"
#include "core/replay/findings/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lockscope::replay {

namespace {
constexpr std::size_t kCyclesKept = 16;
constexpr std::size_t kMaxClientsNamed = 12; // clients of a circle in its sentence
} // namespace

// False: it does not depend on somebody we know.
bool InvariantChecker::waitsFor(const LockUse& one, ClientId client, std::vector<Hop>& hops) const
{
    const LockRow* lock = m_state.lock(one.lock);
    if (!lock)
        return false;
    if (!one.watchesList) {
        const NodeRow* node = one.linked ? m_state.node(one.watchLock, one.watches) : nullptr;
        if (!node || node->phase == NodePhase::foreign || node->owner.value >= m_state.clients.size())
            return false;
        if (node->owner == client) {
            // Behind a node of its own: another of its threads goes on by itself.
            const LockUse* own = m_state.clients[client.value].lockUse(one.watchLock, one.watches);
            if (!own || own->owner != one.owner)
                return false;
        }
        hops.push_back({client, node->owner, one.watchLock});
        return true;
    }
    const LockBookkeeping& book = m_state.book.locks[one.lock.value];
    if (!book.limited && lock->recipe != "semaphore" && !node_queue::isLease(one.node))
        return false; // any change of the list may let it go on
    const std::size_t before = hops.size();
    for (const LockUseRef& ref : book.believedHolders) {
        const LockUse* lease = m_state.lockUse(ref);
        if (!lease || lease->isStale)
            return false;
        if (ref.client == client && lease->owner != one.owner)
            return false;
        const bool known = std::any_of(hops.begin() + static_cast<std::ptrdiff_t>(before), hops.end(),
                                       [&](const Hop& hop) { return hop.next == ref.client; });
        if (!known)
            hops.push_back({client, ref.client, one.lock});
    }
    return hops.size() > before;
}

bool InvariantChecker::waitsFor(ClientId client, std::vector<Hop>& hops) const
{
    bool sleeps = false;
    bool known = true;
    m_state.clients[client.value].forEach([&](const LockUse& one) {
        if (!one.asleep())
            return;
        sleeps = true;
        known = waitsFor(one, client, hops) && known;
    });
    return sleeps && known;
}

// Everything that can be reached, depth first; the way back to the start is the circle.
std::vector<InvariantChecker::Hop> InvariantChecker::circleFrom(ClientId start) const
{
    std::vector<bool> reached(m_state.clients.size());
    std::vector<Hop> open;   // not followed yet
    std::vector<Hop> cameBy; // one for each client that was reached
    if (!waitsFor(start, open))
        return {};
    bool closed = false;
    while (!open.empty()) {
        const Hop hop = open.back();
        open.pop_back();
        if (reached[hop.next.value])
            continue;
        reached[hop.next.value] = true;
        cameBy.push_back(hop);
        closed = closed || hop.next == start;
        if (hop.next != start && !waitsFor(hop.next, open))
            return {}; // that one goes on, and then all behind it
    }
    if (!closed)
        return {};
    std::vector<Hop> circle;
    ClientId at = start;
    do {
        const auto by =
            std::find_if(cameBy.begin(), cameBy.end(), [at](const Hop& hop) { return hop.next == at; });
        circle.push_back(*by);
        at = by->client;
    } while (at != start);
    std::reverse(circle.begin(), circle.end());
    return circle;
}

void InvariantChecker::waitBegan(ClientId client, const LockUse& one)
{
    checked(FindingKind::noDeadlock);
    if (m_state.book.clientsWithSeveralUses == 0)
        return; // nobody has what another waits for while it waits itself
    if (m_state.clients[client.value].also.empty()) {
        const NodeRow* own = m_state.node(one.lock, one.node);
        if (!own || !own->firstWatcher.valid())
            return; // nobody waits for this one
    }
    const std::vector<Hop> circle = circleFrom(client);
    if (circle.empty())
        return;
    m_state.cycle.clear();
    for (const Hop& hop : circle)
        m_state.cycle.push_back(hop.client);
    if (isTold(circle))
        return;
    const ClientRow& next = m_state.clients[circle.front().next.value];
    EventIndex against = next.asked;
    violated(FindingKind::noDeadlock, client, against, describe(circle));
}

// By the acquires that wait in it.
bool InvariantChecker::isTold(const std::vector<Hop>& circle)
{
    std::uint64_t fingerprint = circle.size();
    for (const Hop& hop : circle) {
        std::uint64_t waits = 0;
        m_state.clients[hop.client.value].forEach([&](const LockUse& one) {
            if (one.asleep())
                waits = std::max<std::uint64_t>(waits, one.asked.value + std::uint64_t{1});
        });
        fingerprint += waits * 0x9e37'79b9'7f4a'7c15U ^ (waits << 29U); // in any order
    }
    std::vector<std::uint64_t>& told = m_state.book.reportedDeadlocks;
    if (std::find(told.begin(), told.end(), fingerprint) != told.end())
        return true;
    if (told.size() == kCyclesKept)
        told.erase(told.begin());
    told.push_back(fingerprint);
    return false;
}

void InvariantChecker::cycleGoesOn()
{
    std::vector<ClientId>& cycle = m_state.cycle;
    std::vector<Hop> hops;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const ClientId next = cycle[(i + 1) % cycle.size()];
        hops.clear();
        const bool sleeps = waitsFor(cycle[i], hops);
        if (sleeps && std::any_of(hops.begin(), hops.end(), [&](const Hop& hop) { return hop.next == next; }))
            continue;
        cycle.clear();
        return;
    }
}

// "left" of "/locks/left"; a semaphore's two paths keep its own name: "well/leases".
std::string InvariantChecker::lockName(LockId id) const
{
    const LockRow* lock = m_state.lock(id);
    if (!lock || lock->path.empty())
        return fmt::format("lock {}", id.value);
    std::size_t from = lock->path.rfind('/');
    const Text last = lock->path.substr(from == Text::npos ? 0 : from + 1);
    if (from != Text::npos && from > 0 && (last == "leases" || last == "locks"))
        from = lock->path.rfind('/', from - 1);
    return wording::node(lock->path.substr(from == Text::npos ? 0 : from + 1), -1);
}

std::string InvariantChecker::describe(const std::vector<Hop>& circle) const
{
    const Hop& into = circle.back(); // the one that waits for the first
    bool holds = false;
    m_state.clients[into.next.value].forEach(
        [&](const LockUse& one) { holds = holds || (one.holds() && one.lock == into.lock); });
    std::string text = name(circle.front().client);
    if (holds)
        text += fmt::format(" holds {} and", lockName(into.lock));
    for (std::size_t i = 0; i < circle.size() && i < kMaxClientsNamed; ++i) {
        const Hop& hop = circle[i];
        if (i > 0)
            text += ", " + name(hop.client);
        text += fmt::format(" waits for {} on {}", hop.next == hop.client ? "itself" : name(hop.next),
                            lockName(hop.lock));
    }
    if (circle.size() > kMaxClientsNamed)
        text += fmt::format(", and so on over {} more", circle.size() - kMaxClientsNamed);
    return text + ".";
}

} // namespace lockscope::replay
