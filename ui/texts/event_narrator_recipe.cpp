#include "ui/texts/event_narrator.h"

#include "ui/texts/core_messages.h"
#include "ui/texts/next_step.h"
#include "ui/texts/outcome_text.h"
#include "ui/texts/watched_lock_text.h"

namespace lockscope::ui {

void EventNarrator::operator()(const trace::AcquireCalled& e)
{
    say(LogArrow::none, Tone::muted,
        //: in the log, a verb: a client asks for the lock
        e.timeout == kForever ? tr("acquire") : tr("acquire, at most %1").arg(format::duration(e.timeout)));
    if (!m_explains)
        return;
    if (m_row && m_row->depth > 0)
        return explain(tr("%1 asks for the lock that it holds already.").arg(m_name),
                       tr("It may enter again: only its own count will go up."));
    const QString what = tr("%1 asks for the lock.").arg(m_name);
    const QString next = firstStepText(m_state, m_event.lock);
    if (e.timeout == kForever)
        return explain(what, next);
    return explain(what, tr("%1 It gives up after %2.").arg(next, format::duration(e.timeout)));
}

void EventNarrator::operator()(const trace::Decided& e)
{
    const QString children = format::count(e.count);
    const QString place = format::count(quint64{e.position} + 1), behind = format::sequenceShort(e.ahead);
    if (e.position == 0)
        say(LogArrow::fromServer, Tone::plain, tr("first of %1").arg(children));
    else if (e.ahead.empty()) // a lease has no predecessor
        say(LogArrow::fromServer, Tone::plain, tr("%1 of %2").arg(place, children));
    else
        say(LogArrow::fromServer, Tone::plain, tr("%1 of %2, behind %3").arg(place, children, behind),
            {tr("%1 of %2, behind %3").arg(place, children, behind), tr("behind %1").arg(behind)});
    if (!m_explains)
        return;
    if (m_lock && m_lock->watched)
        return explain(tr("Node %1 of %2 is first in the server's queue: it is entitled to the lock.")
                           .arg(format::sequenceNumber(e.node), m_name),
                       watchedUnknownText());
    if (e.position == 0)
        return decidedAlone(e);
    const QString own = format::sequenceNumber(e.node), ahead = format::sequenceNumber(e.ahead);
    const QString count = format::count(e.position);
    if (m_role == LockRole::leases)
        return explain(tr("Too few leases are left, so %1 has to wait.").arg(m_name),
                       tr("It watches the list of leases, not one of them: any may come back."));
    const QString watch =
        m_role == LockRole::herdReadWrite
            ? tr("It watches the whole list: every change wakes it and all other waiters.")
        : e.position == 1 && !reads()
            ? tr("It will watch %1, which is directly in front of its own %2.").arg(ahead, own)
        : reads() ? tr("It will watch %1, a writer: other readers do not matter to it.").arg(ahead)
                  : tr("It will watch only %1, directly in front of it: when that node is deleted, no "
                       "other client has to wake up.")
                        .arg(ahead);
    if (e.position == 1)
        return explain(tr("%1 is still in front, so %2 has to wait.").arg(ahead, m_name), watch);
    return explain(reads()
                       ? tr("%1 writers are in front of %2's %3, so it has to wait.").arg(count, m_name, own)
                       : tr("%1 nodes are in front of %2's %3, so it has to wait.").arg(count, m_name, own),
                   watch);
}

void EventNarrator::operator()(const trace::Acquired& e)
{
    const QString phrase = tr("acquired, token %1").arg(format::zxid(e.token));
    //: short for "acquired, token 0x1f3": a client has got the lock
    say(LogArrow::gained, Tone::holds, phrase, {phrase, tr("acquired")});
    if (!m_explains)
        return;
    const QString node = format::sequenceNumber(e.node), token = format::zxid(e.token);
    if (m_role == LockRole::leases)
        return explain(tr("%1 has a lease: its node %2.").arg(m_name, node));
    if (m_role == LockRole::entrance)
        return explain(tr("%1 is first at the entrance with node %2.").arg(m_name, node),
                       tr("It can look for a lease now; no other client does meanwhile."));
    if (reads())
        return explain(
            tr("%1 holds the lock to read: no writer is in front of its node %2.").arg(m_name, node),
            e.token.valid() ? tr("Its fencing token is %1; every later writer's is higher.").arg(token)
                            : QString());
    return explain(m_role == LockRole::herd
                       ? tr("%1 holds the lock: it created the one node.").arg(m_name)
                       : tr("%1 holds the lock: its node %2 is first.").arg(m_name, node),
                   e.token.valid() ? tr("Its fencing token is %1; every later holder's is higher.").arg(token)
                                   : QString());
}

void EventNarrator::operator()(const trace::Reentered& e)
{
    say(LogArrow::gained, Tone::holds, tr("entered again, ×%1").arg(e.depth));
    if (!m_explains)
        return;
    return explain(tr("%1 took the lock again: depth %2.").arg(m_name, QString::number(e.depth)),
                   tr("Only the client counts this; ZooKeeper is not notified. The client must release "
                      "as often."));
}

void EventNarrator::operator()(const trace::AcquireFailed& e)
{
    const QString reason = outcomeText(e.reason), phrase = tr("not acquired: %1").arg(reason);
    say(LogArrow::fault, Tone::stale,
        e.detail.empty() ? phrase : phrase + QStringLiteral(", ") + translateMessage(e.detail, 120),
        {phrase, reason});
    if (!m_explains)
        return;
    static constexpr Said kRows[]{
        {QT_TRANSLATE_NOOP("Texts", "%1 reached its time limit and gave up."),
         QT_TRANSLATE_NOOP("Texts", "It deletes its node; the client that watched that node lists again.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 was asked to stop waiting."),
         QT_TRANSLATE_NOOP("Texts", "It deletes its node, so that no client waits for it.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 cannot get the lock: its session is lost."),
         QT_TRANSLATE_NOOP("Texts", "Its node and its place in the queue were lost with the session.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 gave up after its retries.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 failed to get the lock.")}};
    ofClient<trace::FailReason::error>(kRows, e.reason);
    if (!kRows[static_cast<std::size_t>(e.reason)].why)
        m_text.sentences.why = translateMessage(e.detail);
}

void EventNarrator::operator()(const trace::StartedOver& e)
{
    say(LogArrow::fault, Tone::stale, tr("starts over: %1").arg(translateMessage(e.why, 120)),
        {tr("starts over: %1").arg(translateMessage(e.why, 60)), tr("starts over")});
    if (!m_explains)
        return;
    const QString why = translateMessage(e.why);
    return explain(e.node.empty() ? tr("%1 starts over with a new node.").arg(m_name)
                                  : tr("%1 starts over: its node %2 is not in the list.")
                                        .arg(m_name, format::sequenceNumber(e.node)),
                   why.isEmpty() ? tr("A new node goes to the end of the queue.") : why);
}

void EventNarrator::operator()(const trace::ReleaseCalled& e)
{
    say(LogArrow::none, Tone::muted,
        e.depth > 1 ? tr("release, from ×%1").arg(e.depth)
                    : /*: in the log, a verb: a client begins to release the lock */ tr("release"));
    if (!m_explains)
        return;
    if (e.depth > 1)
        return explain(
            tr("%1 gives back one of %2 levels and still holds.").arg(m_name, QString::number(e.depth)),
            tr("Only the last release deletes the node."));
    const auto follows = [this] {
        switch (m_role) {
        case LockRole::herd:
            return tr("That wakes all clients that watch the node; one of them will acquire the lock.");
        case LockRole::herdReadWrite:
            return tr("That changes the list and wakes all clients that watch it.");
        case LockRole::leases:
            return tr("That changes the list of leases, which the first client at the entrance watches.");
        case LockRole::readWrite:
            return tr("That fires the watches of the clients that wait for this node: several readers, or a "
                      "writer.");
        case LockRole::entrance:
            return tr("The next client at the entrance is woken and looks for a lease.");
        default:
            return tr("That fires the watch of the one client directly behind it.");
        }
    };
    const QString node = format::sequenceNumber(e.node);
    return explain(m_role == LockRole::leases
                       ? tr("%1 gives its lease back: it deletes its node %2.").arg(m_name, node)
                   : m_role == LockRole::entrance
                       ? tr("%1 leaves the entrance: it deletes its node %2.").arg(m_name, node)
                       : tr("%1 releases the lock: it deletes its node %2.").arg(m_name, node),
                   follows());
}

void EventNarrator::operator()(const trace::Released& e)
{
    say(LogArrow::released, Tone::muted,
        e.depth > 0 ? tr("released to ×%1").arg(e.depth)
                    : /*: in the log: a client has released the lock */ tr("released"));
    if (!m_explains)
        return;
    if (e.depth > 0)
        return explain(tr("%1 still holds the lock, at depth %2.").arg(m_name, QString::number(e.depth)));
    return explain(tr("%1 has released: the server confirmed that %2 is deleted.")
                       .arg(m_name, format::sequenceNumber(e.node)),
                   tr("The release took effect with the delete, not with this reply."));
}

void EventNarrator::operator()(const trace::HoldLost& e)
{
    const QString phrase = tr("lost the lock: %1").arg(outcomeText(e.reason));
    say(LogArrow::fault, Tone::stale, phrase, {phrase, tr("lost the lock")});
    if (!m_explains)
        return;
    const QString late =
        m_row && m_row->staleFor > Duration::zero()
            ? tr("It still believed that it held for %1 after the server had deleted its node.")
                  .arg(format::duration(m_row->staleFor))
            : tr("Until now it believed that it held; a checked token keeps such a client out.");
    static constexpr Said kRows[]{
        {QT_TRANSLATE_NOOP("Texts", "%1 learned that it does not hold any more: its session expired.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 learned that it does not hold any more: its session was killed.")},
        {QT_TRANSLATE_NOOP("Texts",
                           "%1 gave up its hold: it heard nothing from ZooKeeper for a whole timeout."),
         QT_TRANSLATE_NOOP("Texts", "It cannot know whether its node is still there, so it must not "
                                    "continue.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 no longer holds the lock: its node %2 was deleted.")},
        {QT_TRANSLATE_NOOP("Texts", "%1 does not hold any more: its session was closed.")}};
    ofClient<trace::LostReason::closed>(kRows, e.reason, {format::sequenceNumber(e.node)});
    if (!kRows[static_cast<std::size_t>(e.reason)].why && e.reason != trace::LostReason::closed)
        m_text.sentences.why = late;
}

// A decision by which no node blocks the client.
void EventNarrator::decidedAlone(const trace::Decided& e)
{
    const QString own = format::sequenceNumber(e.node), count = format::count(e.count);
    switch (m_role) {
    case LockRole::leases:
        return explain(
            tr("%1 are out, and %2 is one of them: %3 may take its lease.").arg(count, own, m_name),
            tr("Only a limited number of leases may be out at once."));
    case LockRole::entrance:
        return explain(tr("%1 is the first at the entrance, so %2 may look for a lease.").arg(own, m_name),
                       tr("Only one looks at a time, so the leases go out in order."));
    case LockRole::readWrite:
    case LockRole::herdReadWrite:
        if (reads())
            return explain(tr("No writer is in front of %1, so %2 may read.").arg(own, m_name),
                           tr("Readers hold together; a writer that comes later waits for them."));
        break;
    default:
        break;
    }
    return explain(e.count > 1
                       ? tr("%1 is the first of %2 nodes, so %3 may take the lock.").arg(own, count, m_name)
                       : tr("%1 is the only node, so %2 may take the lock.").arg(own, m_name),
                   tr("No node can get in front of it: later nodes get higher numbers."));
}

} // namespace lockscope::ui
