#include "ui/chain/event_explainer.h"

#include "ui/models/core_messages.h"
#include "ui/models/format.h"
#include "ui/models/watched_lock_text.h"

namespace lockscope::ui {

using chain::RecipeKind;

QString EventExplainer::firstStep(const replay::RunState& state, LockId lock)
{
    const replay::LockRow* row = state.lock(lock);
    switch (chain::recipeKind(state, lock)) {
    case RecipeKind::readWrite:
        return tr("It will create a numbered node, to read or to write, and look who is in the way.");
    case RecipeKind::herd:
        return tr("It will try to create the one node that everybody wants: the client that creates it holds "
                  "the lock.");
    case RecipeKind::herdReadWrite:
        return tr("It will create a numbered node and read the list with a watch on all of it.");
    case RecipeKind::leases:
    case RecipeKind::entrance:
        return tr("It will queue at the entrance, and look for a lease when it is first there.");
    case RecipeKind::several:
        return tr("It will take the locks one after another, with a numbered node in each.");
    case RecipeKind::none:
        return tr("Nobody takes a lock here: it will go in without one.");
    case RecipeKind::queue:
        break;
    }
    if (row && row->recipe == "unprotected-mutex")
        return tr(
            "It will create a numbered node without an id of its own in the name, and look who is in front.");
    return tr("It will create a numbered node and look who is in front.");
}

Explanation EventExplainer::operator()(const trace::AcquireCalled& e) const
{
    if (m_row && m_row->depth > 0)
        return {tr("%1 asks for the lock that it holds already.").arg(m_name),
                tr("It may enter again: only its own count will go up.")};
    const QString what = tr("%1 asks for the lock.").arg(m_name);
    const QString next = firstStep(m_state, m_event.lock);
    if (e.timeout == kForever)
        return {what, next};
    return {what, tr("%1 It gives up after %2.").arg(next, format::duration(e.timeout))};
}

// Nobody is in its way.
Explanation EventExplainer::decidedAlone(const trace::Decided& e) const
{
    const QString own = format::sequenceNumber(e.node), count = format::count(e.count);
    switch (m_kind) {
    case RecipeKind::leases:
        return {tr("%1 are out, and %2 is one of them: %3 may take its lease.").arg(count, own, m_name),
                tr("There are as many leases as may be out at once.")};
    case RecipeKind::entrance:
        return {tr("%1 is the first at the entrance, so %2 may look for a lease.").arg(own, m_name),
                tr("Only one looks at a time, so the leases go out in order.")};
    case RecipeKind::readWrite:
    case RecipeKind::herdReadWrite:
        if (reads())
            return {tr("No writer is in front of %1, so %2 may read.").arg(own, m_name),
                    tr("Readers hold together; a writer that comes later waits for them.")};
        break;
    default:
        break;
    }
    return {e.count > 1 ? tr("%1 is the first of %2 nodes, so %3 may take the lock.").arg(own, count, m_name)
                        : tr("%1 is the only node, so %2 may take the lock.").arg(own, m_name),
            tr("Nobody can get in front of it: later nodes get higher numbers.")};
}

Explanation EventExplainer::operator()(const trace::Decided& e) const
{
    if (const replay::LockRow* lock = m_state.lock(m_event.lock); lock && lock->watched)
        return {tr("Node %1 of %2 is first: entitled, by the server's queue.").arg(format::sequenceNumber(e.node), m_name),
                watchedUnknownText()};
    if (e.position == 0)
        return decidedAlone(e);
    const QString own = format::sequenceNumber(e.node), ahead = format::sequenceNumber(e.ahead);
    const QString count = format::count(e.position);
    if (m_kind == RecipeKind::leases)
        return {tr("Too few leases are left, so %1 has to wait.").arg(m_name),
                tr("It watches the list of leases, not one of them: any may come back.")};
    const QString watch =
        m_kind == RecipeKind::herdReadWrite
            ? tr("It watches the whole list: every change wakes it, and all who wait.")
        : e.position == 1 && !reads()
            ? tr("It will watch %1, which is directly in front of its own %2.").arg(ahead, own)
        : reads()
            ? tr("It will watch %1, a writer: other readers do not matter to it.").arg(ahead)
            : tr("It will watch only %1, directly in front: when that goes, nobody else needs to wake up.")
                  .arg(ahead);
    if (e.position == 1)
        return {tr("%1 is still in front, so %2 has to wait.").arg(ahead, m_name), watch};
    return {reads() ? tr("%1 writers are in front of %2's %3, so it has to wait.").arg(count, m_name, own)
                    : tr("%1 nodes are in front of %2's %3, so it has to wait.").arg(count, m_name, own),
            watch};
}

Explanation EventExplainer::operator()(const trace::Acquired& e) const
{
    const QString node = format::sequenceNumber(e.node), token = format::zxid(e.token);
    if (m_kind == RecipeKind::leases)
        return {tr("%1 has a lease: its node %2.").arg(m_name, node), {}};
    if (m_kind == RecipeKind::entrance)
        return {tr("%1 is first at the entrance with node %2.").arg(m_name, node),
                tr("It may look for a lease now; nobody else does meanwhile.")};
    if (reads())
        return {tr("%1 holds the lock to read: no writer is in front of its node %2.").arg(m_name, node),
                e.token.valid() ? tr("Its fencing token is %1; every later writer's is higher.").arg(token)
                                : QString()};
    return {m_kind == RecipeKind::herd ? tr("%1 holds the lock: it made the one node.").arg(m_name)
                                       : tr("%1 holds the lock: its node %2 is first.").arg(m_name, node),
            e.token.valid() ? tr("Its fencing token is %1; every later holder's is higher.").arg(token)
                            : QString()};
}

Explanation EventExplainer::operator()(const trace::Reentered& e) const
{
    return {tr("%1 took the lock again: depth %2.").arg(m_name, QString::number(e.depth)),
            tr("Only the client counts this; ZooKeeper hears nothing. It must release as often.")};
}

Explanation EventExplainer::operator()(const trace::AcquireFailed& e) const
{
    const QString detail = translateMessage(e.detail);
    switch (e.reason) {
    case trace::FailReason::timedOut:
        return {tr("%1 waited as long as it would and gave up.").arg(m_name),
                tr("It deletes its node; whoever watched that one looks again.")};
    case trace::FailReason::cancelled:
        return {tr("%1 was told to stop waiting.").arg(m_name),
                tr("It deletes its node, so that nobody waits for it.")};
    case trace::FailReason::sessionLost:
        return {tr("%1 cannot get the lock: its session is lost.").arg(m_name),
                tr("Its node went with the session, and its place in the queue.")};
    case trace::FailReason::retriesExhausted:
        return {tr("%1 gave up after its retries.").arg(m_name), detail};
    case trace::FailReason::error:
        break;
    }
    return {tr("%1 failed to get the lock.").arg(m_name), detail};
}

Explanation EventExplainer::operator()(const trace::StartedOver& e) const
{
    const QString why = translateMessage(e.why);
    return {e.node.empty() ? tr("%1 starts over with a new node.").arg(m_name)
                           : tr("%1 starts over: its node %2 is not in the list.")
                                 .arg(m_name, format::sequenceNumber(e.node)),
            why.isEmpty() ? tr("A new node goes to the end of the queue.") : why};
}

Explanation EventExplainer::operator()(const trace::ReleaseCalled& e) const
{
    if (e.depth > 1)
        return {tr("%1 gives back one of %2 levels and still holds.").arg(m_name, QString::number(e.depth)),
                tr("Only the last release deletes the node.")};
    const auto follows = [this] {
        switch (m_kind) {
        case RecipeKind::herd:
            return tr("That wakes everybody who watches the node; one of them will get it.");
        case RecipeKind::herdReadWrite:
            return tr("That changes the list and wakes everybody who watches it.");
        case RecipeKind::leases:
            return tr("That changes the list of leases, which whoever is first at the entrance watches.");
        case RecipeKind::readWrite:
            return tr(
                "That fires the watches of those who wait for this node: several readers, or a writer.");
        case RecipeKind::entrance:
            return tr("The next one at the entrance is woken and looks for a lease.");
        default:
            return tr("That fires the watch of the one client directly behind it.");
        }
    };
    const QString node = format::sequenceNumber(e.node);
    return {m_kind == RecipeKind::leases
                ? tr("%1 gives its lease back: it deletes its node %2.").arg(m_name, node)
            : m_kind == RecipeKind::entrance
                ? tr("%1 leaves the entrance: it deletes its node %2.").arg(m_name, node)
                : tr("%1 releases the lock: it deletes its node %2.").arg(m_name, node),
            follows()};
}

Explanation EventExplainer::operator()(const trace::Released& e) const
{
    if (e.depth > 0)
        return {tr("%1 still holds the lock, at depth %2.").arg(m_name, QString::number(e.depth)), {}};
    return {tr("%1 has released: the server confirmed that %2 is deleted.")
                .arg(m_name, format::sequenceNumber(e.node)),
            tr("It was given back at the moment of the delete, not of this reply.")};
}

Explanation EventExplainer::operator()(const trace::HoldLost& e) const
{
    const QString late =
        m_row && m_row->staleFor > Duration::zero()
            ? tr("It believed so for %1 after the server had dropped it.")
                  .arg(format::duration(m_row->staleFor))
            : tr("Until now it believed that it held; a checked token keeps such a client out.");
    switch (e.reason) {
    case trace::LostReason::sessionExpired:
        return {tr("%1 learned that it does not hold any more: its session expired.").arg(m_name), late};
    case trace::LostReason::sessionKilled:
        return {tr("%1 learned that it does not hold any more: its session was killed.").arg(m_name), late};
    case trace::LostReason::sessionTimedOut:
        return {tr("%1 gave up its hold: no word from ZooKeeper for a whole timeout.").arg(m_name),
                tr("It cannot know whether its node is still there, so it must not go on.")};
    case trace::LostReason::nodeDeleted:
        return {tr("%1 does not hold any more: somebody deleted its node %2.")
                    .arg(m_name, format::sequenceNumber(e.node)),
                late};
    case trace::LostReason::closed:
        break;
    }
    return {tr("%1 does not hold any more: its session was closed.").arg(m_name), {}};
}

} // namespace lockscope::ui
