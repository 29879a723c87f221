// The queue part of an acquire: list, decide, watch the node ahead, sleep, and again.
#include "core/lock/acquire_op.h"

namespace lockscope::lock {

zk::Task<Next> AcquireOp::queueUp()
{
    for (;;) {
        const Next listed = co_await listOnce();
        if (listed == Next::again)
            continue;
        if (listed != Next::go)
            co_return listed;
        const Decision& decision = m_decision;
        m_control.setCause(m_wire.sink().record(
            trace::Decided{m_node.name(), decision.position, decision.count, decision.ahead},
            m_control.cause()));
        co_await m_control.pass(Step::decide);
        if (decision.position == 0) {
            m_contended = m_contended || decision.count > 1;
            co_return m_control.stopped() ? Next::failed : Next::go;
        }
        m_contended = true;
        if (m_control.once())
            m_control.stop(ErrorCode::timedOut);
        if (m_control.stopped())
            co_return Next::failed;
        const Next next = co_await waitBehind();
        if (next != Next::again)
            co_return next;
    }
}

// Next::go here: m_decision is what the list says.
zk::Task<Next> AcquireOp::listOnce()
{
    m_lastAlone.reset();
    if (!m_listSent) {
        co_await m_control.pass(Step::list);
        if (m_control.stopped())
            co_return Next::failed;
        m_listSent.emplace();
        m_wire.list(m_node.name(), m_core->rule, false, m_control.deliver(*m_listSent), m_control.cause());
    }
    const zk::Pending<Answer<Listed>> sent = *m_listSent;
    co_await m_control.answered(sent);
    m_listSent.reset();
    if (!sent.ready())
        co_return Next::failed;
    const Answer<Listed> answer = sent.take();
    m_control.setCause(answer.event);
    if (answer.value.code == zk::Code::unknown) {
        co_await m_control.untilBackOrStopped();
        co_return m_control.stopped() ? Next::failed : Next::again;
    }
    co_return takeList(answer);
}

Next AcquireOp::takeList(const Answer<Listed>& answer)
{
    const zk::Code code = answer.value.code;
    if (code == zk::Code::ok && answer.value.decision.found) {
        // The list that went out with the create knew the prefix alone. One that was kept has an old session,
        // and what that sent may arrive late: then the first node with the prefix is not ours.
        if (answer.value.decision.own != m_node.name())
            return Next::again;
        m_decision = answer.value.decision;
        return Next::go;
    }
    if (code == zk::Code::ok || code == zk::Code::noNode) {
        m_node.forget(); // there is nothing to delete
        return m_control.startOver("the own node is missing from the queue");
    }
    if (zk::isFinal(code))
        return m_control.failFor(code, "list the children of ", m_wire.path(), "read");
    return m_control.startOver("listing the children failed, " + std::string(describe(code)));
}

// Sleeps until the node ahead goes.
//
// Announced handoff. A node that was first stays first until it goes, and nodes made later sort later. So
// when the node ahead is known to have been first (it said so in its data, or we were second in a list), its
// deletion leaves nobody in front of us and no list is needed. Three races bind this:
// - somebody deletes our own node while we sleep: the watch on it, set before the one ahead, fires first,
// because a
//   session's events come in zxid order; then it is not ours to take.
// - somebody writes into our own node, or the reply to that watch is lost: then no watch is on it, a deletion
// would go
//   unnoticed, a later node gets the lock when the holder goes, and so would we; list.
// - the connection was interrupted: events may have been missed and watches were set again; list.
zk::Task<Next> AcquireOp::waitBehind()
{
    co_await m_control.pass(Step::watch);
    if (m_control.stopped())
        co_return Next::failed;
    if (!m_seen)
        m_seen = makeRecycled<Seen>();
    const std::uint64_t suspensions = m_control.suspensions();
    const bool announced = m_core->options.handoff == HandoffPolicy::announced;
    bool aheadIsFirst = m_decision.position == 1;
    if (m_core->options.flaws.announcesEarly)
        m_wire.write(
            m_node.name(), kAnnouncement, [](const Answer<zk::StatReply>&) {}, m_control.cause());
    for (;;) {
        if (announced && !m_seen->ownWatched)
            watchOwnNode();
        m_seen->fired.reset();
        const Next read = co_await readAhead(aheadIsFirst);
        if (read != Next::go)
            co_return read;
        co_await m_control.pass(Step::sleep);
        while (!m_control.stopped() && !m_seen->fired && m_control.suspensions() == suspensions)
            co_await m_control.woken();
        co_await m_control.pass(Step::woken);
        if (m_control.suspensions() != suspensions)
            co_await m_control.untilBackOrStopped();
        if (m_control.stopped())
            co_return Next::failed;
        if (m_control.suspensions() != suspensions)
            co_return Next::again; // what we knew is old (kazoo PR 170)
        m_control.setCause(m_seen->firedEvent);
        if (!announced || !m_seen->ownWatched || m_seen->ownDeleted)
            co_return Next::again;
        if (*m_seen->fired == zk::WatchKind::deleted)
            co_return aheadIsFirst ? Next::go : Next::again;
        // Its data changed: an announcement, or somebody's message. Read it and watch again.
    }
}

// Next::go here: the watch on the node ahead is set.
zk::Task<Next> AcquireOp::readAhead(bool& aheadIsFirst)
{
    std::string bytes;
    const zk::Code code = co_await watchAhead(bytes);
    if (m_control.stopped())
        co_return Next::failed;
    if (code == zk::Code::ok) {
        aheadIsFirst = aheadIsFirst || bytes == kAnnouncement;
        co_return Next::go;
    }
    if (code == zk::Code::unknown)
        co_await m_control.untilBackOrStopped();
    if (m_control.stopped())
        co_return Next::failed;
    if (code == zk::Code::noNode || code == zk::Code::unknown)
        co_return Next::again; // it went between the list and the watch
    if (zk::isFinal(code))
        co_return m_control.failFor(code, "read the node ", m_wire.path() + "/" + m_decision.ahead, "read");
    co_return m_control.startOver("watching the node ahead failed, " + std::string(describe(code)));
}

// Sets the watch with getData: on a node that is gone it leaves no watch behind (CURATOR-107). Without an
// answer the operation is stopped.
zk::Task<zk::Code> AcquireOp::watchAhead(std::string& bytes)
{
    const auto fired = [seen = m_seen, shared = m_control.shared()](zk::WatchKind kind, EventIndex event) {
        seen->fired = kind;
        seen->firedEvent = event;
        shared->wake.notify();
    };
    if (m_core->options.flaws.existsInsteadOfGet) {
        zk::Pending<Answer<zk::StatReply>> looked;
        m_aheadWatch =
            m_wire.watchWithExists(m_decision.ahead, fired, m_control.deliver(looked), m_control.cause());
        co_await m_control.answered(looked);
        const bool seen = looked.ready();
        if (!seen)
            co_return zk::Code::closed;
        const Answer<zk::StatReply> answer = looked.take();
        m_control.setCause(answer.event);
        co_return answer.value.code;
    }
    zk::Pending<Answer<zk::Data>> read;
    m_aheadWatch = m_wire.watch(m_decision.ahead, fired, m_control.deliver(read), m_control.cause());
    co_await m_control.answered(read);
    if (!read.ready())
        co_return zk::Code::closed;
    const Answer<zk::Data> answer = read.take();
    m_control.setCause(answer.event);
    bytes = answer.value.bytes;
    co_return answer.value.code;
}

void AcquireOp::watchOwnNode()
{
    m_ownWatch = m_wire.watch(
        m_node.name(),
        [seen = m_seen, shared = m_control.shared()](zk::WatchKind kind, EventIndex) {
            seen->ownWatched = false;
            if (kind == zk::WatchKind::deleted)
                seen->ownDeleted = true;
            shared->wake.notify();
        },
        [seen = m_seen](const Answer<zk::Data>& answer) {
            seen->ownWatched = answer.value.code == zk::Code::ok;
            if (answer.value.code == zk::Code::noNode)
                seen->ownDeleted = true;
        },
        m_control.cause());
}

} // namespace lockscope::lock
