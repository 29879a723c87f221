// The queue part of an acquire: list, decide, watch the node ahead, sleep, and again.
#include "core/lock/acquire_op.h"

namespace lockscope::lock {

zk::Task<StepResult> AcquireOp::queueUp()
{
    for (;;) {
        const StepResult listed = co_await listOnce();
        if (listed == StepResult::repeat)
            continue;
        if (listed != StepResult::proceed)
            co_return listed;
        const Decision& decision = m_decision;
        m_control.setCause(m_nodeClient.sink().record(
            trace::Decided{m_node.name(), decision.position, decision.count, decision.predecessor},
            m_control.cause()));
        co_await m_control.pass(Step::decide);
        if (decision.position == 0) {
            m_contended = m_contended || decision.count > 1;
            co_return m_control.stopped() ? StepResult::failed : StepResult::proceed;
        }
        m_contended = true;
        if (m_control.once())
            m_control.stop(ErrorCode::timedOut);
        if (m_control.stopped())
            co_return StepResult::failed;
        const StepResult next = co_await waitForPredecessor();
        if (next != StepResult::repeat)
            co_return next;
    }
}

// Next::go here: m_decision is what the list says.
zk::Task<StepResult> AcquireOp::listOnce()
{
    m_lastUncontended.reset();
    if (!m_listSent) {
        co_await m_control.pass(Step::list);
        if (m_control.stopped())
            co_return StepResult::failed;
        m_listSent.emplace();
        m_nodeClient.list(m_node.name(), m_core->rule, false, m_control.deliver(*m_listSent), m_control.cause());
    }
    const zk::Pending<Answer<ListResult>> sent = *m_listSent;
    co_await m_control.answered(sent);
    m_listSent.reset();
    if (!sent.ready())
        co_return StepResult::failed;
    const Answer<ListResult> answer = sent.take();
    m_control.setCause(answer.event);
    if (answer.value.code == zk::Code::unknown) {
        co_await m_control.waitUntilConnectedOrStopped();
        co_return m_control.stopped() ? StepResult::failed : StepResult::repeat;
    }
    co_return acceptList(answer);
}

StepResult AcquireOp::acceptList(const Answer<ListResult>& answer)
{
    const zk::Code code = answer.value.code;
    if (code == zk::Code::ok && answer.value.decision.found) {
        // The list that went out with the create knew the prefix alone. One that was kept has an old session,
        // and what that sent may arrive late: then the first node with the prefix is not ours.
        if (answer.value.decision.own != m_node.name())
            return StepResult::repeat;
        m_decision = answer.value.decision;
        return StepResult::proceed;
    }
    if (code == zk::Code::ok || code == zk::Code::noNode) {
        m_node.forget(); // there is nothing to delete
        return m_control.startOver(message("the own node is missing from the queue"));
    }
    if (zk::isFinal(code))
        return m_control.failRequest(code, message("list the children of %1", m_nodeClient.path()), m_nodeClient.path(), "read");
    return m_control.startOver(message("listing the children failed, %1", describe(code)));
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
zk::Task<StepResult> AcquireOp::waitForPredecessor()
{
    co_await m_control.pass(Step::watch);
    if (m_control.stopped())
        co_return StepResult::failed;
    if (!m_watchState)
        m_watchState = makeRecycled<WatchState>();
    const std::uint64_t suspensions = m_control.suspensions();
    const bool announced = m_core->options.handoff == HandoffPolicy::announced;
    bool predecessorIsFirst = m_decision.position == 1;
    if (m_core->options.bugs.announcesEarly)
        m_nodeClient.write(
            m_node.name(), kAnnouncement, [](const Answer<zk::StatReply>&) {}, m_control.cause());
    for (;;) {
        if (announced && !m_watchState->ownWatched)
            watchOwnNode();
        m_watchState->fired.reset();
        const StepResult read = co_await readPredecessor(predecessorIsFirst);
        if (read != StepResult::proceed)
            co_return read;
        co_await m_control.pass(Step::sleep);
        while (!m_control.stopped() && !m_watchState->fired && m_control.suspensions() == suspensions)
            co_await m_control.woken();
        co_await m_control.pass(Step::woken);
        if (m_control.suspensions() != suspensions)
            co_await m_control.waitUntilConnectedOrStopped();
        if (m_control.stopped())
            co_return StepResult::failed;
        if (m_control.suspensions() != suspensions)
            co_return StepResult::repeat; // what we knew is old (kazoo PR 170)
        m_control.setCause(m_watchState->firedEvent);
        if (!announced || !m_watchState->ownWatched || m_watchState->ownDeleted)
            co_return StepResult::repeat;
        if (*m_watchState->fired == zk::WatchKind::deleted)
            co_return predecessorIsFirst ? StepResult::proceed : StepResult::repeat;
        // Its data changed: an announcement, or somebody's message. Read it and watch again.
    }
}

// Next::go here: the watch on the node ahead is set.
zk::Task<StepResult> AcquireOp::readPredecessor(bool& predecessorIsFirst)
{
    std::string bytes;
    const zk::Code code = co_await watchPredecessor(bytes);
    if (m_control.stopped())
        co_return StepResult::failed;
    if (code == zk::Code::ok) {
        predecessorIsFirst = predecessorIsFirst || bytes == kAnnouncement;
        co_return StepResult::proceed;
    }
    if (code == zk::Code::unknown)
        co_await m_control.waitUntilConnectedOrStopped();
    if (m_control.stopped())
        co_return StepResult::failed;
    if (code == zk::Code::noNode || code == zk::Code::unknown)
        co_return StepResult::repeat; // it went between the list and the watch
    if (zk::isFinal(code)) {
        const std::string node = m_nodeClient.path() + "/" + m_decision.predecessor;
        co_return m_control.failRequest(code, message("read the node %1", node), node, "read");
    }
    co_return m_control.startOver(message("watching the node ahead failed, %1", describe(code)));
}

// Sets the watch with getData: on a node that is gone it leaves no watch behind (CURATOR-107). Without an
// answer the operation is stopped.
zk::Task<zk::Code> AcquireOp::watchPredecessor(std::string& bytes)
{
    const auto fired = [seen = m_watchState, shared = m_control.shared()](zk::WatchKind kind, EventIndex event) {
        seen->fired = kind;
        seen->firedEvent = event;
        shared->wake.notify();
    };
    if (m_core->options.bugs.existsInsteadOfGet) {
        zk::Pending<Answer<zk::StatReply>> looked;
        m_predecessorWatch =
            m_nodeClient.watchWithExists(m_decision.predecessor, fired, m_control.deliver(looked), m_control.cause());
        co_await m_control.answered(looked);
        const bool seen = looked.ready();
        if (!seen)
            co_return zk::Code::closed;
        const Answer<zk::StatReply> answer = looked.take();
        m_control.setCause(answer.event);
        co_return answer.value.code;
    }
    zk::Pending<Answer<zk::Data>> read;
    m_predecessorWatch = m_nodeClient.watch(m_decision.predecessor, fired, m_control.deliver(read), m_control.cause());
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
    m_ownWatch = m_nodeClient.watch(
        m_node.name(),
        [seen = m_watchState, shared = m_control.shared()](zk::WatchKind kind, EventIndex) {
            seen->ownWatched = false;
            if (kind == zk::WatchKind::deleted)
                seen->ownDeleted = true;
            shared->wake.notify();
        },
        [seen = m_watchState](const Answer<zk::Data>& answer) {
            seen->ownWatched = answer.value.code == zk::Code::ok;
            if (answer.value.code == zk::Code::noNode)
                seen->ownDeleted = true;
        },
        m_control.cause());
}

} // namespace lockscope::lock
