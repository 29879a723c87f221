// The what-ifs and the observer of the made-up run.
#include "tests/support/sample_simulation.h"

#include <algorithm>

namespace lockscope::tests {

using namespace std::chrono_literals;

void SampleSimulation::whatIfs(Index holder)
{
    const auto inTheHold = [this](Index client, void (SampleSimulation::*what)(Index)) {
        after(300us, [this, client, what] { (this->*what)(client); });
    };
    if (m_grants == m_options.killHolderAtGrant)
        inTheHold(holder, &SampleSimulation::kill);
    if (m_grants == m_options.freezeHolderAtGrant)
        inTheHold(holder, &SampleSimulation::freeze);
    const Index waiter = sleeper();
    if (m_grants == m_options.killWaiterAtGrant && waiter < m_clients.size())
        kill(waiter);
    if (m_grants == m_options.suspendWaiterAtGrant && waiter < m_clients.size())
        suspend(waiter);
    if (m_grants == m_options.foreignAtGrant)
        addForeign();
}

// The last in the queue that sleeps: it is asleep for a while yet.
SampleSimulation::Index SampleSimulation::sleeper() const
{
    for (auto node = m_queue.rbegin(); node != m_queue.rend(); ++node) {
        if (node->owner.valid() && m_clients[node->owner.value].sleeping)
            return node->owner.value;
    }
    return static_cast<Index>(m_clients.size());
}

void SampleSimulation::kill(Index client)
{
    const EventIndex command = recordSession(client, trace::Command{"kill_session", m_clients[client].name});
    after(wireDelay() * 2, [this, client, command] {
        Client& c = m_clients[client];
        c.offline = true; // nothing reaches it any more, and it does not know yet
        c.backlog.clear();
        const EventIndex gone = recordSession(client, trace::SessionGone{c.session}, command);
        deleteNode(c.node, gone);
        for (Node& node : m_queue)
            std::erase(node.watchers, client);
        if (c.holding && m_options.resource)
            after(60ms, [this, client] {
                record(client, trace::ResourceUse{trace::ResourceAction::refused, m_clients[client].token});
            });
        after(100ms + wireDelay(), [this, client] { loseSession(client, trace::LostReason::sessionKilled); });
    });
}

void SampleSimulation::loseSession(Index client, trace::LostReason reason)
{
    Client& c = m_clients[client];
    ++c.flow;
    c.offline = false;
    c.backlog.clear();
    const EventIndex lost =
        recordSession(client, trace::SessionState{trace::SessionPhase::lost, c.session, Duration{}});
    if (c.holding)
        record(client, trace::HoldLost{c.node, reason, OwnerId{0}}, lost);
    else
        record(client, trace::AcquireFailed{trace::FailReason::sessionLost, OwnerId{0}, {}}, lost);
    c.holding = c.sleeping = false;
    c.node.clear();
    ++c.cycle;
    connect(client);
}

// No heartbeats: after the session's timeout the server lets it go, and says so to nobody but the watchers.
void SampleSimulation::freeze(Index client)
{
    recordSession(client, trace::Command{"freeze", m_clients[client].name});
    m_clients[client].offline = true;
    after(400ms, [this, client] {
        deleteNode(m_clients[client].node, EventIndex::none());
        after(200ms, [this, client] {
            recordSession(client, trace::Command{"thaw", m_clients[client].name});
            after(wireDelay(), [this, client] {
                recordSession(client, trace::SessionState{trace::SessionPhase::suspended,
                                                          m_clients[client].session, 10s});
                after(wireDelay(),
                      [this, client] { loseSession(client, trace::LostReason::sessionExpired); });
            });
        });
    });
}

void SampleSimulation::suspend(Index client)
{
    Client& c = m_clients[client];
    recordSession(client, trace::SessionState{trace::SessionPhase::suspended, c.session, 10s});
    c.offline = true;
    after(30ms, [this, client] {
        Client& back = m_clients[client];
        ++back.flow;
        back.offline = back.sleeping = back.aheadAnnounced = false;
        back.backlog.clear();
        for (Node& node : m_queue)
            std::erase(node.watchers, client);
        list(client,
             recordSession(client, trace::SessionState{trace::SessionPhase::connected, back.session, 10s}));
    });
}

void SampleSimulation::addForeign()
{
    const Node& node =
        createNode("_c_" + m_guids.next() + "-lock-", ClientId::none(), SessionId{0x2000'0000'0001});
    watchForeign(node.name);
}

// Somebody else's client: it holds for 3 ms once it is first. All we see of it is its node.
void SampleSimulation::watchForeign(const std::string& name)
{
    if (!m_queue.empty() && m_queue.front().name == name)
        after(3ms, [this, name] { deleteNode(name, EventIndex::none()); });
    else
        after(1ms, [this, name] { watchForeign(name); });
}

void SampleSimulation::observe()
{
    std::set<std::pair<std::int64_t, std::string>> now;
    for (const Node& node : m_queue) {
        now.emplace(node.sequence, node.name);
        if (!m_observed.contains({node.sequence, node.name}))
            recordForLock(trace::NodeSeen{node.name, node.session, node.czxid, !node.owner.valid()});
    }
    for (const auto& [sequence, name] : m_observed) {
        if (!now.contains({sequence, name}))
            recordForLock(trace::NodeVanished{name});
    }
    recordForLock(trace::Observed{static_cast<std::uint32_t>(now.size())});
    m_observed = std::move(now);
    after(50ms, [this] { observe(); });
}

} // namespace lockscope::tests
