#include "ui/texts/client_explainer.h"

#include "ui/models/style/format.h"
#include "ui/texts/chain_text.h"
#include "ui/texts/client_status.h"
#include "ui/texts/next_step.h"
#include "ui/texts/watched_lock_text.h"

#include <algorithm>

namespace lockscope::ui {

using chain::ChainText;

using replay::ClientPhase;
using trace::SessionPhase;

ClientExplainer::ClientExplainer(const replay::RunState& state, const replay::ClientRow& client, LockId shown)
    : m_state(state)
    , m_client(client)
    , m_shown(client.lock.valid() && client.active() ? client.lock : shown)
    , m_lock(state.lock(m_shown))
    , m_role(lockRole(state, m_shown))
    , m_name(clientName(state, client.id))
    , m_node(format::sequenceNumber(client.node))
{
    const replay::NodeRow* own = client.node.empty() ? nullptr : state.node(m_shown, client.node);
    m_reads = own && own->reads;
}

// "ada's node 27".
QString ClientExplainer::whose(replay::Text node) const
{
    const QString number = format::sequenceNumber(node);
    const ClientId owner = m_state.ownerOf(m_shown, node);
    return owner.valid() ? tr("%1's node %2").arg(clientName(m_state, owner), number)
                         : tr("node %1").arg(number);
}

QString ClientExplainer::asleepUntil() const
{
    const QString ahead = whose(m_client.watches);
    switch (m_role) {
    case LockRole::herd:
        return tr("%1 sleeps until the one node is gone.").arg(m_name);
    case LockRole::herdReadWrite:
        return tr("%1 sleeps until the list of nodes changes.").arg(m_name);
    case LockRole::leases:
        return tr("%1 is first at the entrance and sleeps until a lease comes back: %2 of %3 are out.")
            .arg(m_name, format::count(holding(false)), format::count(m_lock ? m_lock->permits : 1U));
    case LockRole::readWrite:
        return m_reads ? tr("%1 wants to read and sleeps until %2, a writer in front of its %3, is gone.")
                             .arg(m_name, ahead, m_node)
                       : tr("%1 wants to write and sleeps until %2, directly in front of its %3, is gone.")
                             .arg(m_name, ahead, m_node);
    case LockRole::entrance:
        return tr("%1 sleeps at the entrance until %2, directly in front of its %3, is gone.")
            .arg(m_name, ahead, m_node);
    case LockRole::several:
        return tr("%1 waits for %2 and sleeps until %3, directly in front of its %4, is gone.")
            .arg(m_name, lockLabel(m_state, m_shown), ahead, m_node);
    case LockRole::queue:
    case LockRole::none:
        break;
    }
    return tr("%1 sleeps until %2, directly in front of its %3, is gone.").arg(m_name, ahead, m_node);
}

QString ClientExplainer::whenWoken() const
{
    switch (m_role) {
    case LockRole::herd:
        return tr("All clients that watch it are woken then and try to create it; one of them succeeds.");
    case LockRole::herdReadWrite:
        return tr("Every change wakes all waiting clients: each lists again and holds if no earlier request "
                  "blocks it.");
    case LockRole::leases:
        return tr("It watches the list of leases: every change wakes it.");
    case LockRole::readWrite:
        return m_reads ? tr("A reader waits for writers only: when woken, it lists again and ignores other "
                            "readers.")
                       : tr("A writer waits for all nodes in front of it: when woken, it lists again.");
    case LockRole::entrance:
        return tr("Only the first client there looks for a lease.");
    case LockRole::several:
        return tr("Once it has this lock, it asks for the next one; it enters when it has them all.");
    case LockRole::queue:
    case LockRole::none:
        break;
    }
    if (m_lock && m_lock->kind() == Recipe::existsMutex)
        return tr(
            "It set its watch with exists, which leaves a watch behind if the node was already deleted.");
    if (m_lock && m_lock->announcesHandoff())
        return tr("If the owner of that node had announced its hold, %1 takes the lock at once; if not, it "
                  "lists again.")
            .arg(m_name);
    return tr("When woken, it lists again and holds if it is first.");
}

Explanation ClientExplainer::plain() const
{
    switch (m_client.phase) {
    case ClientPhase::connecting:
        return {tr("%1 connects to ZooKeeper.").arg(m_name), tr("Without a session it can have no node.")};
    case ClientPhase::idle:
    case ClientPhase::thinking:
        return {tr("%1 does not need the lock at the moment.").arg(m_name), firstStepText(m_state, m_shown)};
    case ClientPhase::joining:
        return {tr("%1 wants the lock and checks whether it may take it.").arg(m_name), {}};
    case ClientPhase::waiting:
        return m_client.asleep()
                   ? Explanation{asleepUntil(), whenWoken()}
                   : Explanation{tr("%1 was woken and checks whether it may take the lock.").arg(m_name), {}};
    case ClientPhase::holding:
        return holds();
    case ClientPhase::releasing:
        return {tr("%1 releases: the delete of its node is on its way.").arg(m_name), {}};
    case ClientPhase::lost:
        return {tr("%1 knows that its session is lost.").arg(m_name),
                tr("Its nodes were deleted with the session; it needs a new one.")};
    case ClientPhase::finished:
        return {tr("%1 has finished all its cycles.").arg(m_name), tr("It will not ask for the lock again.")};
    case ClientPhase::removed:
        break;
    }
    return {tr("%1 left the run.").arg(m_name), tr("Its session is closed, so it leaves no node behind.")};
}

// For a transaction log, which does not contain what the client wants or believes.
Explanation ClientExplainer::logged() const
{
    if (m_client.holds())
        return {tr("Node %1 of %2 is first in the server's queue: it is entitled to the lock.")
                    .arg(m_node, m_name),
                watchedUnknownText()};
    if (m_client.waits())
        return {tr("Node %1 of %2 is in the queue.").arg(m_node, m_name), watchedUnknownText()};
    return {tr("%1 has no node in the queue.").arg(m_name), watchedUnknownText()};
}

Explanation ClientExplainer::all(TraceTime now) const
{
    if (replay::onlyWatches(m_state))
        return logged();
    if (m_client.isStale) {
        const QString ago = format::duration(std::max(Duration{}, now - m_client.staleSince));
        return {
            tr("%1 believes that it holds the lock; the server deleted its node %2 ago.").arg(m_name, ago),
            tr("It learns this only when it hears from the server. Until then, a checked token keeps it "
               "out.")};
    }
    if (isWaitingWithoutNode(m_client, m_state.node(m_client.lock, m_client.node)))
        return {
            tr("%1 believes that it waits, but the server no longer has its node.").arg(m_name),
            tr("Its session ended, or the node was deleted. It will notice when it hears from the server.")};
    Explanation text = plain();
    if (m_client.frozen)
        text.why = tr("It is frozen: it takes no step and sends no heartbeat. If this lasts longer than its "
                      "timeout, the server ends its session.");
    else if (m_client.session == SessionPhase::suspended)
        text.why = tr("It lost contact with ZooKeeper and cannot know whether its node is still there.");
    else if (m_state.server.phase == trace::ServerPhase::down && m_client.active())
        text.why = tr("The server does not answer: nothing happens until it does.");
    return text;
}

bool isSettled(const replay::ClientRow& client)
{
    switch (client.phase) {
    case ClientPhase::joining:
    case ClientPhase::releasing:
    case ClientPhase::connecting:
        return client.isStale;
    case ClientPhase::waiting:
        return client.asleep() || client.frozen;
    default:
        return true;
    }
}

Explanation explainClient(const replay::RunState& state, const replay::ClientRow& client, LockId lock,
                          TraceTime now)
{
    return ClientExplainer(state, client, lock).all(now);
}

std::size_t ClientExplainer::holding(bool readers) const
{
    if (!m_lock)
        return 0;
    return static_cast<std::size_t>(
        std::count_if(m_lock->queue.begin(), m_lock->queue.end(), [readers](const replay::NodeRow& node) {
            return (node.phase == replay::NodePhase::holds || node.phase == replay::NodePhase::releasing) &&
                   (!readers || node.reads);
        }));
}

// The effect of its release on the watching clients.
QString ClientExplainer::release() const
{
    if (m_role == LockRole::leases)
        return tr("When it returns the lease, the first client at the entrance can take it.");
    std::size_t watchers = 0;
    ClientId one = ClientId::none();
    for (const replay::ClientRow& client : m_state.clients) {
        client.forEach([&](const replay::LockUse& each) {
            const bool watches = m_role == LockRole::herdReadWrite
                                     ? each.watchesList
                                     : !each.watches.empty() && each.watches == m_client.node;
            if (each.lock != m_shown || !watches || client.id == m_client.id)
                return;
            ++watchers;
            one = client.id;
        });
    }
    const QString count = format::count(watchers);
    if (watchers == 0)
        return tr("No client watches its node at the moment.");
    if (watchers == 1)
        return tr("When it releases, that wakes only %1.").arg(clientName(m_state, one));
    if (m_role == LockRole::herd)
        return tr("When it releases, all %1 clients that watch the node are woken, and one of them gets the "
                  "lock.")
            .arg(count);
    if (m_role == LockRole::herdReadWrite)
        return tr("When it releases, all %1 clients that watch the list are woken.").arg(count);
    return tr("When it releases, the %1 clients that watch its node are woken.").arg(count);
}

// For a client that holds together with other clients.
Explanation ClientExplainer::holdsBeside(const QString& why) const
{
    const QString at = since(m_client.heldSince);
    if (m_role == LockRole::leases) {
        const auto permits = m_lock ? m_lock->permits : 1U;
        if (permits == 1)
            return {tr("%1 has had the only lease since %2.").arg(m_name, at), why};
        return {tr("%1 has had a lease since %2; %3 of %4 are out.")
                    .arg(m_name, at, format::count(holding(false)), format::count(permits)),
                why};
    }
    const std::size_t readers = holding(true);
    if (!m_reads)
        return {tr("%1 has held the lock for writing since %2, alone.").arg(m_name, at), why};
    return {readers > 1 ? tr("%1 has held the lock for reading since %2, one of %3 readers.")
                              .arg(m_name, at, format::count(readers))
                        : tr("%1 has held the lock for reading since %2.").arg(m_name, at),
            tr("Readers hold together. %1").arg(why)};
}

Explanation ClientExplainer::holds() const
{
    const QString at = since(m_client.heldSince);
    QString why = release();
    if (m_client.depth > 1)
        why = tr("It entered %1 times: only its last release deletes the node. %2")
                  .arg(format::count(m_client.depth), why);
    switch (m_role) {
    case LockRole::readWrite:
    case LockRole::herdReadWrite:
    case LockRole::leases:
        return holdsBeside(why);
    case LockRole::herd:
        return {tr("%1 has held the lock since %2: it created the one node.").arg(m_name, at), why};
    case LockRole::entrance:
        return {tr("%1 has been first at the entrance since %2: it may look for a lease.").arg(m_name, at),
                tr("When it has a lease, it lets the next client in.")};
    case LockRole::several:
        return {tr("%1 has held %2 since %3: its node %4 is first.")
                    .arg(m_name, lockLabel(m_state, m_shown), at, m_node),
                why};
    case LockRole::none:
        return {tr("%1 has been in the protected section since %2, without a lock.").arg(m_name, at), {}};
    case LockRole::queue:
        break;
    }
    return {tr("%1 has held the lock since %2: its node %3 is first.").arg(m_name, at, m_node), why};
}

} // namespace lockscope::ui
