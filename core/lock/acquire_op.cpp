#include "core/lock/acquire_op.h"

namespace lockscope::lock {

AcquireOp::AcquireOp(std::shared_ptr<QueueCore> core, OwnerId owner, EventIndex called,
                     std::optional<Duration> limit, Cancel cancel)
    : m_core(std::move(core))
    , m_wire(m_core->wire)
    , m_owner(owner)
    , m_control(m_wire.sessionPtr(), limit, cancel, m_core->options.gate)
    , m_inherited(placeOf(owner))
    , m_node(m_control, m_wire, wish(), m_core->options.flaws)
{
    m_core->acquiring[owner] = this;
    m_control.setCause(called);
    if (m_control.gateOpen())
        m_lastAlone = std::exchange(m_core->lastAlone, std::nullopt);
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
    const std::int32_t number = alone() ? m_node.number().value_or(-1) : -1;
    return Hold{m_node.takeName(), token(), 1, number};
}

// An inherited place means that the owner holds the other side. Without Curator 5.5's mend it gets this side
// at once, too, but with a number of its own, behind writers that wait (CURATOR-621).
std::optional<InheritedPlace> AcquireOp::placeOf(OwnerId owner)
{
    std::optional<InheritedPlace> place = m_core->placeOf ? m_core->placeOf(owner) : std::nullopt;
    if (!m_core->options.flaws.oldDowngrade)
        return place;
    m_entitled = place.has_value();
    return std::nullopt;
}

ProtectedNode::Wish AcquireOp::wish()
{
    ProtectedNode::Wish wish{m_wire.naming().lockName, m_core->options.nodeData};
    if (m_inherited) {
        wish.lockName += m_inherited->digits;
        wish.mode = zk::CreateMode::ephemeral;
    }
    wish.after = [this] { sendListWithCreate(); };
    return wish;
}

bool AcquireOp::begin()
{
    m_begun = m_control.gateOpen() && !m_control.stopped() && !searchesFirst();
    if (m_begun)
        m_node.send(newPrefix());
    return m_begun;
}

bool AcquireOp::tookAlone()
{
    if (!m_begun || !m_node.tookAnswer() || !m_control.gateOpen() || m_control.stopped() ||
        !followsLastAlone())
        return false;
    takeAlone();
    return true;
}

zk::Task<Result<Hold>> AcquireOp::run()
{
    zk::Scheduler& scheduler = m_control.session().scheduler();
    Retry retry(m_core->options.retry, m_control.cause().value, scheduler.now());
    for (;;) {
        const Next next = co_await attempt();
        if (next == Next::go) {
            co_return takeHold();
        }
        // Every way out without the lock: no node of ours may stay in the queue.
        m_aheadWatch.reset();
        m_ownWatch.reset();
        CleanUp cleanUp(m_control);
        m_node.giveUp(cleanUp);
        const std::optional<Error> stays = co_await cleanUp.finish();
        if (m_control.stopped() || next == Next::failed) {
            co_return withRest(m_control.failure(m_wire.path()), stays);
        }
        if (stays) {
            co_return *stays; // another attempt would wait behind that node
        }
        const std::optional<Duration> pause = retry.next(scheduler.now());
        if (!pause) {
            const std::string tries =
                retry.tries() == 0 ? "one try" : std::to_string(retry.tries() + 1) + " tries";
            co_return Error{ErrorCode::internal,
                            "The lock " + m_wire.path() + " was not acquired in " + tries + ": " +
                                m_control.why() + ".",
                            "See what happens to its children."};
        }
        m_control.setCause(
            m_wire.sink().record(trace::StartedOver{m_node.prefix(), m_control.why()}, m_control.cause()));
        m_seen.reset();
        m_lastAlone.reset();
        co_await m_control.rest(*pause);
    }
}

bool AcquireOp::searchesFirst() const
{
    const LockOptions& options = m_core->options;
    return !options.keptGuid.empty() && !m_core->keptGuidUsed && !options.flaws.noGuidSearch;
}

// Without protection the node's name says nothing about its owner.
std::string AcquireOp::newPrefix()
{
    return m_core->options.flaws.noGuidSearch ? std::string() : m_core->newPrefix();
}

zk::Task<Next> AcquireOp::attempt()
{
    Next next = Next::go;
    if (std::exchange(m_begun, false)) {
        next = co_await m_node.finish();
    } else {
        m_listSent.reset();
        const bool search = searchesFirst();
        next = co_await m_node.make(newPrefix(), search);
    }
    if (next != Next::go)
        co_return next;
    if (followsLastAlone()) {
        takeAlone();
        if (!m_control.gateOpen())
            co_await m_control.pass(Step::decide);
    } else if (!m_entitled) {
        next = co_await queueUp();
    }
    if (next == Next::go && !m_control.gateOpen())
        co_await m_control.pass(Step::acquired);
    co_return next == Next::go&& m_control.stopped() ? Next::failed : next;
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

bool AcquireOp::followsLastAlone() const
{
    if (!m_lastAlone || m_inherited)
        return false;
    const std::int64_t last = m_lastAlone->number;
    const std::int64_t number = m_node.number().value_or(-1);
    return last >= 0 && number == last + 1 && m_node.token().value - m_lastAlone->czxid.value < last + 5;
}

void AcquireOp::takeAlone()
{
    m_decision = Decision{true, {}, 0, 1, {}};
    m_control.setCause(m_wire.sink().record(trace::Decided{m_node.name(), 0, 1, {}}, m_control.cause()));
}

void AcquireOp::sendListWithCreate()
{
    m_listSent.reset();
    if (m_entitled || m_lastAlone || m_node.prefix().empty() || !m_control.gateOpen())
        return;
    m_listSent.emplace();
    m_wire.list(m_node.prefix(), m_core->rule, true, m_control.deliver(*m_listSent), m_control.cause());
}

} // namespace lockscope::lock
