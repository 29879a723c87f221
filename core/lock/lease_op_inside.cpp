// What a LeaseOp does inside the mutex: makes its nodes and waits until there are few enough.
#include "core/lock/lease_op.h"

#include <algorithm>

namespace lockscope::lock {

ProtectedNode::Wish LeaseOp::wish(bool last)
{
    ProtectedNode::Wish wish{m_wire.naming().lockName, m_core->options.lock.nodeData};
    // The session is a FIFO: a list that goes out with the last create is read when all of them were applied.
    if (last)
        wish.after = [this] {
            if (m_control.gateOpen())
                sendList(true);
        };
    return wish;
}

zk::Task<Next> LeaseOp::attempt()
{
    m_listSent.reset();
    m_nodes.clear();
    while (m_nodes.size() < m_count) {
        const bool last = m_nodes.size() + 1 == m_count;
        m_nodes.emplace_back(m_control, m_wire, wish(last), m_core->options.lock.flaws);
        std::string prefix = NodeNaming::protectionPrefix(m_core->guids.next());
        const Next made = co_await m_nodes.back().make(std::move(prefix), false);
        if (made != Next::go)
            co_return made;
    }
    const Next next = co_await waitForRoom();
    co_return next == Next::go&& m_control.stopped() ? Next::failed : next;
}

// The first look is without a watch, which could not be taken back; one that says "no room" is followed by
// one with a watch, and that one counts: a lease that goes in between leaves no watch to tell of it.
zk::Task<Next> LeaseOp::waitForRoom()
{
    for (;;) {
        const Next first = co_await look(false);
        if (first != Next::again)
            co_return first;
        const Next second = co_await look(true);
        if (second != Next::again)
            co_return second;
        const Next slept = co_await sleep();
        if (slept != Next::go)
            co_return slept;
    }
}

// Next::again here: there is no room yet.
zk::Task<Next> LeaseOp::look(bool watch)
{
    Next listed = Next::again;
    while (listed == Next::again)
        listed = co_await listOnce(watch);
    if (listed != Next::go)
        co_return listed;
    m_most = m_core->most();
    const std::uint32_t tooMany = m_listed.count > m_most ? m_listed.count - m_most : 0;
    m_control.setCause(m_wire.sink().record(
        trace::Decided{m_nodes.back().name(), tooMany, m_listed.count, {}}, m_control.cause()));
    co_await m_control.pass(Step::decide);
    if (tooMany == 0)
        co_return m_control.stopped() ? Next::failed : Next::go;
    if (m_control.once())
        m_control.stop(ErrorCode::timedOut);
    co_return m_control.stopped() ? Next::failed : Next::again;
}

zk::Task<Next> LeaseOp::listOnce(bool watch)
{
    if (!m_listSent) {
        co_await m_control.pass(watch ? Step::watch : Step::list);
        if (m_control.stopped())
            co_return Next::failed;
        m_suspensions = m_control.suspensions();
        if (watch)
            sendWatchedList();
        else
            sendList(false);
    }
    const zk::Pending<Answer<Listed>> sent = *m_listSent;
    co_await m_control.answered(sent);
    m_listSent.reset();
    if (!sent.ready())
        co_return Next::failed;
    const Answer<Listed> answer = sent.take();
    m_control.setCause(answer.event);
    const zk::Code code = answer.value.code;
    if (code == zk::Code::unknown) {
        co_await m_control.untilBackOrStopped();
        co_return m_control.stopped() ? Next::failed : Next::again;
    }
    m_listed = answer.value.decision;
    if (code == zk::Code::ok && m_listed.found)
        co_return Next::go;
    if (code == zk::Code::ok || code == zk::Code::noNode)
        co_return m_control.startOver("an own lease is missing from the list"); // CURATOR-335
    if (zk::isFinal(code))
        co_return m_control.failFor(code, "list the children of ", m_wire.path(), "read");
    co_return m_control.startOver("listing the leases failed, " + std::string(describe(code)));
}

// Counts the leases, and whether all of ours are among them; the last of ours may have no name yet.
Wire::Reduce LeaseOp::countThem() const
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

void LeaseOp::sendList(bool together)
{
    m_listSent.emplace();
    m_wire.list(countThem(), together, m_control.deliver(*m_listSent), m_control.cause());
}

void LeaseOp::sendWatchedList()
{
    *m_seen = Seen{};
    m_listSent.emplace();
    m_watch = m_wire.listAndWatch(
        countThem(),
        [seen = m_seen, shared = m_control.shared()](zk::WatchKind, EventIndex event) {
            *seen = Seen{true, event};
            shared->wake.notify();
        },
        m_control.deliver(*m_listSent), m_control.cause());
}

// Until the leases or the most have changed, or what we know of them may be old.
zk::Task<Next> LeaseOp::sleep()
{
    co_await m_control.pass(Step::sleep);
    while (!m_control.stopped() && !m_seen->fired && !m_entranceLost && m_core->most() == m_most &&
           m_control.suspensions() == m_suspensions)
        co_await m_control.woken();
    co_await m_control.pass(Step::woken);
    if (m_control.suspensions() != m_suspensions)
        co_await m_control.untilBackOrStopped();
    if (m_control.stopped())
        co_return Next::failed;
    if (m_entranceLost)
        co_return m_control.startOver("the node in " + m_core->path + "/locks is gone");
    if (m_seen->fired)
        m_control.setCause(m_seen->event);
    co_return Next::go;
}

} // namespace lockscope::lock
