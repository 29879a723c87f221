// A client of the made-up run: it follows the recipe, as core/lock does, and records what core/lock records.
#include "tests/support/sample_simulation.h"

namespace lockscope::tests {

using namespace std::chrono_literals;
using trace::Outcome;

void SampleSimulation::connect(Index client)
{
    Client& c = m_clients[client];
    recordSession(client,
                  trace::SessionState{trace::SessionPhase::connecting, SessionId::none(), Duration{}});
    c.session = SessionId{0x1000'0000'0000 + static_cast<std::int64_t>(client) * 0x100 + c.sessionNumber++};
    toClient(client, [this, client] {
        recordSession(client,
                      trace::SessionState{trace::SessionPhase::connected, m_clients[client].session, 10s});
        nextCycle(client);
    });
}

void SampleSimulation::think(Index client)
{
    const Duration planned = vary(m_options.think);
    if (planned > Duration{})
        record(client, trace::Thinks{planned});
    after(planned, [this, client, flow = m_clients[client].flow] {
        if (m_clients[client].flow == flow)
            acquire(client);
    });
}

void SampleSimulation::acquire(Index client)
{
    Client& c = m_clients[client];
    c.contended = c.aheadIsFirst = c.watchesItself = false;
    const std::string prefix = "_c_" + m_guids.next() + "-lock-";
    const EventIndex called = record(client, trace::AcquireCalled{OwnerId{0}, m_options.acquireTimeout});
    c.called = called;
    const EventIndex create = record(client, trace::Request{Operation::create, prefix, false, false}, called);
    const EventIndex children =
        record(client, trace::Request{Operation::getChildren, {}, false, true}, called);
    toServer(client, [this, client, prefix, create, children] {
        const Node& node = createNode(prefix, ClientId{client}, m_clients[client].session);
        toClient(client, [this, client, create, children, name = node.name, czxid = node.czxid,
                          read = listFor(node.name)] {
            m_clients[client].node = name;
            m_clients[client].token = czxid;
            record(client, trace::Reply{Operation::create, Outcome::ok, name, czxid, 0}, create);
            const EventIndex listed = record(
                client, trace::Reply{Operation::getChildren, Outcome::ok, {}, Zxid::none(), read.count},
                children);
            decide(client, read, listed);
        });
    });
    if (m_options.acquireTimeout != kForever) {
        after(m_options.acquireTimeout, [this, client, flow = c.flow, cycle = c.cycle] {
            const Client& now = m_clients[client];
            if (now.flow == flow && now.cycle == cycle && now.sleeping && !now.offline)
                giveUp(client);
        });
    }
}

void SampleSimulation::list(Index client, EventIndex cause)
{
    const EventIndex request =
        record(client, trace::Request{Operation::getChildren, {}, false, false}, cause);
    toServer(client, [this, client, request] {
        toClient(client, [this, client, request, read = listFor(m_clients[client].node)] {
            const EventIndex reply = record(
                client, trace::Reply{Operation::getChildren, Outcome::ok, {}, Zxid::none(), read.count},
                request);
            decide(client, read, reply);
        });
    });
}

void SampleSimulation::decide(Index client, const List& read, EventIndex cause)
{
    Client& c = m_clients[client];
    const EventIndex decided =
        record(client, trace::Decided{c.node, read.position, read.count, read.ahead}, cause);
    c.contended = c.contended || read.count > 1;
    if (read.position == 0) {
        acquired(client, decided);
        return;
    }
    c.ahead = read.ahead;
    c.aheadIsFirst = read.position == 1;
    if (m_options.handoff == SampleHandoff::announced && !c.watchesItself)
        watchItself(client, decided);
    watchAhead(client, decided);
}

void SampleSimulation::watchAhead(Index client, EventIndex cause)
{
    const std::string ahead = m_clients[client].ahead;
    const EventIndex request = record(client, trace::Request{Operation::getData, ahead, true, false}, cause);
    toServer(client, [this, client, ahead, request] {
        Node* node = findNode(ahead);
        if (node)
            node->watchers.push_back(client);
        toClient(client, [this, client, ahead, request, exists = node != nullptr,
                          announced = node && node->announced] {
            const Outcome outcome = exists ? Outcome::ok : Outcome::noNode;
            const EventIndex reply =
                record(client, trace::Reply{Operation::getData, outcome, ahead, Zxid::none(), 0}, request);
            m_clients[client].aheadIsFirst = m_clients[client].aheadIsFirst || announced;
            m_clients[client].sleeping = exists;
            if (!exists)
                list(client, reply);
        });
    });
}

// Announced handoff only: tells a waiter that its own node was deleted by another client, which never happens
// here here.
void SampleSimulation::watchItself(Index client, EventIndex cause)
{
    m_clients[client].watchesItself = true;
    const std::string own = m_clients[client].node;
    const EventIndex request = record(client, trace::Request{Operation::getData, own, true, false}, cause);
    toServer(client, [this, client, own, request] {
        toClient(client, [this, client, own, request] {
            record(client, trace::Reply{Operation::getData, Outcome::ok, own, Zxid::none(), 0}, request);
        });
    });
}

void SampleSimulation::woken(Index client, const std::string& node, EventIndex by)
{
    Client& c = m_clients[client];
    c.sleeping = false;
    const EventIndex fired = record(client, trace::WatchFired{trace::WatchKind::deleted, node}, by);
    if (m_options.handoff == SampleHandoff::announced && c.aheadIsFirst)
        acquired(client, fired);
    else
        list(client, fired);
}

void SampleSimulation::changed(Index client, const std::string& node, EventIndex by)
{
    m_clients[client].sleeping = false;
    watchAhead(client, record(client, trace::WatchFired{trace::WatchKind::changed, node}, by));
}

void SampleSimulation::acquired(Index client, EventIndex cause)
{
    Client& c = m_clients[client];
    c.holding = true;
    const EventIndex acquired = record(client, trace::Acquired{c.node, c.token, OwnerId{0}}, cause);
    ++m_grants;
    if (m_options.handoff == SampleHandoff::announced && c.contended) {
        const EventIndex request =
            record(client, trace::Request{Operation::setData, c.node, false, false}, acquired);
        toServer(client, [this, client, name = c.node, request] {
            announce(name, request);
            toClient(client, [this, client, name, request] {
                record(client, trace::Reply{Operation::setData, Outcome::ok, name, Zxid::none(), 0}, request);
            });
        });
    }
    enterResource(client);
    Duration hold = vary(m_options.hold);
    if (m_grants == m_options.killHolderAtGrant || m_grants == m_options.freezeHolderAtGrant)
        hold = 10s; // so that it still believes to hold when it learns of its loss
    const auto deepest = static_cast<std::uint16_t>(m_random.uniform(0, m_options.reenter) + 1);
    const Duration step = hold / (2 * deepest - 1); // in, to the deepest level, and out again
    after(step, [this, client, flow = c.flow, deepest, step] {
        if (m_clients[client].flow == flow)
            goIn(client, 1, deepest, step);
    });
    injectFaults(client);
}

// Re-enters level by level, then releases level by level; a re-entry needs no request.
void SampleSimulation::goIn(Index client, std::uint16_t depth, std::uint16_t deepest, Duration step)
{
    if (depth >= deepest) {
        goOut(client, depth, step);
        return;
    }
    const auto next = static_cast<std::uint16_t>(depth + 1);
    record(client, trace::Reentered{next, OwnerId{0}});
    after(step, [this, client, flow = m_clients[client].flow, next, deepest, step] {
        if (m_clients[client].flow == flow)
            goIn(client, next, deepest, step);
    });
}

void SampleSimulation::goOut(Index client, std::uint16_t depth, Duration step)
{
    if (depth <= 1) {
        release(client);
        return;
    }
    const Client& c = m_clients[client];
    const auto next = static_cast<std::uint16_t>(depth - 1);
    const EventIndex called = record(client, trace::ReleaseCalled{c.node, depth, OwnerId{0}});
    record(client, trace::Released{c.node, next, OwnerId{0}}, called);
    after(step, [this, client, flow = c.flow, next, step] {
        if (m_clients[client].flow == flow)
            goOut(client, next, step);
    });
}

// A fenced resource: it notes who is inside, and refuses what is older than what it has seen.
void SampleSimulation::enterResource(Index client)
{
    if (!m_options.resource)
        return;
    const Zxid token = m_clients[client].token;
    m_newestToken = token;
    record(client, trace::ResourceUse{trace::ResourceAction::entered, token});
    if (!m_inside.empty())
        record(client, trace::ResourceUse{trace::ResourceAction::conflict, m_inside.begin()->second});
    m_inside[client] = token;
}

void SampleSimulation::leaveResource(Index client)
{
    if (m_inside.erase(client) == 0)
        return;
    const Zxid token = m_clients[client].token;
    const auto action = token < m_newestToken ? trace::ResourceAction::refused : trace::ResourceAction::left;
    record(client, trace::ResourceUse{action, token});
}

void SampleSimulation::release(Index client)
{
    Client& c = m_clients[client];
    leaveResource(client);
    c.holding = false;
    const EventIndex called = record(client, trace::ReleaseCalled{c.node, 1, OwnerId{0}});
    const EventIndex request =
        record(client, trace::Request{Operation::remove, c.node, false, false}, called);
    toServer(client, [this, client, name = c.node, request] {
        deleteNode(name, request);
        toClient(client, [this, client, name, request] {
            const EventIndex reply =
                record(client, trace::Reply{Operation::remove, Outcome::ok, name, Zxid::none(), 0}, request);
            record(client, trace::Released{name, 0, OwnerId{0}}, reply);
            endCycle(client);
        });
    });
}

void SampleSimulation::giveUp(Index client)
{
    Client& c = m_clients[client];
    ++c.flow;
    c.sleeping = false;
    if (Node* ahead = findNode(c.ahead))
        std::erase(ahead->watchers, client);
    const EventIndex request = record(client, trace::Request{Operation::remove, c.node, false, false});
    toServer(client, [this, client, name = c.node, request] {
        deleteNode(name, request);
        toClient(client, [this, client, name, request] {
            record(client, trace::Reply{Operation::remove, Outcome::ok, name, Zxid::none(), 0}, request);
            record(client, trace::AcquireFailed{trace::FailReason::timedOut, OwnerId{0}, {}},
                   m_clients[client].called);
            endCycle(client);
        });
    });
}

void SampleSimulation::endCycle(Index client)
{
    Client& c = m_clients[client];
    c.node.clear();
    ++c.cycle;
    nextCycle(client);
}

void SampleSimulation::nextCycle(Index client)
{
    if (m_options.events != 0 || m_clients[client].cycle < m_options.cycles) {
        think(client);
        return;
    }
    recordSession(client, trace::ClientFinished{});
    toServer(client, [this, client] {
        toClient(client, [this, client] {
            const SessionId session = m_clients[client].session;
            recordSession(client, trace::SessionState{trace::SessionPhase::closed, session, Duration{}});
            if (++m_finished == m_clients.size())
                after(1ms, [this] { endRun(); });
        });
    });
}

void SampleSimulation::endRun()
{
    recordForRun(trace::RunPhaseChanged{trace::RunPhase::finished, {}});
    m_over = true;
}

} // namespace lockscope::tests
