// What a LeaseOp does inside the mutex: makes its nodes and waits until there are few enough.
#include "core/lock/lease_op.h"

#include <algorithm>

namespace lockscope::lock {

ProtectedNode::NodeSpec LeaseOp::nodeSpec(bool last)
{
    ProtectedNode::NodeSpec nodeSpec{m_nodeClient.naming().lockName, m_core->options.lock.nodeData};
    // The session is a FIFO: a list that goes out with the last create is read when all of them were applied.
    if (last)
        nodeSpec.afterCreate = [this] {
            if (m_control.isGateOpen())
                sendList(true);
        };
    return nodeSpec;
}

zk::Task<StepResult> LeaseOp::attempt()
{
    m_listSent.reset();
    m_nodes.clear();
    while (m_nodes.size() < m_count) {
        const bool last = m_nodes.size() + 1 == m_count;
        m_nodes.emplace_back(m_control, m_nodeClient, nodeSpec(last), m_core->options.lock.bugs);
        std::string prefix = NodeNaming::protectionPrefix(m_core->guids.next());
        const StepResult made = co_await m_nodes.back().make(std::move(prefix), false);
        if (made != StepResult::proceed)
            co_return made;
    }
    const StepResult next = co_await waitForLeases();
    co_return next == StepResult::proceed&& m_control.stopped() ? StepResult::failed : next;
}

// The first look is without a watch, which could not be taken back; one that says "no room" is followed by
// one with a watch, and that one counts: a lease that goes in between leaves no watch to tell of it.
zk::Task<StepResult> LeaseOp::waitForLeases()
{
    for (;;) {
        const StepResult first = co_await checkLeases(false);
        if (first != StepResult::repeat)
            co_return first;
        const StepResult second = co_await checkLeases(true);
        if (second != StepResult::repeat)
            co_return second;
        const StepResult slept = co_await sleep();
        if (slept != StepResult::proceed)
            co_return slept;
    }
}

// Next::again here: there is no room yet.
zk::Task<StepResult> LeaseOp::checkLeases(bool watch)
{
    StepResult listed = StepResult::repeat;
    while (listed == StepResult::repeat)
        listed = co_await listOnce(watch);
    if (listed != StepResult::proceed)
        co_return listed;
    m_maxLeases = m_core->maxLeases();
    const std::uint32_t excess = m_listed.count > m_maxLeases ? m_listed.count - m_maxLeases : 0;
    m_control.setCause(m_nodeClient.sink().record(
        trace::Decided{m_nodes.back().name(), excess, m_listed.count, {}}, m_control.cause()));
    co_await m_control.pass(Step::decide);
    if (excess == 0)
        co_return m_control.stopped() ? StepResult::failed : StepResult::proceed;
    if (m_control.once())
        m_control.stop(ErrorCode::timedOut);
    co_return m_control.stopped() ? StepResult::failed : StepResult::repeat;
}

zk::Task<StepResult> LeaseOp::listOnce(bool watch)
{
    if (!m_listSent) {
        co_await m_control.pass(watch ? Step::watch : Step::list);
        if (m_control.stopped())
            co_return StepResult::failed;
        m_suspensions = m_control.suspensions();
        if (watch)
            sendWatchedList();
        else
            sendList(false);
    }
    const zk::Pending<Answer<ListResult>> sent = *m_listSent;
    co_await m_control.answered(sent);
    m_listSent.reset();
    if (!sent.ready())
        co_return StepResult::failed;
    const Answer<ListResult> answer = sent.take();
    m_control.setCause(answer.event);
    const zk::Code code = answer.value.code;
    if (code == zk::Code::unknown) {
        co_await m_control.waitUntilConnectedOrStopped();
        co_return m_control.stopped() ? StepResult::failed : StepResult::repeat;
    }
    m_listed = answer.value.decision;
    if (code == zk::Code::ok && m_listed.found)
        co_return StepResult::proceed;
    if (code == zk::Code::ok || code == zk::Code::noNode)
        co_return m_control.startOver(message("an own lease is missing from the list")); // CURATOR-335
    if (zk::isFinal(code))
        co_return m_control.failRequest(code, message("list the children of %1", m_nodeClient.path()), m_nodeClient.path(), "read");
    co_return m_control.startOver(message("listing the leases failed, %1", describe(code)));
}

// Counts the leases, and whether all of ours are among them; the last of ours may have no name yet.
LockNodeClient::ListReducer LeaseOp::leaseCounter() const
{
    std::vector<std::string> own;
    for (const ProtectedNode& node : m_nodes)
        own.push_back(node.prefix());
    return [own = std::move(own)](zk::ChildNames names) {
        Decision decision;
        decision.count = static_cast<std::uint32_t>(names.size());
        decision.found = std::all_of(own.begin(), own.end(), [names](const std::string& prefix) {
            return std::any_of(names.begin(), names.end(),
                               [&](const char* name) { return std::string_view(name).starts_with(prefix); });
        });
        return decision;
    };
}

void LeaseOp::sendList(bool pipelined)
{
    m_listSent.emplace();
    m_nodeClient.list(leaseCounter(), pipelined, m_control.deliver(*m_listSent), m_control.cause());
}

void LeaseOp::sendWatchedList()
{
    *m_watchState = WatchState{};
    m_listSent.emplace();
    m_watch = m_nodeClient.listAndWatch(
        leaseCounter(),
        [seen = m_watchState, shared = m_control.shared()](zk::WatchKind, EventIndex event) {
            *seen = WatchState{true, event};
            shared->wake.notify();
        },
        m_control.deliver(*m_listSent), m_control.cause());
}

// Until the leases or the most have changed, or what we know of them may be old.
zk::Task<StepResult> LeaseOp::sleep()
{
    co_await m_control.pass(Step::sleep);
    while (!m_control.stopped() && !m_watchState->fired && !m_acquireMutexLost && m_core->maxLeases() == m_maxLeases &&
           m_control.suspensions() == m_suspensions)
        co_await m_control.woken();
    co_await m_control.pass(Step::woken);
    if (m_control.suspensions() != m_suspensions)
        co_await m_control.waitUntilConnectedOrStopped();
    if (m_control.stopped())
        co_return StepResult::failed;
    if (m_acquireMutexLost)
        co_return m_control.startOver(message("the node in %1/locks is gone", m_core->path));
    if (m_watchState->fired)
        m_control.setCause(m_watchState->event);
    co_return StepResult::proceed;
}

} // namespace lockscope::lock
