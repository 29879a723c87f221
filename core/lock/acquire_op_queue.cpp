// The queue part of an acquire: list, decide, watch the node ahead, sleep, and again.
#include "core/lock/acquire_op_wait.h"
#include "core/lock/guaranteed_delete.h"

namespace lockscope::lock {

zk::Awaitable<void> giveUpInBackground(Wire wire, std::string node, bool known, EventIndex cause,
                                       UniqueFunction<void()> done)
{
    if (known)
        co_await deleteUntilGone(wire, node, cause);
    else
        co_await findAndDelete(wire, node, cause);
    done();
}

zk::Awaitable<AcquireOp::Next> AcquireOp::queueUp()
{
    for (;;) {
        const Next listed = co_await listOnce();
        if (listed == Next::listAgain)
            continue;
        if (listed != Next::acquired)
            co_return listed;
        const Decision& decision = m_decision;
        m_cause = m_wire.sink().record(
            trace::Decided{m_node, decision.position, decision.count, decision.ahead}, m_cause);
        co_await pass(Step::decide);
        if (decision.position == 0) {
            m_contended = m_contended || decision.count > 1;
            co_return stopped() ? Next::failed : Next::acquired;
        }
        m_contended = true;
        if (m_once)
            m_shared->stopped = ErrorCode::timedOut;
        if (stopped())
            co_return Next::failed;
        const Next next = co_await waitBehind();
        if (next != Next::listAgain)
            co_return next;
    }
}

// Next::acquired here: m_decision is what the list says.
zk::Awaitable<AcquireOp::Next> AcquireOp::listOnce()
{
    if (!m_listSent) {
        co_await pass(Step::list);
        if (stopped())
            co_return Next::failed;
        m_listSent.emplace();
        m_wire.list(m_node, false, deliver(*m_listSent), m_cause);
    }
    const zk::Pending<Answer<Listed>> sent = *m_listSent;
    const bool inTime = co_await answered(sent);
    m_listSent.reset();
    if (!inTime)
        co_return Next::failed;
    const Answer<Listed> answer = co_await sent.get();
    m_cause = answer.event;
    if (answer.value.code == zk::Code::unknown) {
        co_await untilBackOrStopped();
        co_return stopped() ? Next::failed : Next::listAgain;
    }
    if (answer.value.code == zk::Code::ok && answer.value.decision.found) {
        m_decision = answer.value.decision;
        co_return Next::acquired;
    }
    if (answer.value.code == zk::Code::ok || answer.value.code == zk::Code::noNode) {
        m_node.clear(); // there is nothing to delete
        co_return startOver("the own node is missing from the queue");
    }
    if (zk::isFinal(answer.value.code))
        co_return failFor(answer.value.code, "list the children of " + m_wire.path());
    co_return startOver("listing the children failed, " + std::string(describe(answer.value.code)));
}

// Sleeps until the node ahead goes.
//
// Announced handoff. A node that was first stays first until it goes, and nodes made later sort later. So when the
// node ahead is known to have been first (it said so in its data, or we were second in a list), its deletion leaves
// nobody in front of us and no list is needed. Three races bind this:
// - somebody deletes our own node while we sleep: the watch on it, set before the one ahead, fires first, because a
//   session's events come in zxid order; then it is not ours to take.
// - somebody writes into our own node, or the reply to that watch is lost: then no watch is on it, a deletion would go
//   unnoticed, a later node gets the lock when the holder goes, and so would we; list.
// - the connection was interrupted: events may have been missed and watches were set again; list.
zk::Awaitable<AcquireOp::Next> AcquireOp::waitBehind()
{
    co_await pass(Step::watch);
    if (stopped())
        co_return Next::failed;
    const std::uint64_t suspensions = m_shared->suspensions;
    const bool announced = m_core->options.handoff == HandoffPolicy::announced;
    bool aheadIsFirst = m_decision.position == 1;
    for (;;) {
        if (announced && !m_shared->ownWatched)
            watchOwnNode();
        m_shared->fired.reset();
        const Next read = co_await readAhead(aheadIsFirst);
        if (read != Next::acquired)
            co_return read;
        co_await pass(Step::sleep);
        while (!stopped() && !m_shared->fired && m_shared->suspensions == suspensions)
            co_await m_shared->wake.wait();
        if (m_shared->suspensions != suspensions)
            co_await untilBackOrStopped();
        if (stopped())
            co_return Next::failed;
        if (m_shared->suspensions != suspensions)
            co_return Next::listAgain; // what we knew is old (kazoo PR 170)
        m_cause = m_shared->firedEvent;
        if (!announced || !m_shared->ownWatched || m_shared->ownDeleted)
            co_return Next::listAgain;
        if (*m_shared->fired == zk::WatchKind::deleted)
            co_return aheadIsFirst ? Next::acquired : Next::listAgain;
        // Its data changed: an announcement, or somebody's message. Read it and watch again.
    }
}

// Sets the watch on the node ahead with getData: on a node that is gone it leaves no watch behind (CURATOR-107).
// Next::acquired here: the watch is set.
zk::Awaitable<AcquireOp::Next> AcquireOp::readAhead(bool& aheadIsFirst)
{
    zk::Pending<Answer<zk::Data>> read;
    m_aheadWatch = m_wire.watch(
        m_decision.ahead,
        [shared = m_shared](zk::WatchKind kind, EventIndex event) {
            shared->fired = kind;
            shared->firedEvent = event;
            shared->wake.notify();
        },
        deliver(read), m_cause);
    const bool inTime = co_await answered(read);
    if (!inTime)
        co_return Next::failed;
    const Answer<zk::Data> answer = co_await read.get();
    m_cause = answer.event;
    if (answer.value.code == zk::Code::ok) {
        aheadIsFirst = aheadIsFirst || answer.value.bytes == kAnnouncement;
        co_return Next::acquired;
    }
    if (answer.value.code == zk::Code::unknown)
        co_await untilBackOrStopped();
    if (stopped())
        co_return Next::failed;
    if (answer.value.code == zk::Code::noNode || answer.value.code == zk::Code::unknown)
        co_return Next::listAgain; // it went between the list and the watch
    if (zk::isFinal(answer.value.code))
        co_return failFor(answer.value.code, "read the node " + m_wire.path() + "/" + m_decision.ahead);
    co_return startOver("watching the node ahead failed, " + std::string(describe(answer.value.code)));
}

void AcquireOp::watchOwnNode()
{
    m_ownWatch = m_wire.watch(
        m_node,
        [shared = m_shared](zk::WatchKind kind, EventIndex) {
            shared->ownWatched = false;
            if (kind == zk::WatchKind::deleted)
                shared->ownDeleted = true;
            shared->wake.notify();
        },
        [shared = m_shared](const Answer<zk::Data>& answer) {
            shared->ownWatched = answer.value.code == zk::Code::ok;
            if (answer.value.code == zk::Code::noNode)
                shared->ownDeleted = true;
        },
        m_cause);
}

} // namespace lockscope::lock
