#include "core/lock/internal/acquire_op.h"

namespace lockscope::lock {

AcquireOp::AcquireOp(std::shared_ptr<QueueCore> core, OwnerId owner, EventIndex called,
                     std::optional<Duration> limit, CancelToken cancel)
    : m_core(std::move(core))
    , m_nodeClient(m_core->nodeClient)
    , m_owner(owner)
    , m_control(m_nodeClient.sessionPtr(), limit, cancel, m_core->gate, m_core->options.timeouts)
    , m_inheritedPosition(m_core->findInheritedPosition ? m_core->findInheritedPosition(owner) : std::nullopt)
    , m_node(m_control, m_nodeClient, nodeSpec())
{
    m_core->acquiring[owner] = this;
    m_control.setCause(called);
    if (m_control.isGateOpen())
        m_lastUncontended = std::exchange(m_core->lastUncontended, std::nullopt);
}

AcquireOp::~AcquireOp()
{
    if (!m_over)
        m_core->acquiring.erase(m_owner);
}

Hold AcquireOp::takeHold()
{
    m_core->acquiring.erase(m_owner);
    m_over = true;
    const std::int32_t number = isUncontended() ? m_node.number().value_or(-1) : -1;
    return Hold{m_node.takeName(), token(), 1, number, m_nodeClient.sink().now()};
}

ProtectedNode::NodeSpec AcquireOp::nodeSpec()
{
    ProtectedNode::NodeSpec nodeSpec{m_nodeClient.naming().lockName, m_core->options.nodeData};
    if (m_inheritedPosition) {
        nodeSpec.lockName += m_inheritedPosition->digits;
        nodeSpec.mode = zk::CreateMode::ephemeral;
    }
    nodeSpec.afterCreate = [this] { sendListWithCreate(); };
    return nodeSpec;
}

bool AcquireOp::begin()
{
    m_begun = m_control.isGateOpen() && !m_control.stopped() && !mustSearchFirst();
    if (m_begun)
        m_node.send(m_core->newPrefix());
    return m_begun;
}

bool AcquireOp::wasGrantedUncontended()
{
    if (!m_begun || !m_node.takeReply() || !m_control.isGateOpen() || m_control.stopped() ||
        !followsLastUncontended())
        return false;
    grantUncontended();
    return true;
}

zk::Task<Result<Hold>> AcquireOp::run()
{
    zk::Scheduler& scheduler = m_control.session().scheduler();
    Retry retry(m_core->options.retry, scheduler.now());
    for (;;) {
        const StepResult next = co_await attempt();
        if (next == StepResult::proceed) {
            co_return takeHold();
        }
        // After an exit without the lock, none of our nodes may stay in the queue.
        m_predecessorWatch.reset();
        m_ownWatch.reset();
        CleanUp cleanUp(m_control);
        const std::shared_ptr<Refusal> refusal = askWhoIsAhead(cleanUp);
        m_node.giveUp(cleanUp);
        const std::optional<Error> undeleted = co_await cleanUp.finish();
        if (m_control.stopped() || next == StepResult::failed) {
            Error failure = m_control.failure(m_nodeClient.path());
            if (refusal)
                failure = m_core->refusals.keep(m_owner, std::move(failure), *refusal);
            co_return withCleanUpError(std::move(failure), undeleted);
        }
        if (undeleted) {
            co_return *undeleted; // another attempt would wait behind that node
        }
        const std::optional<Duration> pause = retry.next(m_control.pauseSeed(m_owner), scheduler.now());
        if (!pause) {
            const Message tries =
                retry.retries() == 0 ? message("one try") : message("%1 tries", retry.retries() + 1);
            co_return Error{ErrorCode::internal,
                            message("The lock %1 was not acquired in %2: %3.", m_nodeClient.path(), tries,
                                    m_control.startOverReason()),
                            message("Find out which program deletes or changes the nodes under this path.")};
        }
        m_control.setCause(m_nodeClient.sink().record(
            event::StartedOver{m_node.prefix(), m_control.startOverReason()}, m_control.cause()));
        m_watchState.reset();
        m_lastUncontended.reset();
        co_await m_control.pauseFor(*pause);
    }
}

// Together with the delete of our own node: a session is a FIFO, so the list comes first.
std::shared_ptr<Refusal> AcquireOp::askWhoIsAhead(CleanUp& cleanUp)
{
    const bool connected = m_control.session().phase() == zk::SessionPhase::connected;
    if (!m_core->refusals.wanted || !m_control.isTimedOut() || !connected || m_node.name().empty())
        return nullptr;
    auto refusal = std::make_shared<Refusal>();
    cleanUp.start(m_nodeClient, askWhoHolds(m_nodeClient, m_core->rule, m_node.name(), refusal));
    return refusal;
}

bool AcquireOp::mustSearchFirst() const
{
    const LockOptions& options = m_core->options;
    return !options.keptGuid.empty() && !m_core->keptGuidUsed;
}

zk::Task<StepResult> AcquireOp::attempt()
{
    StepResult next = StepResult::proceed;
    if (std::exchange(m_begun, false)) {
        next = co_await m_node.finish();
    } else {
        m_listSent.reset();
        const bool search = mustSearchFirst();
        next = co_await m_node.make(m_core->newPrefix(), search);
    }
    if (next != StepResult::proceed)
        co_return next;
    if (followsLastUncontended()) {
        grantUncontended();
        if (!m_control.isGateOpen())
            co_await m_control.pass(GateStep::decide);
    } else {
        next = co_await queueUp();
    }
    if (next == StepResult::proceed && !m_control.isGateOpen())
        co_await m_control.pass(GateStep::acquired);
    co_return next == StepResult::proceed&& m_control.stopped() ? StepResult::failed : next;
}

// ---- the list ----------------------------------------------------------------------------------------
//
// The list is sent together with the create, in one round trip: a session is a FIFO, so the list is read
// after the create was applied.
//
// No list is needed when our last node was the only one and is deleted, and the new node has the next number:
// ZooKeeper counts the creates under the path, so no node was created in between. An uncontended cycle is
// then a create and a delete. The limit of this rule: a container that was reaped and created again counts
// from zero, so a foreign node may have number k and ours k + 1. That takes at least k + 5 transactions: our
// delete, the delete and create of the container, k + 1 creates and ours. With fewer transactions between our
// two creates it cannot have happened.

bool AcquireOp::followsLastUncontended() const
{
    if (!m_lastUncontended || m_inheritedPosition)
        return false;
    const std::int64_t last = m_lastUncontended->number;
    const std::int64_t number = m_node.number().value_or(-1);
    return last >= 0 && number == last + 1 &&
           m_node.token().value - m_lastUncontended->czxid.value < last + 5;
}

void AcquireOp::grantUncontended()
{
    m_decision = Decision{true, {}, 0, 1, {}};
    m_control.setCause(m_nodeClient.sink().record(event::Queued{m_node.name(), 0, 1, {}}, m_control.cause()));
}

void AcquireOp::sendListWithCreate()
{
    m_listSent.reset();
    if (m_lastUncontended || !m_control.isGateOpen())
        return;
    m_listSent.emplace();
    m_nodeClient.list(m_node.prefix(), m_core->rule, true, m_control.deliver(*m_listSent), m_control.cause());
}

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
            event::Queued{m_node.name(), decision.position, decision.count, decision.predecessor},
            m_control.cause()));
        co_await m_control.pass(GateStep::decide);
        if (decision.position == 0) {
            m_contended = m_contended || decision.count > 1;
            co_return m_control.stopped() ? StepResult::failed : StepResult::proceed;
        }
        m_contended = true;
        if (m_control.isSingleTry())
            m_control.stop(ErrorCode::timedOut);
        if (m_control.stopped())
            co_return StepResult::failed;
        const StepResult next = co_await waitForPredecessor();
        if (next != StepResult::repeat)
            co_return next;
    }
}

// proceed: m_decision holds the decision for the list.
zk::Task<StepResult> AcquireOp::listOnce()
{
    m_lastUncontended.reset();
    if (!m_listSent) {
        co_await m_control.pass(GateStep::list);
        if (m_control.stopped())
            co_return StepResult::failed;
        m_listSent.emplace();
        m_nodeClient.list(m_node.name(), m_core->rule, false, m_control.deliver(*m_listSent),
                          m_control.cause());
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
        // A list that was sent with the create matches only the prefix. A kept prefix may also match a node
        // that an old session created late; then the first match is not our node.
        if (answer.value.decision.own != m_node.name())
            return StepResult::repeat;
        m_decision = answer.value.decision;
        return StepResult::proceed;
    }
    if (code == zk::Code::ok || code == zk::Code::noNode) {
        m_node.forget(); // nothing to delete
        return m_control.startOver(message("the own node is missing from the queue"));
    }
    if (zk::isFinal(code))
        return m_control.failRequest(code, message("list the children of %1", m_nodeClient.path()),
                                     m_nodeClient.path(), "read");
    return m_control.startOver(message("listing the children failed (%1)", describe(code)));
}

// Sleeps until the predecessor is deleted.
//
// Announced handoff: a node that was first stays first until it is deleted, because later nodes sort behind
// it. So when the predecessor is known to have been first (its data announced it, or we were second in a
// list), its deletion leaves no node ahead of ours and no list is needed. Three races limit this:
// - Our own node is deleted while we sleep. The reply that the watch on it is set came before the deletion of
//   the predecessor, so the watch fires first: the events of a session come in zxid order. Then the lock is
//   not ours.
// - Our own node is written to, or the reply to its watch is lost. Then no watch is set, its deletion would
//   go unnoticed, and two clients would take the lock when the holder releases it. List again.
// - The connection was interrupted. Events may have been missed and watches were set again. List again.
// While the predecessor itself waits, a watch on our own node is of no use and is not set.
zk::Task<StepResult> AcquireOp::waitForPredecessor()
{
    co_await m_control.pass(GateStep::watch);
    if (m_control.stopped())
        co_return StepResult::failed;
    if (!m_watchState)
        m_watchState = makeRecycled<WatchState>();
    const std::uint64_t suspensions = m_control.suspensions();
    const bool announced = m_core->options.handoff == HandoffPolicy::announced;
    bool predecessorIsFirst = m_decision.position == 1;
    for (bool changed = false;; changed = true) {
        if (announced && (predecessorIsFirst || changed))
            watchOwnNode(); // together with the read: a change is nearly always an announcement
        m_watchState->fired.reset();
        const StepResult read = co_await readPredecessor(predecessorIsFirst);
        if (read != StepResult::proceed)
            co_return read;
        if (announced && predecessorIsFirst)
            watchOwnNode();
        co_await m_control.pass(GateStep::sleep);
        while (!m_control.stopped() && !m_watchState->fired && m_control.suspensions() == suspensions)
            co_await m_control.woken();
        co_await m_control.pass(GateStep::woken);
        if (m_control.suspensions() != suspensions)
            co_await m_control.waitUntilConnectedOrStopped();
        if (m_control.stopped())
            co_return StepResult::failed;
        if (m_control.suspensions() != suspensions)
            co_return StepResult::repeat; // our view is out of date
        m_control.setCause(m_watchState->firedEvent);
        if (!announced || m_watchState->ownDeleted)
            co_return StepResult::repeat;
        if (*m_watchState->fired == zk::WatchKind::deleted) {
            const bool certain = predecessorIsFirst && m_watchState->ownWatched;
            co_return certain ? StepResult::proceed : StepResult::repeat;
        }
        // The data changed: an announcement, or foreign data. Read it and watch again.
    }
}

// proceed: the watch on the predecessor is set.
zk::Task<StepResult> AcquireOp::readPredecessor(bool& predecessorIsFirst)
{
    std::string bytes;
    const zk::Code code = co_await watchPredecessor(bytes);
    if (m_control.stopped())
        co_return StepResult::failed;
    if (code == zk::Code::ok) {
        predecessorIsFirst = predecessorIsFirst || isAnnouncement(bytes);
        co_return StepResult::proceed;
    }
    if (code == zk::Code::unknown)
        co_await m_control.waitUntilConnectedOrStopped();
    if (m_control.stopped())
        co_return StepResult::failed;
    if (code == zk::Code::noNode || code == zk::Code::unknown)
        co_return StepResult::repeat; // it was deleted between the list and the watch
    if (zk::isFinal(code)) {
        const std::string node = m_nodeClient.path() + "/" + m_decision.predecessor;
        co_return m_control.failRequest(code, message("read the node %1", node), node, "read");
    }
    co_return m_control.startOver(message("watching the node ahead failed (%1)", describe(code)));
}

// Sets the watch with getData, which leaves no watch behind on a deleted node (CURATOR-107). Returns closed
// when the operation is stopped before the answer.
zk::Task<zk::Code> AcquireOp::watchPredecessor(std::string& bytes)
{
    const auto fired = [seen = m_watchState, shared = m_control.shared()](zk::WatchKind kind,
                                                                          EventIndex event) {
        seen->fired = kind;
        seen->firedEvent = event;
        shared->wake.notify();
    };
    zk::Pending<Answer<zk::Data>> read;
    m_predecessorWatch =
        m_nodeClient.watch(m_decision.predecessor, fired, m_control.deliver(read), m_control.cause());
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
    if (m_watchState->ownAsked)
        return;
    m_watchState->ownAsked = true;
    m_ownWatch = m_nodeClient.watch(
        m_node.name(),
        [seen = m_watchState, shared = m_control.shared()](zk::WatchKind kind, EventIndex) {
            seen->ownAsked = false;
            seen->ownWatched = false;
            if (kind == zk::WatchKind::deleted)
                seen->ownDeleted = true;
            shared->wake.notify();
        },
        [seen = m_watchState](const Answer<zk::Data>& answer) {
            seen->ownWatched = answer.value.code == zk::Code::ok;
            seen->ownAsked = seen->ownWatched;
            if (answer.value.code == zk::Code::noNode)
                seen->ownDeleted = true;
        },
        m_control.cause());
}

} // namespace lockscope::lock
