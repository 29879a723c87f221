#include "ui/texts/event_narrator.h"

#include "ui/models/run/logged_event.h"
#include "ui/models/run/trace_name.h"
#include "ui/texts/core_messages.h"
#include "ui/texts/outcome_text.h"
#include "ui/texts/watched_lock_text.h"

namespace lockscope::ui {

namespace {

// The requested name of a sequential node ends where the server appends the number: "lock-", "__READ__".
QString createMode(trace::Text name)
{
    const bool sequential = !name.empty() && (name.back() == '-' || name.back() == '_');
    return sequential ? QStringLiteral(" EPHEMERAL_SEQUENTIAL") : QStringLiteral(" EPHEMERAL");
}

} // namespace

void EventNarrator::operator()(const trace::Request& e)
{
    const QString child = format::sequenceShort(e.node);
    const bool ofLock =
        e.op == Operation::create || e.op == Operation::getChildren || e.op == Operation::sync;
    const QString op = traceName(e.op);
    const QString watch = e.watch ? QStringLiteral(" + watch") : QString();
    const QString target = e.op == Operation::create
                               ? path() + u'/' + format::nodeShort(e.node) + createMode(e.node)
                           : ofLock ? path()
                                    : child;
    const bool own = m_store && watchesOwnNode(m_event, *m_store);
    QString line = op + u' ' + target;
    if (e.watch)
        line += QStringLiteral(" +watch");
    if (own)
        line += QStringLiteral("   ") + tr("(its own node)");
    if (e.together)
        line += QStringLiteral("   ") + tr("(sent together)");
    const QString shortOp = ofLock || e.node.empty() ? op : op + u' ' + child;
    QStringList labels{shortOp + watch, e.watch ? shortOp + QStringLiteral(" +w") : shortOp, op};
    if (own)
        labels = QStringList{tr("%1 (its own node)").arg(labels[0]), tr("%1 + watch: own").arg(op)} + labels;
    say(LogArrow::toServer, Tone::plain, line, labels);
    if (!m_explains)
        return;
    const QString node = format::sequenceNumber(e.node);
    const QString& who = m_name;
    switch (e.op) {
    case Operation::create:
        if (m_role == LockRole::herd)
            return explain(tr("%1 tries to create the one node: ephemeral, without a number.").arg(who),
                           tr("Only one create can succeed, and the client that sent it holds the lock."));
        return explain(tr("%1 asks for a node of its own: create, ephemeral and sequential.").arg(who),
                       tr("The server picks the number, so the order is the server's."));
    case Operation::remove:
        return explain(
            tr("%1 sends the delete of its node %2.").arg(who, node),
            tr("The release takes effect when the server deletes the node, before %1 gets the reply.")
                .arg(who));
    case Operation::getChildren:
        return explain(tr("%1 asks for the list of all nodes.").arg(who),
                       e.watch ? tr("With a watch on the whole list: it is notified of the next change.")
                       : e.together
                           ? tr("Sent together with the create: the server answers in order, so one round "
                                "trip is saved.")
                           : tr("Without a watch: it wants to know its place, not every change."));
    case Operation::getData:
        if (!e.watch)
            return explain(tr("%1 reads node %2.").arg(who, node));
        if (ownNode(e.node))
            return explain(tr("%1 sets a watch on its own node %2.").arg(who, node),
                           tr("It will be notified if the node is deleted while it holds."));
        return explain(
            reads() ? tr("%1 sets a watch on %2, a writer in front.").arg(who, node)
                    : tr("%1 sets a watch on %2, the node in front.").arg(who, node),
            tr("getData, not exists: if the node is gone already, no stray watch is left behind."));
    case Operation::setData:
        return explain(announced() ? tr("%1 writes into its node that it holds.").arg(who)
                                   : tr("%1 writes to node %2.").arg(who, node),
                       announced()
                           ? tr("Its successor reads this during the hold, and need not list again after it.")
                           : QString());
    case Operation::exists:
        return explain(tr("%1 asks whether node %2 exists.").arg(who, node),
                       e.watch ? tr("With a watch, which stays even if the node does not exist.")
                               : QString());
    case Operation::sync:
        break;
    }
    return explain(tr("%1 asks its server to catch up.").arg(who),
                   tr("What it reads next is not older than this moment."));
}

void EventNarrator::operator()(const trace::Reply& e)
{
    const bool ok = e.outcome == trace::Outcome::ok;
    const QString result = outcomeText(e.outcome), created = format::sequenceShort(e.node);
    QString line = traceName(e.op);
    if (!e.node.empty()) // a failed create has no node name
        line += u' ' + created;
    const bool newNode = ok && e.op == Operation::create;
    say(LogArrow::fromServer, ok ? Tone::plain : Tone::stale,
        newNode ? tr("created %1").arg(created) : line + QStringLiteral(": ") + result,
        {newNode                                ? created
         : ok && e.op == Operation::getChildren ? tr("%Ln children", nullptr, static_cast<int>(e.count))
                                                : result});
    if (!m_explains)
        return;
    const QString op = traceName(e.op), node = format::sequenceNumber(e.node);
    switch (e.outcome) {
    case trace::Outcome::ok:
        return answered(e);
    case trace::Outcome::noNode:
        if (e.op == Operation::exists && m_role == LockRole::herd)
            return explain(tr("The one node was deleted before %1 could see it.").arg(m_name),
                           tr("%1 does not sleep: it tries again to create it.").arg(m_name));
        if (e.op == Operation::exists)
            return explain(tr("Node %1 was just deleted; %2's watch on it stays behind.").arg(node, m_name),
                           tr("%1 does not sleep: it lists the nodes again.").arg(m_name));
        if (e.op == Operation::getData)
            return explain(tr("Node %1 was deleted before %2 could watch it.").arg(node, m_name),
                           tr("%1 does not sleep: it lists the nodes again.").arg(m_name));
        if (e.op == Operation::remove)
            return explain(tr("%1's node %2 was already deleted.").arg(m_name, node),
                           tr("There is nothing left to delete."));
        if (e.op == Operation::create)
            return explain(
                tr("%1 could not create its node: the lock's path does not exist yet.").arg(m_name),
                tr("It creates the path as a container and tries again."));
        return explain(tr("The server replied to %1 that there is no such node.").arg(m_name));
    case trace::Outcome::nodeExists:
        if (m_role == LockRole::herd)
            return explain(tr("%1 could not create the node: another client has created it.").arg(m_name),
                           tr("It will watch that node, as all waiting clients do."));
        return explain(tr("The server replied to %1 that the node exists already.").arg(m_name));
    case trace::Outcome::refused:
        return explain(tr("The server refused %1's %2.").arg(m_name, op), tr("The request had no effect."));
    case trace::Outcome::unknown:
        return explain(
            tr("The reply to %1's %2 was lost: the request may or may not have taken effect.")
                .arg(m_name, op),
            e.op == Operation::create
                ? tr("%1 looks for a node with its own _c_ id before it creates another.").arg(m_name)
                : tr("%1 has to find out before it continues.").arg(m_name));
    case trace::Outcome::sessionGone:
        break;
    }
    return explain(tr("%1's %2 failed: the session has ended.").arg(m_name, op),
                   tr("Its nodes were deleted with the session."));
}

void EventNarrator::operator()(const trace::WatchFired& e)
{
    const QString kind = traceName(e.kind);
    const QString of = kind + u' ' + (e.node.empty() ? path() : format::sequenceShort(e.node));
    say(LogArrow::watch, Tone::wake, of + QStringLiteral(" → ") + clientName(m_state, m_event.client),
        {e.node.empty() ? kind : of, kind});
    byServer();
    if (!m_explains)
        return;
    const QString node = format::sequenceNumber(e.node);
    switch (e.kind) {
    case trace::WatchKind::deleted:
        if (ownNode(e.node))
            return explain(tr("%1's own node %2 was deleted.").arg(m_name, node),
                           tr("Its place in the queue was lost with it."));
        return wokenByGone(e);
    case trace::WatchKind::changed:
        return explain(
            tr("%1 was notified that node %2 changed.").arg(m_name, node),
            announced()
                ? tr("%1 announces that it holds; %2 reads that and sets its watch again.").arg(node, m_name)
                : tr("A watch fires once; %1 has to set it again.").arg(m_name));
    case trace::WatchKind::created:
        return explain(tr("%1 was notified that node %2 exists now.").arg(m_name, node));
    case trace::WatchKind::childrenChanged:
        break;
    }
    return explain(tr("%1 was notified that the list of nodes changed.").arg(m_name),
                   m_role == LockRole::leases ? tr("It reads the list of leases again.")
                                              : tr("This wakes all clients that watch the list."));
}

void EventNarrator::operator()(const trace::NodeSeen& e)
{
    if (m_event.client.valid()) { // of a transaction log
        say(LogArrow::fromServer, Tone::plain, tr("queued with %1").arg(format::sequenceShort(e.node)));
    } else {
        say(LogArrow::none, Tone::muted, tr("foreign node %1").arg(format::plain(e.node, 60)));
        byServer();
    }
    if (!m_explains)
        return;
    const QString session = format::sessionShort(e.session);
    if (m_lock && m_lock->watched) {
        const replay::NodeRow* there = m_state.node(m_lock->id, e.node);
        const QString node = format::plain(e.node, 60);
        const QString doubt = there ? watchedDoubtText(*there) : QString();
        return explain(there ? tr("The server has node %1: %2, %3.")
                                   .arg(node, watchedKindText(*there), watchedOwnerText(*there))
                             : tr("The server has node %1.").arg(node),
                       doubt.isEmpty() ? tr("Read by the observer, which takes no part in the lock.")
                                       : doubt);
    }
    if (e.foreign)
        return explain(
            withWhom(tr("The server has a node that is not of this run: %1.").arg(format::plain(e.node, 60))),
            tr("Curator counts every child, so it counts in the queue."));
    const QString node = format::sequenceNumber(e.node);
    return explain(m_name.isEmpty()
                       ? tr("The server has node %1, of session %2.").arg(node, session)
                       : tr("The server has node %1 of %2, session %3.").arg(node, m_name, session),
                   tr("Read by the observer, which takes no part in the lock."));
}

void EventNarrator::operator()(const trace::NodeVanished& e)
{
    return explain(
        withWhom(tr("The server does not have node %1 any more.").arg(format::sequenceNumber(e.node))),
        tr("Read by the observer, which takes no part in the lock."));
}

void EventNarrator::operator()(const trace::Observed& e)
{
    return explain(
        withWhom(tr("The observer read the whole list: %Ln nodes.", nullptr, static_cast<int>(e.count))),
        tr("This agrees with the events before it."));
}

void EventNarrator::operator()(const trace::PathState& e)
{
    say(LogArrow::none, Tone::muted,
        e.kind == trace::PathKind::missing ? tr("%1 does not exist").arg(path())
        : e.kind == trace::PathKind::folder
            ? tr("%1 is a folder of %2 locks").arg(path(), format::count(e.locks))
            : tr("%1 exists").arg(path()));
    byServer();
    if (!m_explains)
        return;
    switch (e.kind) {
    case trace::PathKind::missing:
        return explain(tr("%1 does not exist.").arg(path()), tr("The server sends a notification when it "
                                                                "is created."));
    case trace::PathKind::folder:
        return explain(tr("%1 is a folder: %2 of its %3 children are locks.")
                           .arg(path(), format::count(e.locks), format::count(e.children)),
                       tr("Its children are not a queue."));
    case trace::PathKind::queue:
        break;
    }
    return explain(tr("%1 exists.").arg(path()),
                   tr("Its children are read, and read again after every change."));
}

void EventNarrator::operator()(const trace::WatchSeen& e)
{
    return explain(withWhom(tr("The server's table has a watch on node %1, of session %2.")
                                .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
                   tr("The servers are asked for all watches by path (wchp)."));
}

void EventNarrator::operator()(const trace::WatchVanished& e)
{
    return explain(
        withWhom(tr("The server's table does not have the watch on node %1 of session %2 any more.")
                     .arg(format::sequenceNumber(e.node), format::sessionShort(e.session))),
        tr("A watch is removed when it fires or when its connection ends."));
}

void EventNarrator::operator()(const trace::WatchesRead& e)
{
    if (!e.refusal.empty())
        return explain(withWhom(tr("The server does not show its watches.")),
                       translateMessage(e.refusal, 300));
    return explain(
        withWhom(tr("The server's watch table was read: %Ln watches.", nullptr, static_cast<int>(e.count))),
        tr("This agrees with the events before it."));
}

// A successful reply.
void EventNarrator::answered(const trace::Reply& e)
{
    const QString node = format::sequenceNumber(e.node);
    switch (e.op) {
    case Operation::create:
        return explain(
            tr("%1 has its node: %2.").arg(m_name, node),
            e.zxid.valid()
                ? tr("Created by transaction %1, which will be its fencing token.").arg(format::zxid(e.zxid))
                : QString());
    case Operation::remove:
        return explain(tr("The server deleted %1's node %2.").arg(m_name, node),
                       tr("The clients that watched it have been notified."));
    case Operation::getChildren:
        return explain(tr("%1 got the list: %Ln nodes.", nullptr, static_cast<int>(e.count)).arg(m_name),
                       tr("It sorts them by their numbers and looks for its own."));
    case Operation::getData:
        if (m_row && m_row->phase == replay::ClientPhase::waiting)
            return explain(tr("%1 is still in front, so %2 set a watch on it and sleeps.").arg(node, m_name),
                           tr("getData, not exists: no stray watch is left behind."));
        if (ownNode(e.node))
            return explain(tr("%1 watches its own node %2.").arg(m_name, node),
                           tr("It will be notified if the node is deleted while it holds."));
        return explain(tr("%1 is still there; %2 has read it.").arg(node, m_name));
    case Operation::setData:
        return explain(announced()
                           ? tr("The server stored %1's announcement that it holds the lock.").arg(m_name)
                           : tr("The server wrote the data of node %1 for %2.").arg(node, m_name));
    case Operation::exists:
        if (m_role == LockRole::herd)
            return explain(tr("The one node is there, and %1 watches it.").arg(m_name),
                           tr("When it is deleted, all clients that watch it are woken."));
        return explain(tr("The server replied to %2 that node %1 exists.").arg(node, m_name));
    case Operation::sync:
        break;
    }
    return explain(tr("%1's server has caught up.").arg(m_name));
}

void EventNarrator::wokenByGone(const trace::WatchFired& e)
{
    const QString node = format::sequenceNumber(e.node);
    if (m_role == LockRole::herd)
        return explain(tr("The one node was deleted: its watch woke %1.").arg(m_name),
                       tr("All other clients that watched it were woken too; each tries to create it."));
    if (reads())
        return explain(tr("The writer in front of %1, %2, was deleted: its watch woke %1.").arg(m_name, node),
                       tr("Another writer may be in front, so %1 lists again.").arg(m_name));
    return explain(
        tr("The node in front of %1, %2, was deleted: its watch woke %1.").arg(m_name, node),
        announced()
            ? tr("If the owner of node %1 had announced its hold, no node is left in front; if not, %2 "
                 "lists "
                 "again.")
                  .arg(node, m_name)
            : tr("%1 may have been a waiter that gave up, so %2 lists again and holds only if it is "
                 "first.")
                  .arg(node, m_name));
}

} // namespace lockscope::ui
