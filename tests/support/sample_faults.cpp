// The faults and the observer of the made-up run.
#include "tests/support/sample_simulation.h"

#include <algorithm>

namespace lockscope::tests {

using namespace std::chrono_literals;

void SampleSimulation::injectFaults(Index holder)
{
    const auto inTheHold = [this](Index client, void (SampleSimulation::*what)(Index)) {
        after(300us, [this, client, what] { (this->*what)(client); });
    };
    if (m_grants == m_options.killHolderAtGrant)
        inTheHold(holder, &SampleSimulation::kill);
    else if (m_grants == m_options.freezeHolderAtGrant)
        inTheHold(holder, &SampleSimulation::freeze);
    const Index waiter = sleeper();
    if (m_grants == m_options.killWaiterAtGrant && waiter < m_clients.size())
        kill(waiter);
    else if (m_grants == m_options.suspendWaiterAtGrant && waiter < m_clients.size())
        suspend(waiter);
    if (m_grants == m_options.foreignAtGrant)
        addForeign();
}

// The last in the queue that sleeps: it is asleep for a while yet.
SampleSimulation::Index SampleSimulation::sleeper() const
{
    for (auto node = m_queue.rbegin(); node != m_queue.rend(); ++node) {
        if (node->owner.valid() && m_clients[node->owner.value].sleeping &&
            !m_clients[node->owner.value].offline)
            return node->owner.value;
    }
    return static_cast<Index>(m_clients.size());
}

void SampleSimulation::kill(Index client)
{
    const EventIndex command = recordSession(client, trace::Command{"kill_session", m_clients[client].name});
    after(wireDelay() * 2, [this, client, command, held = m_clients[client].holding,
                            flow = m_clients[client].flow] {
        Client& c = m_clients[client];
        if (c.flow != flow || c.holding != held || (!held && !c.sleeping) || c.offline) {
            recordSession(client,
                          trace::CommandRefused{"kill_session", message("It is not at the lock any more.")});
            return;
        }
        c.offline = true; // nothing reaches it any more, and it does not know yet
        c.backlog.clear();
        recordSession(client, trace::SessionGone{c.session}, command);
        deleteNode(c.node, command); // the recorder knows the command before the server confirms
        for (Node& node : m_queue)
            std::erase(node.watchers, client);
        after(wireDelay(), [this, client] {
            recordSession(
                client, trace::SessionState{trace::SessionPhase::suspended, m_clients[client].session, 10s});
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
    recordSession(client, trace::SessionState{trace::SessionPhase::lost, c.session, Duration{}});
    if (c.holding) {
        record(client, trace::HoldLost{c.node, reason, OwnerId{0}});
        leaveResource(client);
    } else {
        record(client, trace::AcquireFailed{trace::FailReason::sessionLost, OwnerId{0}, {}}, c.called);
    }
    c.holding = c.sleeping = false;
    c.node.clear();
    ++c.cycle; // it was tried
    connect(client);
}

// No heartbeats: after the session's timeout the server lets it go, and notifies only the watchers.
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
        back.offline = back.sleeping = back.aheadIsFirst = false;
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

// A foreign client: it holds for 3 ms once it is first. All we see of it is its node.
void SampleSimulation::watchForeign(const std::string& name)
{
    if (!m_queue.empty() && m_queue.front().name == name)
        after(3ms, [this, name] { deleteNode(name, EventIndex::none()); });
    else
        after(1ms, [this, name] { watchForeign(name); });
}

// Reads the list again and again, tells what is new and what is gone. Whose a foreign node is takes another
// read.
void SampleSimulation::observe()
{
    std::set<std::string> now;
    for (const Node& node : m_queue)
        now.insert(node.name);
    for (const std::string& name : m_observed) {
        if (!now.contains(name))
            recordForLock(trace::NodeVanished{name});
    }
    for (const Node& node : m_queue) {
        if (m_observed.contains(node.name))
            continue;
        if (node.owner.valid())
            recordForLock(trace::NodeSeen{node.name, SessionId::none(), Zxid::none(), false});
        else
            after(2 * wireDelay(), [this, name = node.name] { identify(name); });
    }
    recordForLock(trace::Observed{static_cast<std::uint32_t>(now.size())});
    const Duration pause = now.size() <= 20 ? 50ms : now.size() <= 200 ? 250ms : 1000ms;
    m_observed = std::move(now);
    after(pause, [this] { observe(); });
}

void SampleSimulation::identify(const std::string& name)
{
    if (const Node* node = findNode(name))
        recordForLock(trace::NodeSeen{node->name, node->session, node->czxid, true});
}

} // namespace lockscope::tests
