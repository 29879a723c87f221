#include "core/lock/acquire_op.h"

namespace lockscope::lock {

AcquireOp::AcquireOp(std::shared_ptr<QueueCore> core, OwnerId owner, EventIndex called,
                     std::optional<Duration> limit, Cancel cancel)
    : m_core(std::move(core))
    , m_wire(m_core->wire)
    , m_owner(owner)
    , m_control(m_wire.sessionPtr(), limit, cancel, m_core->options.gate)
    , m_digits(m_core->numberOf ? m_core->numberOf(owner) : std::nullopt)
    , m_node(m_control, m_wire, wish(), m_core->options.flaws)
{
    m_core->acquiring[owner] = this;
    m_control.setCause(called);
}

AcquireOp::~AcquireOp() { m_core->acquiring.erase(m_owner); }

ProtectedNode::Wish AcquireOp::wish()
{
    ProtectedNode::Wish wish{m_wire.naming().lockName, m_core->options.nodeData};
    if (m_digits) {
        wish.lockName += *m_digits;
        wish.mode = zk::CreateMode::ephemeral;
    }
    wish.before = [this] { sendListAhead(); };
    wish.after = [this] { sendListWithCreate(); };
    return wish;
}

zk::Awaitable<std::optional<Error>> AcquireOp::run()
{
    zk::Scheduler& scheduler = m_control.session().scheduler();
    Retry retry(m_core->options.retry, m_control.cause().value, scheduler.now());
    for (bool first = true;; first = false) {
        const Next next = co_await attempt(first);
        if (next == Next::go) {
            m_core->alone = !m_contended;
            co_return std::nullopt;
        }
        // Every way out without the lock: no node of ours may stay in the queue.
        m_aheadWatch.reset();
        m_ownWatch.reset();
        co_await m_node.giveUp();
        if (m_control.stopped()) {
            co_return m_control.stopError(m_wire.path());
        }
        if (next == Next::failed) {
            co_return m_control.error();
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
        *m_seen = Seen{};
        co_await m_control.rest(*pause);
    }
}

zk::Awaitable<Next> AcquireOp::attempt(bool first)
{
    m_listSent.reset();
    const bool search = first && !m_core->options.keptGuid.empty() && !m_core->keptGuidUsed;
    const Next made = co_await m_node.make(m_core->nextGuid(), search);
    if (made != Next::go)
        co_return made;
    const Next next = co_await queueUp();
    co_return next == Next::go&& m_control.stopped() ? Next::failed : next;
}

// ---- the list that goes out with the create: one round trip for both
// -------------------------------------------------
//
// After the create: the session is a FIFO, so the list is read when the create was applied, and it decides.
// Ahead of the create: it does not have to wait behind the write, so an uncontended acquire takes as long as
// the bare create. It decides only when nobody came in between: the parent's number of creates, read with the
// list, is then the number that the new node gets (ZooKeeper numbers by that count). Else the queue is listed
// again, which costs a round trip; so it is done where the last acquire met nobody.

void AcquireOp::sendListAhead()
{
    m_listSent.reset();
    m_listIsAhead = m_core->alone && !m_digits;
    if (!m_listIsAhead || !m_control.gateOpen())
        return;
    m_listSent.emplace();
    const auto reduce = [naming = m_wire.naming(), rule = m_core->rule](zk::ChildNames names,
                                                                        const Listed& listed) {
        return decideAhead(names, sequenceText(listed.creates), naming, rule);
    };
    m_wire.list(reduce, false, m_control.deliver(*m_listSent), m_control.cause());
}

void AcquireOp::sendListWithCreate()
{
    if (m_listIsAhead || !m_control.gateOpen())
        return;
    m_listSent.emplace();
    m_wire.list(m_node.prefix(), m_core->rule, true, m_control.deliver(*m_listSent), m_control.cause());
}

} // namespace lockscope::lock
