#include "core/lock/acquire_op.h"

namespace lockscope::lock {

AcquireOp::AcquireOp(std::shared_ptr<QueueCore> core, OwnerId owner, EventIndex called,
                     std::optional<Duration> limit, CancelToken cancel)
    : m_core(std::move(core))
    , m_nodeClient(m_core->nodeClient)
    , m_owner(owner)
    , m_control(m_nodeClient.sessionPtr(), limit, cancel, m_core->options.gate)
    , m_inheritedPosition(findInheritedPosition(owner))
    , m_node(m_control, m_nodeClient, nodeSpec(), m_core->options.bugs)
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
    return Hold{m_node.takeName(), token(), 1, number};
}

// An inherited place means that the owner holds the other side. Without Curator 5.5's mend it gets this side
// at once, too, but with a number of its own, behind writers that wait (CURATOR-621).
std::optional<InheritedPosition> AcquireOp::findInheritedPosition(OwnerId owner)
{
    std::optional<InheritedPosition> place = m_core->findInheritedPosition ? m_core->findInheritedPosition(owner) : std::nullopt;
    if (!m_core->options.bugs.oldDowngrade)
        return place;
    m_grantedByWriteLock = place.has_value();
    return std::nullopt;
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
        m_node.send(newPrefix());
    return m_begun;
}

bool AcquireOp::wasGrantedUncontended()
{
    if (!m_begun || !m_node.tookAnswer() || !m_control.isGateOpen() || m_control.stopped() ||
        !followsLastUncontended())
        return false;
    grantUncontended();
    return true;
}

zk::Task<Result<Hold>> AcquireOp::run()
{
    zk::Scheduler& scheduler = m_control.session().scheduler();
    Retry retry(m_core->options.retry, m_control.cause().value, scheduler.now());
    for (;;) {
        const StepResult next = co_await attempt();
        if (next == StepResult::proceed) {
            co_return takeHold();
        }
        // Every way out without the lock: no node of ours may stay in the queue.
        m_predecessorWatch.reset();
        m_ownWatch.reset();
        CleanUp cleanUp(m_control);
        m_node.giveUp(cleanUp);
        const std::optional<Error> undeleted = co_await cleanUp.finish();
        if (m_control.stopped() || next == StepResult::failed) {
            co_return withCleanUpError(m_control.failure(m_nodeClient.path()), undeleted);
        }
        if (undeleted) {
            co_return *undeleted; // another attempt would wait behind that node
        }
        const std::optional<Duration> pause = retry.next(scheduler.now());
        if (!pause) {
            const Message tries = retry.tries() == 0 ? message("one try") : message("%1 tries", retry.tries() + 1);
            co_return Error{ErrorCode::internal,
                            message("The lock %1 was not acquired in %2: %3.", m_nodeClient.path(), tries, m_control.why()),
                            message("See what happens to its children.")};
        }
        m_control.setCause(
            m_nodeClient.sink().record(trace::StartedOver{m_node.prefix(), m_control.why()}, m_control.cause()));
        m_watchState.reset();
        m_lastUncontended.reset();
        co_await m_control.pauseFor(*pause);
    }
}

bool AcquireOp::mustSearchFirst() const
{
    const LockOptions& options = m_core->options;
    return !options.keptGuid.empty() && !m_core->keptGuidUsed && !options.bugs.noGuidSearch;
}

// Without protection the node's name says nothing about its owner.
std::string AcquireOp::newPrefix()
{
    return m_core->options.bugs.noGuidSearch ? std::string() : m_core->newPrefix();
}

zk::Task<StepResult> AcquireOp::attempt()
{
    StepResult next = StepResult::proceed;
    if (std::exchange(m_begun, false)) {
        next = co_await m_node.finish();
    } else {
        m_listSent.reset();
        const bool search = mustSearchFirst();
        next = co_await m_node.make(newPrefix(), search);
    }
    if (next != StepResult::proceed)
        co_return next;
    if (followsLastUncontended()) {
        grantUncontended();
        if (!m_control.isGateOpen())
            co_await m_control.pass(Step::decide);
    } else if (!m_grantedByWriteLock) {
        next = co_await queueUp();
    }
    if (next == StepResult::proceed && !m_control.isGateOpen())
        co_await m_control.pass(Step::acquired);
    co_return next == StepResult::proceed&& m_control.stopped() ? StepResult::failed : next;
}

// ---- the list ----------------------------------------------------------------------------------------
//
// It goes out with the create, one round trip for both: the session is a FIFO, so it is read when the
// create was applied.
//
// No list is needed when our last node was the only one, is gone, and the new one has the next number:
// ZooKeeper numbers by the creates under the path, so nobody made a node in between. An uncontended cycle is
// then a create and a delete. What binds this: a container that was reaped and made again numbers from zero,
// so somebody else's node may be number k and ours k + 1. That takes our delete, the container's delete and
// create, k + 1 creates and ours: k + 5 transactions. With fewer between our two creates it did not happen.

bool AcquireOp::followsLastUncontended() const
{
    if (!m_lastUncontended || m_inheritedPosition)
        return false;
    const std::int64_t last = m_lastUncontended->number;
    const std::int64_t number = m_node.number().value_or(-1);
    return last >= 0 && number == last + 1 && m_node.token().value - m_lastUncontended->czxid.value < last + 5;
}

void AcquireOp::grantUncontended()
{
    m_decision = Decision{true, {}, 0, 1, {}};
    m_control.setCause(m_nodeClient.sink().record(trace::Decided{m_node.name(), 0, 1, {}}, m_control.cause()));
}

void AcquireOp::sendListWithCreate()
{
    m_listSent.reset();
    if (m_grantedByWriteLock || m_lastUncontended || m_node.prefix().empty() || !m_control.isGateOpen())
        return;
    m_listSent.emplace();
    m_nodeClient.list(m_node.prefix(), m_core->rule, true, m_control.deliver(*m_listSent), m_control.cause());
}

} // namespace lockscope::lock
