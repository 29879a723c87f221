#include "ui/chain/explain_present.h"

#include "ui/chain/chain_text.h"
#include "ui/chain/explain_words.h"
#include "ui/chain/recipe_kind.h"
#include "ui/models/client_phrase.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope::ui {

namespace {

using chain::ChainText;
using chain::RecipeKind;
using replay::ClientPhase;
using trace::SessionPhase;

class PresentWords
{
    Q_DECLARE_TR_FUNCTIONS(PresentWords)
public:
    PresentWords(const replay::RunState& state, const replay::ClientRow& client, LockId shown);
    Explanation all(TraceTime now) const;

private:
    Explanation plain() const;
    Explanation holds() const;
    Explanation holdsBeside() const;
    QString release() const;
    Explanation sleeps() const;
    QString asleepUntil() const;
    QString whenWoken() const;
    QString whose(replay::Text node) const;
    std::size_t holding(bool readers) const; // nodes of its lock
    QString since(TraceTime at) const { return format::moment(at); }

    const replay::RunState& m_state;
    const replay::ClientRow& m_client;
    LockId m_shown;
    const replay::LockRow* m_lock;
    RecipeKind m_kind;
    bool m_reads = false;
    QString m_name, m_node;
};

PresentWords::PresentWords(const replay::RunState& state, const replay::ClientRow& client, LockId shown)
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

std::size_t PresentWords::holding(bool readers) const
{
    if (!m_lock)
        return 0;
    return static_cast<std::size_t>(
        std::count_if(m_lock->queue.begin(), m_lock->queue.end(), [readers](const replay::NodeRow& node) {
            return (node.phase == replay::NodePhase::holds || node.phase == replay::NodePhase::releasing) &&
                   (!readers || node.reads);
        }));
}

// "ada's node 27".
QString PresentWords::whose(replay::Text node) const
{
    const QString number = format::sequenceNumber(node);
    const ClientId owner = m_state.ownerOf(m_shown, node);
    return owner.valid() ? tr("%1's node %2").arg(ChainText::clientName(m_state, owner), number)
                         : tr("node %1").arg(number);
}

// What its release will do to those who watch.
QString PresentWords::release() const
{
    if (m_kind == RecipeKind::leases)
        return tr("When it gives the lease back, whoever is first at the entrance may take it.");
    std::size_t watchers = 0;
    ClientId one = ClientId::none();
    for (const replay::ClientRow& client : m_state.clients) {
        client.forEach([&](const replay::Engagement& each) {
            const bool watches = m_kind == RecipeKind::herdReadWrite
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
        return tr("Nobody waits for its node at the moment.");
    if (watchers == 1)
        return tr("When it releases, that wakes only %1.").arg(ChainText::clientName(m_state, one));
    if (m_kind == RecipeKind::herd)
        return tr("When it releases, all %1 who watch the node are woken, and one of them gets it.")
            .arg(count);
    if (m_kind == RecipeKind::herdReadWrite)
        return tr("When it releases, all %1 who watch the list are woken.").arg(count);
    return tr("When it releases, the %1 who watch its node are woken.").arg(count);
}

// With others: what it holds is not the lock alone.
Explanation PresentWords::holdsBeside() const
{
    const QString at = since(m_client.heldSince);
    if (m_kind == RecipeKind::leases) {
        const auto permits = m_lock ? m_lock->permits : 1U;
        if (permits == 1)
            return {tr("%1 has the only lease since %2.").arg(m_name, at), release()};
        return {tr("%1 has a lease since %2; %3 of %4 are out.")
                    .arg(m_name, at, format::count(holding(false)), format::count(permits)),
                release()};
    }
    const std::size_t readers = holding(true);
    if (!m_reads)
        return {tr("%1 holds the lock to write since %2, alone.").arg(m_name, at), release()};
    return {readers > 1 ? tr("%1 holds the lock to read since %2, one of %3 readers.")
                              .arg(m_name, at, format::count(readers))
                        : tr("%1 holds the lock to read since %2.").arg(m_name, at),
            tr("Readers hold together. %1").arg(release())};
}

Explanation PresentWords::holds() const
{
    const QString at = since(m_client.heldSince);
    QString why = release();
    if (m_client.depth > 1)
        why = tr("It entered %1 times: only its last release deletes the node. %2")
                  .arg(format::count(m_client.depth), why);
    switch (m_kind) {
    case RecipeKind::readWrite:
    case RecipeKind::herdReadWrite:
    case RecipeKind::leases:
        return holdsBeside();
    case RecipeKind::herd:
        return {tr("%1 holds the lock since %2: it made the one node.").arg(m_name, at), why};
    case RecipeKind::entrance:
        return {tr("%1 is first at the entrance since %2: it may look for a lease.").arg(m_name, at),
                tr("When it has one, it lets the next one in.")};
    case RecipeKind::several:
        return {tr("%1 holds %2 since %3: its node %4 is first.")
                    .arg(m_name, lockLabel(m_state, m_shown), at, m_node),
                why};
    case RecipeKind::none:
        return {tr("%1 is inside since %2, without a lock.").arg(m_name, at), {}};
    case RecipeKind::queue:
        break;
    }
    return {tr("%1 holds the lock since %2: its node %3 is first.").arg(m_name, at, m_node), why};
}

QString PresentWords::asleepUntil() const
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

QString PresentWords::whenWoken() const
{
    switch (m_kind) {
    case RecipeKind::herd:
        return tr("Everybody who watches it is woken then and tries to make it; one of them gets it.");
    case RecipeKind::herdReadWrite:
        return tr("Every change wakes all who wait: each lists again and holds if nobody is in its way.");
    case RecipeKind::leases:
        return tr("It watches the list of leases and reads it again at every change.");
    case RecipeKind::readWrite:
        return m_reads
                   ? tr("A reader waits for writers alone: woken, it lists again and passes other readers.")
                   : tr("A writer waits for everybody in front: woken, it lists again.");
    case RecipeKind::entrance:
        return tr("Only who is first there looks for a lease.");
    case RecipeKind::several:
        return tr("It goes on to the next lock when it has this one, and in when it has them all.");
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

Explanation PresentWords::sleeps() const { return {asleepUntil(), whenWoken()}; }

Explanation PresentWords::plain() const
{
    switch (m_client.phase) {
    case ClientPhase::connecting:
        return {tr("%1 connects to ZooKeeper.").arg(m_name), tr("Without a session it can have no node.")};
    case ClientPhase::idle:
    case ClientPhase::thinking:
        return {tr("%1 does not need the lock at the moment.").arg(m_name),
                ExplainWords::firstStep(m_state, m_shown)};
    case ClientPhase::joining:
        return {tr("%1 wants the lock and looks whether it may have it.").arg(m_name), {}};
    case ClientPhase::waiting:
        return m_client.asleep()
                   ? sleeps()
                   : Explanation{tr("%1 was woken and looks whether it may go on.").arg(m_name), {}};
    case ClientPhase::holding:
        return holds();
    case ClientPhase::releasing:
        return {tr("%1 releases: the delete of its node is on its way.").arg(m_name), {}};
    case ClientPhase::lost:
        return {tr("%1 knows that its session is lost.").arg(m_name),
                tr("Its nodes went with it; it needs a new session.")};
    case ClientPhase::finished:
        return {tr("%1 has done all its turns.").arg(m_name), tr("It will not ask for the lock again.")};
    case ClientPhase::removed:
        break;
    }
    return {tr("%1 left the run.").arg(m_name), tr("Its session is closed, so it leaves no node behind.")};
}

Explanation PresentWords::all(TraceTime now) const
{
    if (m_client.serverSaysGone) {
        const QString ago = format::duration(std::max(Duration{}, now - m_client.staleSince));
        return {
            tr("%1 believes that it holds the lock; the server dropped its node %2 ago.").arg(m_name, ago),
            tr("It will learn so when it hears from the server. A checked token keeps it out meanwhile.")};
    }
    if (waitsInVain(m_client, m_state.node(m_client.lock, m_client.node)))
        return {tr("%1 believes that it waits; the server has no node of it any more.").arg(m_name),
                tr("Its session ended, or somebody deleted the node. It will learn so when it hears from the "
                   "server.")};
    Explanation text = plain();
    if (m_client.frozen)
        text.why =
            tr("It is frozen: no step, no heartbeat. If that outlasts its timeout, the server ends its "
               "session.");
    else if (m_client.session == SessionPhase::suspended)
        text.why = tr("It lost contact with ZooKeeper and cannot know whether its node is still there.");
    return text;
}

} // namespace

bool atRest(const replay::ClientRow& client)
{
    if (client.heldAt)
        return false;
    switch (client.phase) {
    case ClientPhase::joining:
    case ClientPhase::releasing:
    case ClientPhase::connecting:
        return client.serverSaysGone;
    case ClientPhase::waiting:
        return client.asleep() || client.frozen;
    default:
        return true;
    }
}

Explanation explainPresent(const replay::RunState& state, const replay::ClientRow& client, LockId lock,
                           TraceTime now)
{
    return PresentWords(state, client, lock).all(now);
}

} // namespace lockscope::ui
