// Locks that are only watched. Usually only the server's list is known: the holders then follow from the
// names of the nodes and their order, by the rules of the libraries. The server's own log also names the
// owner of each node.
#include "core/replay/fold/fold.h"

#include "core/queue/standing.h"
#include "core/replay/state/node_queue.h"
#include "core/trace/command_verb.h"

#include <algorithm>
#include <bitset>
#include <utility>
#include <vector>

namespace lockscope::replay {

namespace {

using queue::Library;
using queue::Role;

// The nodes in front of a node.
struct Ahead
{
    queue::Standing standing;
    std::bitset<queue::kLibraries> libraries;
    bool stray = false; // a node that is not a lock node and sorts first by its whole name

    void add(Library library, Role role)
    {
        standing.add(library, role, 0);
        libraries.set(static_cast<std::size_t>(library));
    }
};

// Curator counts every child and kazoo only its own. A Curator node does not wait for a kazoo node, because
// that name sorts behind all numbers. Whether nodes of other libraries count each other depends on their
// settings, so the phase is then unknown (foreign).
NodePhase phaseOf(Library library, Role role, bool before, const Ahead& ahead)
{
    if (ahead.standing.at(library, role).waits)
        return NodePhase::waits;
    if (!queue::isContender(role))
        return NodePhase::foreign;
    if (queue::countsEveryChild(library) &&
        ahead.stray) // an older node may have held before, and then holds still
        return before ? NodePhase::foreign : NodePhase::waits;
    std::bitset<queue::kLibraries> others = ahead.libraries;
    others.reset(static_cast<std::size_t>(library));
    if (queue::countsEveryChild(library))
        for (const Library behind : {Library::curator, Library::goZk})
            others.reset(static_cast<std::size_t>(behind));
    if (library == Library::curator)
        others.reset(static_cast<std::size_t>(Library::kazoo));
    return others.none() ? NodePhase::holds : NodePhase::foreign;
}

} // namespace

void Fold::addWatchedNode(LockRow& lock, NodeRow& node, const trace::NodeSeen& e)
{
    if (node.createdBy != m_index)
        return;
    // A folder, too, may have a name of 32 hexadecimal digits.
    if (node.kind == Role::lease && node.sequence < 0 && !e.session.valid())
        node.kind = Role::none;
    node.before = !m_state.book.locks[lock.id.value].lastObserved.valid();
    node.waitingSince = m_event.at - e.age;
    node.waitsLonger = node.before && e.age == Duration{};
    node.phase = node.kind == Role::none ? NodePhase::foreign : NodePhase::joining;
    if (m_client)
        queueWatched(node, e);
}

void Fold::queueWatched(NodeRow& node, const trace::NodeSeen& e)
{
    constexpr std::size_t kMaxNamedClients = 4'096;
    ClientRow& row = *m_client;
    row.session = trace::SessionPhase::connected;
    row.sessionBy = m_index;
    if (e.session.valid() && e.session != row.sessionId) {
        if (m_state.clients.size() <= kMaxNamedClients)
            setSession(row, e.session);
        else
            row.sessionId = e.session;
    }
    if (row.active())
        addUse();
    beginWait(m_index, OwnerId::none());
    row.waitingSince = node.waitingSince;
    row.node = node.name;
    setPhase(row, ClientPhase::waiting);
    node.owner = row.id;
    node.phase = NodePhase::waits;
}

// The client is first in the server's queue. In a log, that counts as holding the lock.
void Fold::grantWatched(const trace::Decided& e)
{
    const std::size_t place = node_queue::find(*m_lock, e.node);
    if (e.position != 0 || place == node_queue::kNotFound || m_lock->queue[place].owner != m_client->id)
        return;
    const bool before = m_lock->queue[place].before && !m_lockBook->lastObserved.valid();
    (*this)(trace::Acquired{e.node, m_lock->queue[place].token, OwnerId::none()});
    m_lock->queue[place].heldBefore = before;
}

// Its program has said itself that it holds, or did until it began to release: what it believes lasts.
bool Fold::believes(const ClientRow& owner, const LockRow& lock, const NodeRow& node) const
{
    bool said = false;
    owner.forEach([&](const LockUse& one) {
        said = said || (one.lock == lock.id && one.node == node.name && one.granted.valid() &&
                        (one.phase == ClientPhase::holding || one.phase == ClientPhase::releasing) &&
                        std::holds_alternative<trace::Acquired>(m_store.at(one.granted).what));
    });
    return said;
}

void Fold::endWatchedHold(ClientRow& owner, const LockRow& lock, const NodeRow& node)
{
    const auto meant = [&](const LockUse& one) { return one.lock == lock.id && one.node == node.name; };
    const auto other = std::find_if(owner.otherUses.begin(), owner.otherUses.end(), meant);
    if (!meant(owner) && other == owner.otherUses.end())
        return;
    LockUse& one = meant(owner) ? owner : *other;
    changed(owner);
    if (one.phase == ClientPhase::holding) {
        ++m_state.statistics.releases;
        m_checker.holdEndedOnServer(owner.id, node, causingCommand() == trace::CommandKind::loggedExpiry);
    } else {
        ++owner.failed;
        owner.tally.lastFailure = m_index;
        ++m_state.statistics.failed;
    }
    if (!meant(owner))
        return drop(owner, static_cast<std::size_t>(other - owner.otherUses.begin()));
    leaveLock(owner, owner);
    setPhase(owner, ClientPhase::idle);
    chooseFocus(owner);
}

trace::CommandKind Fold::causingCommand() const
{
    const auto* command = m_event.cause.valid() && m_event.cause < m_index
                              ? std::get_if<trace::Command>(&m_store.at(m_event.cause).what)
                              : nullptr;
    return command ? trace::commandKind(command->verb) : trace::CommandKind::other;
}

void Fold::updateWatchedHolders(LockRow& lock)
{
    const bool first = !m_state.book.locks[lock.id.value].lastObserved.valid();
    // Curator's semaphore lets one client at a time create a lease and wait with it: all leases but the last
    // are held. The number of permits is not stored on the server, so the last lease may be held or waiting,
    // unless it is the only one.
    const NodeRow* lastLease = nullptr;
    std::size_t leases = 0;
    for (const NodeRow& node : lock.queue)
        if (node.kind == Role::lease && node.sequence >= 0) {
            lastLease = &node;
            ++leases;
        }
    // Of two nodes with the same number, neither blocks the other: a writer that downgrades to reading gives
    // its read node the number of its write node.
    Ahead ahead;
    std::vector<std::pair<Library, Role>> ofNumber;
    std::int64_t number = -1;
    for (NodeRow& node : lock.queue) {
        const Role kind = node.kind.value_or(Role::none);
        if (node.owner.valid()) { // its phase is known from the log
            if (kind != Role::none)
                ofNumber.emplace_back(queue::parse(node.name).library, kind);
            continue;
        }
        if (kind == Role::none) {
            node.phase = NodePhase::foreign;
            ahead.stray = true;
            continue;
        }
        const Library library = queue::parse(node.name).library;
        if (node.sequence < 0 || node.sequence != number) {
            for (const auto& [each, role] : ofNumber)
                ahead.add(each, role);
            ofNumber.clear();
        }
        number = node.sequence;
        const NodePhase phase = node.phase == NodePhase::holds ? NodePhase::holds // until its node is gone
                                : kind != Role::lease          ? phaseOf(library, kind, node.before, ahead)
                                : &node == lastLease && leases > 1 ? NodePhase::foreign
                                                                   : NodePhase::holds;
        ofNumber.emplace_back(library, kind);
        if (phase == node.phase)
            continue;
        node.phase = phase;
        if (phase == NodePhase::holds) {
            node.heldSince = m_event.at;
            node.heldBefore = first;
        }
    }
}

} // namespace lockscope::replay
