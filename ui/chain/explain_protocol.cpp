#include "ui/chain/event_explainer.h"

#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

namespace lockscope::ui {

using chain::RecipeKind;

namespace {

QString opName(trace::Op op)
{
    switch (op) {
    case trace::Op::create:
        return QStringLiteral("create");
    case trace::Op::remove:
        return QStringLiteral("delete");
    case trace::Op::getChildren:
        return QStringLiteral("getChildren");
    case trace::Op::getData:
        return QStringLiteral("getData");
    case trace::Op::setData:
        return QStringLiteral("setData");
    case trace::Op::exists:
        return QStringLiteral("exists");
    case trace::Op::sync:
        break;
    }
    return QStringLiteral("sync");
}

} // namespace

Explanation EventExplainer::operator()(const trace::Request& e) const
{
    const QString node = format::sequenceNumber(e.node);
    const QString& who = m_name;
    switch (e.op) {
    case trace::Op::create:
        if (m_kind == RecipeKind::herd)
            return {tr("%1 tries to create the one node: ephemeral, without a number.").arg(who),
                    tr("Only one create can succeed: the client whose create does holds the lock.")};
        return {tr("%1 asks for a node of its own: create, ephemeral and sequential.").arg(who),
                tr("The server picks the number, so the order is the server's.")};
    case trace::Op::remove:
        return {tr("%1 sends the delete of its node %2.").arg(who, node),
                tr("It is given back when the server has done that, before %1 hears so.").arg(who)};
    case trace::Op::getChildren:
        return {tr("%1 asks for the list of all nodes.").arg(who),
                e.watch      ? tr("With a watch on all of it: it is told of the next change.")
                : e.together ? tr("Sent together with the create: the server answers in order, so one round "
                                  "trip is saved.")
                             : tr("Without a watch: it wants to know its place, not every change.")};
    case trace::Op::getData:
        if (!e.watch)
            return {tr("%1 reads node %2.").arg(who, node), {}};
        if (ownNode(e.node))
            return {tr("%1 sets a watch on its own node %2.").arg(who, node),
                    tr("It will be told if somebody deletes the node while it holds.")};
        return {reads() ? tr("%1 sets a watch on %2, a writer in front.").arg(who, node)
                        : tr("%1 sets a watch on %2, the node in front.").arg(who, node),
                tr("getData, not exists: if the node is gone already, no stray watch is left behind.")};
    case trace::Op::setData:
        return {announced() ? tr("%1 writes into its node that it holds.").arg(who)
                            : tr("%1 writes to node %2.").arg(who, node),
                announced()
                    ? tr("Its successor reads this during the hold, and need not list again after it.")
                    : QString()};
    case trace::Op::exists:
        return {tr("%1 asks whether node %2 exists.").arg(who, node),
                e.watch ? tr("With a watch, which stays even if the node does not exist.") : QString()};
    case trace::Op::sync:
        break;
    }
    return {tr("%1 asks its server to catch up.").arg(who),
            tr("What it reads next is not older than this moment.")};
}

// A reply that says yes.
Explanation EventExplainer::answered(const trace::Reply& e) const
{
    const QString node = format::sequenceNumber(e.node);
    switch (e.op) {
    case trace::Op::create:
        return {
            tr("%1 has its node: %2.").arg(m_name, node),
            e.zxid.valid()
                ? tr("Created by transaction %1, which will be its fencing token.").arg(format::zxid(e.zxid))
                : QString()};
    case trace::Op::remove:
        return {tr("The server deleted %1's node %2.").arg(m_name, node),
                tr("Whoever watched it has been told.")};
    case trace::Op::getChildren:
        return {e.count == 1 ? tr("%1 got the list: one node.").arg(m_name)
                             : tr("%1 got the list: %2 nodes.").arg(m_name, format::count(e.count)),
                tr("It sorts them by their numbers and looks for its own.")};
    case trace::Op::getData:
        if (m_row && m_row->phase == replay::ClientPhase::waiting)
            return {tr("%1 is still in front, so %2 set a watch on it and sleeps.").arg(node, m_name),
                    tr("getData, not exists: no stray watch is left behind.")};
        if (ownNode(e.node))
            return {tr("%1 watches its own node %2.").arg(m_name, node),
                    tr("It will be told if somebody deletes the node while it holds.")};
        return {tr("%1 is still there; %2 has read it.").arg(node, m_name), {}};
    case trace::Op::setData:
        return {announced() ? tr("The server noted that %1 holds.").arg(m_name)
                            : tr("The server changed %1 for %2.").arg(node, m_name),
                {}};
    case trace::Op::exists:
        if (m_kind == RecipeKind::herd)
            return {tr("The one node is there, and %1 watches it.").arg(m_name),
                    tr("When it goes, everybody who watches it is woken.")};
        return {tr("Node %1 exists, %2 was told.").arg(node, m_name), {}};
    case trace::Op::sync:
        break;
    }
    return {tr("%1's server has caught up.").arg(m_name), {}};
}

Explanation EventExplainer::operator()(const trace::Reply& e) const
{
    const QString op = opName(e.op), node = format::sequenceNumber(e.node);
    switch (e.outcome) {
    case trace::Outcome::ok:
        return answered(e);
    case trace::Outcome::noNode:
        if (e.op == trace::Op::exists && m_kind == RecipeKind::herd)
            return {tr("The one node just left, before %1 could see it.").arg(m_name),
                    tr("%1 does not sleep: it tries again to create it.").arg(m_name)};
        if (e.op == trace::Op::exists)
            return {tr("Node %1 just left; %2's watch on it stays behind.").arg(node, m_name),
                    tr("%1 does not sleep: it lists the nodes again.").arg(m_name)};
        if (e.op == trace::Op::getData)
            return {tr("Node %1 just left, before %2 could watch it.").arg(node, m_name),
                    tr("%1 does not sleep: it lists the nodes again.").arg(m_name)};
        if (e.op == trace::Op::remove)
            return {tr("%1's node %2 was gone already.").arg(m_name, node),
                    tr("Then there is nothing left to delete.")};
        if (e.op == trace::Op::create)
            return {tr("%1 could not create its node: the lock's path does not exist yet.").arg(m_name),
                    tr("It creates the path as a container and tries again.")};
        return {tr("%1 was told that there is no such node.").arg(m_name), {}};
    case trace::Outcome::nodeExists:
        if (m_kind == RecipeKind::herd)
            return {tr("%1 could not create the node: somebody else has it.").arg(m_name),
                    tr("It will watch that node, as everybody does who waits.")};
        return {tr("%1 was told that the node exists already.").arg(m_name), {}};
    case trace::Outcome::refused:
        return {tr("The server refused %1's %2.").arg(m_name, op), tr("It did not happen.")};
    case trace::Outcome::unknown:
        return {tr("The reply to %1's %2 was lost: it may have happened or not.").arg(m_name, op),
                e.op == trace::Op::create
                    ? tr("%1 looks for a node with its own _c_ id before it creates another.").arg(m_name)
                    : tr("%1 has to find out before it goes on.").arg(m_name)};
    case trace::Outcome::sessionGone:
        break;
    }
    return {tr("%1's %2 had no session any more.").arg(m_name, op), tr("Its nodes went with the session.")};
}

bool EventExplainer::ownNode(replay::Text node) const { return m_row && !node.empty() && m_row->node == node; }

Explanation EventExplainer::wokenByGone(const trace::WatchFired& e) const
{
    const QString node = format::sequenceNumber(e.node);
    if (m_kind == RecipeKind::herd)
        return {tr("The one node is gone: its watch woke %1.").arg(m_name),
                tr("Everybody who watched it was woken too; each tries to create it.")};
    if (reads())
        return {tr("The writer in front of %1, %2, is gone: its watch woke %1.").arg(m_name, node),
                tr("Another writer may be in front, so %1 lists again.").arg(m_name)};
    return {
        tr("The node in front of %1, %2, is gone: its watch woke %1.").arg(m_name, node),
        announced()
            ? tr("If %1 had announced that it held, nobody is left in front; if not, %2 lists again.")
                  .arg(node, m_name)
            : tr("%1 may have been a waiter that gave up, so %2 lists again and holds only if it is first.")
                  .arg(node, m_name)};
}

Explanation EventExplainer::operator()(const trace::WatchFired& e) const
{
    const QString node = format::sequenceNumber(e.node);
    switch (e.kind) {
    case trace::WatchKind::nodeDeleted:
        if (ownNode(e.node))
            return {tr("%1's own node %2 was deleted.").arg(m_name, node),
                    tr("Its place in the queue is gone with it.")};
        return wokenByGone(e);
    case trace::WatchKind::nodeChanged:
        return {
            tr("%1 was told that node %2 changed.").arg(m_name, node),
            announced()
                ? tr("%1 announces that it holds; %2 reads that and sets its watch again.").arg(node, m_name)
                : tr("A watch fires once; %1 has to set it again.").arg(m_name)};
    case trace::WatchKind::nodeCreated:
        return {tr("%1 was told that node %2 exists now.").arg(m_name, node), {}};
    case trace::WatchKind::childrenChanged:
        break;
    }
    return {tr("%1 was told that the list of nodes changed.").arg(m_name),
            m_kind == RecipeKind::leases ? tr("It reads the list of leases again.")
                                         : tr("Everybody who watches the list is woken by this.")};
}

Explanation EventExplainer::operator()(const trace::NodeSeen& e) const
{
    const QString session = format::sessionShort(e.session);
    if (const replay::LockRow* lock = m_state.lock(m_event.lock); lock && lock->watched) {
        const replay::NodeRow* there = m_state.node(lock->id, e.node);
        const QString node = format::plain(e.node, 60);
        const QString doubt = there ? watchedDoubtText(*there) : QString();
        return {there ? tr("The server has node %1: %2, %3.").arg(node, watchedKindText(*there), watchedOwnerText(*there))
                      : tr("The server has node %1.").arg(node),
                doubt.isEmpty() ? tr("Read by the observer, which takes no part in the lock.") : doubt};
    }
    if (e.foreign)
        return {withWhom(tr("The server has a node that is not ours: %1.").arg(format::plain(e.node, 60))),
                tr("Curator counts every child, so it counts in the queue.")};
    const QString node = format::sequenceNumber(e.node);
    return {m_name.isEmpty() ? tr("The server has node %1, of session %2.").arg(node, session)
                             : tr("The server has node %1 of %2, session %3.").arg(node, m_name, session),
            tr("Read by the observer, which takes no part in the lock.")};
}

Explanation EventExplainer::operator()(const trace::NodeVanished& e) const
{
    return {withWhom(tr("The server does not have node %1 any more.").arg(format::sequenceNumber(e.node))),
            tr("Read by the observer, which takes no part in the lock.")};
}

Explanation EventExplainer::operator()(const trace::Observed& e) const
{
    return {withWhom(e.count == 1
                         ? tr("The observer read the whole list: one node.")
                         : tr("The observer read the whole list: %1 nodes.").arg(format::count(e.count))),
            tr("It agrees with the events before it.")};
}

Explanation EventExplainer::operator()(const trace::PathState& e) const
{
    const replay::LockRow* lock = m_state.lock(m_event.lock);
    const QString path = lock ? format::plain(lock->path, 60) : QString();
    switch (e.kind) {
    case trace::PathKind::missing:
        return {tr("%1 does not exist.").arg(path), tr("The server tells when it is created.")};
    case trace::PathKind::folder:
        return {tr("%1 is a folder: %2 of its %3 children are locks.")
                    .arg(path, format::count(e.locks), format::count(e.children)),
                tr("Its children are no queue.")};
    case trace::PathKind::queue:
        break;
    }
    return {tr("%1 exists.").arg(path), tr("Its children are read, and read again after every change.")};
}

Explanation EventExplainer::operator()(const trace::WatchSeen& e) const
{
    return {withWhom(tr("The server's table has a watch on node %1, of session %2.")
                         .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
            tr("The servers are asked for all watches by path (wchp).")};
}

Explanation EventExplainer::operator()(const trace::WatchVanished& e) const
{
    return {withWhom(tr("The server's table does not have the watch on node %1 of session %2 any more.")
                         .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
            tr("A watch goes when it fires, and with its connection.")};
}

Explanation EventExplainer::operator()(const trace::WatchesRead& e) const
{
    if (!e.refusal.empty())
        return {withWhom(tr("The server does not show its watches.")), translateMessage(e.refusal, 300)};
    return {withWhom(e.count == 1
                         ? tr("The server's watch table was read: one watch.")
                         : tr("The server's watch table was read: %1 watches.").arg(format::count(e.count))),
            tr("It agrees with the events before it.")};
}

} // namespace lockscope::ui
