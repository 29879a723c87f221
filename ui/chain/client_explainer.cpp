#include "ui/chain/explain_present.h"

#include "ui/chain/chain_text.h"
#include "ui/chain/event_explainer.h"
#include "ui/chain/client_explainer.h"
#include "ui/models/client_status.h"
#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

#include <algorithm>

namespace lockscope::ui {

using chain::ChainText;
using chain::RecipeKind;
using replay::ClientPhase;
using trace::SessionPhase;

ClientExplainer::ClientExplainer(const replay::RunState& state, const replay::ClientRow& client, LockId shown)
    : m_state(state)
    , m_client(client)
    , m_shown(client.lock.valid() && client.active() ? client.lock : shown)
    , m_lock(state.lock(m_shown))
    , m_kind(chain::recipeKind(state, m_shown))
    , m_name(ChainText::clientName(state, client.id))
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
    return owner.valid() ? tr("%1's node %2").arg(ChainText::clientName(m_state, owner), number)
                         : tr("node %1").arg(number);
}

QString ClientExplainer::asleepUntil() const
{
    const QString ahead = whose(m_client.watches);
    switch (m_kind) {
    case RecipeKind::herd:
        return tr("%1 sleeps until the one node is gone.").arg(m_name);
    case RecipeKind::herdReadWrite:
        return tr("%1 sleeps until the list of nodes changes.").arg(m_name);
    case RecipeKind::leases:
        return tr("%1 is first at the entrance and sleeps until a lease comes back: %2 of %3 are out.")
            .arg(m_name, format::count(holding(false)), format::count(m_lock ? m_lock->permits : 1U));
    case RecipeKind::readWrite:
        return m_reads ? tr("%1 wants to read and sleeps until %2, a writer in front of its %3, is gone.")
                             .arg(m_name, ahead, m_node)
                       : tr("%1 wants to write and sleeps until %2, directly in front of its %3, is gone.")
                             .arg(m_name, ahead, m_node);
    case RecipeKind::entrance:
        return tr("%1 sleeps at the entrance until %2, directly in front of its %3, is gone.")
            .arg(m_name, ahead, m_node);
    case RecipeKind::several:
        return tr("%1 waits for %2 and sleeps until %3, directly in front of its %4, is gone.")
            .arg(m_name, lockLabel(m_state, m_shown), ahead, m_node);
    case RecipeKind::queue:
    case RecipeKind::none:
        break;
    }
    return tr("%1 sleeps until %2, directly in front of its %3, is gone.").arg(m_name, ahead, m_node);
}

QString ClientExplainer::whenWoken() const
{
    switch (m_kind) {
    case RecipeKind::herd:
        return tr("Everybody who watches it is woken then and tries to create it; one of them gets it.");
    case RecipeKind::herdReadWrite:
        return tr("Every change wakes all who wait: each lists again and holds if nobody is in its way.");
    case RecipeKind::leases:
        return tr("It watches the list of leases: every change wakes it.");
    case RecipeKind::readWrite:
        return m_reads
                   ? tr("A reader waits for writers alone: woken, it lists again and passes other readers.")
                   : tr("A writer waits for everybody in front: woken, it lists again.");
    case RecipeKind::entrance:
        return tr("Only who is first there looks for a lease.");
    case RecipeKind::several:
        return tr("With this lock it goes on to the next; it is in when it has them all.");
    case RecipeKind::queue:
    case RecipeKind::none:
        break;
    }
    if (m_lock && m_lock->recipe == "exists-mutex")
        return tr("It asked with exists, whose watch stays behind when the node is gone already.");
    if (m_lock && m_lock->handoff == "announced")
        return tr("If that node had announced that it held, %1 takes the lock at once; if not, it lists "
                  "again.")
            .arg(m_name);
    return tr("Woken, it lists again, and holds if it is first.");
}

Explanation ClientExplainer::sleeps() const { return {asleepUntil(), whenWoken()}; }

Explanation ClientExplainer::plain() const
{
    switch (m_client.phase) {
    case ClientPhase::connecting:
        return {tr("%1 connects to ZooKeeper.").arg(m_name), tr("Without a session it can have no node.")};
    case ClientPhase::idle:
    case ClientPhase::thinking:
        return {tr("%1 does not need the lock at the moment.").arg(m_name),
                EventExplainer::firstStep(m_state, m_shown)};
    case ClientPhase::joining:
        return {tr("%1 wants the lock and checks whether it may take it.").arg(m_name), {}};
    case ClientPhase::waiting:
        return m_client.asleep()
                   ? sleeps()
                   : Explanation{tr("%1 was woken and checks whether it may take the lock.").arg(m_name), {}};
    case ClientPhase::holding:
        return holds();
    case ClientPhase::releasing:
        return {tr("%1 releases: the delete of its node is on its way.").arg(m_name), {}};
    case ClientPhase::lost:
        return {tr("%1 knows that its session is lost.").arg(m_name),
                tr("Its nodes went with it; it needs a new session.")};
    case ClientPhase::finished:
        return {tr("%1 has finished all its cycles.").arg(m_name), tr("It will not ask for the lock again.")};
    case ClientPhase::removed:
        break;
    }
    return {tr("%1 left the run.").arg(m_name), tr("Its session is closed, so it leaves no node behind.")};
}

// Out of a transaction log: what its client wants or thinks nobody knows.
Explanation ClientExplainer::logged() const
{
    if (m_client.holds())
        return {tr("Node %1 of %2 is first: entitled, by the server's queue.").arg(m_node, m_name), watchedUnknownText()};
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
            tr("%1 believes that it holds the lock; the server dropped its node %2 ago.").arg(m_name, ago),
            tr("It will learn so when it hears from the server. A checked token keeps it out meanwhile.")};
    }
    if (isWaitingWithoutNode(m_client, m_state.node(m_client.lock, m_client.node)))
        return {tr("%1 believes that it waits; the server has no node of its any more.").arg(m_name),
                tr("Its session ended, or somebody deleted the node. It will learn so when it hears from the "
                   "server.")};
    Explanation text = plain();
    if (m_client.frozen)
        text.why =
            tr("It is frozen: no step, no heartbeat. If that outlasts its timeout, the server ends its "
               "session.");
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

} // namespace lockscope::ui
