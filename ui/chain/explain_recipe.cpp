#include "ui/chain/explain_words.h"

#include "ui/models/format.h"

namespace lockscope::ui {

Explanation ExplainWords::operator()(const trace::AcquireCalled& e) const
{
    if (m_row && m_row->depth > 0)
        return {tr("%1 asks for the lock that it holds already.").arg(m_name),
                tr("It may enter again: only its own count will go up.")};
    const QString what = tr("%1 asks for the lock.").arg(m_name);
    const QString next = tr("It will create a numbered node and look who is in front.");
    if (e.timeout == kForever)
        return {what, next};
    return {what, tr("%1 It gives up after %2.").arg(next, format::duration(e.timeout))};
}

Explanation ExplainWords::operator()(const trace::Decided& e) const
{
    const QString own = format::sequenceNumber(e.node);
    if (e.position == 0)
        return {e.count > 1 ? tr("%1 is the first of %2 nodes, so %3 holds the lock.")
                                  .arg(own, format::count(e.count), m_name)
                            : tr("%1 is the only node, so %2 holds the lock.").arg(own, m_name),
                tr("Nobody can get in front of it: later nodes get higher numbers.")};
    const QString ahead = format::sequenceNumber(e.ahead);
    if (e.position == 1)
        return {tr("%1 is still in front, so %2 has to wait.").arg(ahead, m_name),
                tr("It will watch %1, which is directly in front of its own %2.").arg(ahead, own)};
    return {
        tr("%1 nodes are in front of %2's %3, so it has to wait.")
            .arg(format::count(e.position), m_name, own),
        tr("It will watch only %1, directly in front: when that goes, nobody else need wake.").arg(ahead)};
}

Explanation ExplainWords::operator()(const trace::Acquired& e) const
{
    const QString node = format::sequenceNumber(e.node);
    const QString token =
        tr("Its fencing token is %1; every later holder's is higher.").arg(format::zxid(e.token));
    const QString what = tr("%1 holds the lock: its node %2 is first.").arg(m_name, node);
    return {what, e.token.valid() ? token : QString()};
}

Explanation ExplainWords::operator()(const trace::Reentered& e) const
{
    return {tr("%1 took the lock again: depth %2.").arg(m_name, QString::number(e.depth)),
            tr("Only the client counts this; ZooKeeper hears nothing. It must release as often.")};
}

Explanation ExplainWords::operator()(const trace::AcquireFailed& e) const
{
    const QString detail = format::plain(e.detail);
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

Explanation ExplainWords::operator()(const trace::StartedOver& e) const
{
    const QString why = format::plain(e.why);
    return {e.node.empty() ? tr("%1 starts over with a new node.").arg(m_name)
                           : tr("%1 starts over: its node %2 is not in the list.")
                                 .arg(m_name, format::sequenceNumber(e.node)),
            why.isEmpty() ? tr("A new node goes to the end of the queue.") : why};
}

Explanation ExplainWords::operator()(const trace::ReleaseCalled& e) const
{
    if (e.depth > 1)
        return {tr("%1 gives back one of %2 levels and still holds.").arg(m_name, QString::number(e.depth)),
                tr("Only the last release deletes the node.")};
    return {tr("%1 releases the lock: it deletes its node %2.").arg(m_name, format::sequenceNumber(e.node)),
            tr("That fires the watch of the one client directly behind it.")};
}

Explanation ExplainWords::operator()(const trace::Released& e) const
{
    if (e.depth > 0)
        return {tr("%1 still holds the lock, at depth %2.").arg(m_name, QString::number(e.depth)), {}};
    return {tr("%1 has released: the server confirmed that %2 is deleted.")
                .arg(m_name, format::sequenceNumber(e.node)),
            tr("The lock was free from the moment of the delete, not from this reply on.")};
}

Explanation ExplainWords::operator()(const trace::HoldLost& e) const
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
