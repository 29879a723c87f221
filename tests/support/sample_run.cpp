// The server and the clients of the made-up run.
#include "tests/support/sample_run.h"

#include "tests/support/sample_simulation.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::tests {

using namespace std::chrono_literals;
using trace::Op;
using trace::Outcome;

namespace {

constexpr std::array kNames{"ada", "bo",  "cyd", "dee", "eli", "fay", "gus", "hal", "ivy",
                            "jon", "kim", "leo", "mia", "ned", "ola", "pat", "quy", "ray",
                            "sue", "tom", "uma", "vic", "wes", "xia", "yan", "zoe"};

std::string clientName(std::uint32_t index)
{
    return index < kNames.size() ? kNames[index] : std::string("c").append(std::to_string(index + 1));
}

trace::Header headerFor(const SampleOptions& options)
{
    trace::Header header;
    header.scenario = "sample";
    header.title = std::to_string(options.clients) + " clients, one lock";
    header.seed = options.seed;
    header.wallNanoseconds = 1'700'000'000'000'000'000;
    header.monotonicNanoseconds = 1'000'000'000;
    return header;
}

} // namespace

SampleSimulation::SampleSimulation(const SampleOptions& options)
    : m_options(options)
    , m_store(std::make_shared<trace::TraceStore>(headerFor(options)))
    , m_random(options.seed)
    , m_guids(options.seed)
    , m_clients(options.clients)
{}

std::shared_ptr<trace::TraceStore> SampleSimulation::run()
{
    start();
    while (!m_agenda.empty() && !m_over) {
        Action action = m_agenda.top().action;
        m_now = m_agenda.top().at;
        m_agenda.pop();
        action();
    }
    return m_store;
}

void SampleSimulation::after(Duration delay, Action action)
{
    m_agenda.push({m_now + delay, m_order++, std::move(action)});
}

Duration SampleSimulation::vary(Duration mean) { return Duration(m_random.uniform(0, 2 * mean.count())); }

// Requests of a session arrive in the order in which they were sent, and so do its replies and events.
void SampleSimulation::toServer(Index client, Action action)
{
    Client& c = m_clients[client];
    c.lastUp = std::max(m_now + wireDelay(), c.lastUp + 1us);
    after(c.lastUp - m_now, [this, client, session = c.session, action = std::move(action)] {
        if (m_clients[client].session == session)
            action();
    });
}

void SampleSimulation::toClient(Index client, Action action)
{
    Client& c = m_clients[client];
    c.lastDown = std::max(m_now + wireDelay(), c.lastDown + 1us);
    after(c.lastDown - m_now,
          [this, client, flow = c.flow, session = c.session, action = std::move(action)]() mutable {
              Client& to = m_clients[client];
              if (to.flow != flow || to.session != session)
                  return;
              if (to.offline)
                  to.backlog.push_back(std::move(action));
              else
                  action();
          });
}

EventIndex SampleSimulation::append(ClientId client, LockId lock, trace::Payload what, EventIndex cause)
{
    if (m_over)
        return EventIndex::none();
    const EventIndex index = m_store->append(trace::Event{m_now, cause, client, lock, what});
    m_over = m_options.events != 0 && m_store->count() == m_options.events;
    return index;
}

EventIndex SampleSimulation::record(Index client, trace::Payload what, EventIndex cause)
{
    return append(ClientId{client}, kLock, what, cause);
}

EventIndex SampleSimulation::recordForLock(trace::Payload what)
{
    return append(ClientId::none(), kLock, what, EventIndex::none());
}

EventIndex SampleSimulation::recordForRun(trace::Payload what)
{
    return append(ClientId::none(), LockId::none(), what, EventIndex::none());
}

EventIndex SampleSimulation::recordSession(Index client, trace::Payload what, EventIndex cause)
{
    return append(ClientId{client}, LockId::none(), what, cause);
}

// ---- the server ----

SampleSimulation::Node& SampleSimulation::createNode(const std::string& prefix, ClientId owner,
                                                     SessionId session)
{
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "%010lld", static_cast<long long>(m_nextSequence));
    Node node;
    node.sequence = m_nextSequence++;
    node.name = prefix + digits.data();
    node.czxid = Zxid{++m_zxid};
    node.owner = owner;
    node.session = session;
    m_queue.push_back(std::move(node));
    return m_queue.back();
}

SampleSimulation::Node* SampleSimulation::findNode(const std::string& name)
{
    // The sequence number is unique here, whoever made the node.
    const std::int64_t sequence = name.size() < 10 ? -1 : std::stoll(name.substr(name.size() - 10));
    const auto at =
        std::lower_bound(m_queue.begin(), m_queue.end(), sequence,
                         [](const Node& node, std::int64_t value) { return node.sequence < value; });
    return at == m_queue.end() || at->name != name ? nullptr : &*at;
}

void SampleSimulation::deleteNode(const std::string& name, EventIndex by)
{
    Node* node = findNode(name);
    if (!node)
        return;
    ++m_zxid;
    const std::vector<Index> watchers = std::move(node->watchers);
    m_queue.erase(
        std::find_if(m_queue.begin(), m_queue.end(), [node](const Node& other) { return &other == node; }));
    for (const Index watcher : watchers)
        toClient(watcher, [this, watcher, name, by] { woken(watcher, name, by); });
}

void SampleSimulation::announce(const std::string& name, EventIndex by)
{
    Node* node = findNode(name);
    if (!node)
        return;
    ++m_zxid;
    node->announced = true;
    const std::vector<Index> watchers = std::move(node->watchers);
    node->watchers.clear();
    for (const Index watcher : watchers)
        toClient(watcher, [this, watcher, name, by] { changed(watcher, name, by); });
}

SampleSimulation::List SampleSimulation::listFor(const std::string& name) const
{
    List list;
    list.count = static_cast<std::uint32_t>(m_queue.size());
    const auto own =
        std::lower_bound(m_queue.begin(), m_queue.end(), std::stoll(name.substr(name.size() - 10)),
                         [](const Node& node, std::int64_t value) { return node.sequence < value; });
    list.position = static_cast<std::uint32_t>(own - m_queue.begin());
    if (list.position > 0)
        list.ahead = std::prev(own)->name;
    return list;
}

// ---- the clients ----

void SampleSimulation::start()
{
    recordForRun(trace::RunState{trace::RunPhase::starting, {}});
    recordForRun(trace::ServerState{trace::ServerPhase::starting, {}, {}, {}, {}});
    m_now += 700us;
    recordForRun(trace::ServerState{trace::ServerPhase::ready, "127.0.0.1:41233", "3.8.0", "standalone", {}});
    const bool curator = m_options.handoff == SampleHandoff::curator;
    recordForLock(trace::LockAdded{"/locks/well", "mutex", curator ? "curator" : "announced"});
    for (Index i = 0; i < m_clients.size(); ++i) {
        m_clients[i].name = clientName(i);
        const auto colour = static_cast<std::uint16_t>(i);
        recordSession(i, trace::ClientAdded{m_clients[i].name, colour});
        after(Duration(i * 10'000), [this, i] { connect(i); });
    }
    recordForRun(trace::RunState{trace::RunPhase::running, {}});
    if (m_options.observer)
        after(5ms, [this] { observe(); });
}

void SampleSimulation::connect(Index client)
{
    Client& c = m_clients[client];
    recordSession(client,
                  trace::SessionState{trace::SessionPhase::connecting, SessionId::none(), Duration{}});
    c.session = SessionId{0x1000'0000'0000 + static_cast<std::int64_t>(client) * 0x100 + c.sessionNumber++};
    toClient(client, [this, client] {
        recordSession(client,
                      trace::SessionState{trace::SessionPhase::connected, m_clients[client].session, 10s});
        think(client);
    });
}

void SampleSimulation::think(Index client)
{
    const Duration planned = vary(m_options.think);
    record(client, trace::Thinks{planned});
    after(planned, [this, client] { acquire(client); });
}

void SampleSimulation::acquire(Index client)
{
    Client& c = m_clients[client];
    c.waited = c.aheadAnnounced = false;
    const std::string prefix = "_c_" + m_guids.next() + "-lock-";
    const EventIndex called = record(client, trace::AcquireCalled{OwnerId{0}, m_options.acquireTimeout});
    const EventIndex create = record(client, trace::Request{Op::create, prefix, false, false}, called);
    const EventIndex children = record(client, trace::Request{Op::getChildren, {}, false, true}, called);
    toServer(client, [this, client, prefix, create, children] {
        const Node& node = createNode(prefix, ClientId{client}, m_clients[client].session);
        toClient(client, [this, client, create, children, name = node.name, czxid = node.czxid,
                          read = listFor(node.name)] {
            m_clients[client].node = name;
            m_clients[client].token = czxid;
            record(client, trace::Reply{Op::create, Outcome::ok, name, czxid, 0}, create);
            const EventIndex listed = record(
                client, trace::Reply{Op::getChildren, Outcome::ok, {}, Zxid::none(), read.count}, children);
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
    const EventIndex request = record(client, trace::Request{Op::getChildren, {}, false, false}, cause);
    toServer(client, [this, client, request] {
        toClient(client, [this, client, request, read = listFor(m_clients[client].node)] {
            const EventIndex reply = record(
                client, trace::Reply{Op::getChildren, Outcome::ok, {}, Zxid::none(), read.count}, request);
            decide(client, read, reply);
        });
    });
}

void SampleSimulation::decide(Index client, const List& read, EventIndex cause)
{
    Client& c = m_clients[client];
    const EventIndex decided =
        record(client, trace::Decided{c.node, read.position, read.count, read.ahead}, cause);
    if (read.position == 0) {
        acquired(client, decided);
        return;
    }
    c.waited = true;
    c.ahead = read.ahead;
    watchAhead(client, decided);
}

void SampleSimulation::watchAhead(Index client, EventIndex cause)
{
    const std::string ahead = m_clients[client].ahead;
    const EventIndex request = record(client, trace::Request{Op::getData, ahead, true, false}, cause);
    toServer(client, [this, client, ahead, request] {
        Node* node = findNode(ahead);
        if (node)
            node->watchers.push_back(client);
        toClient(client, [this, client, ahead, request, exists = node != nullptr,
                          announced = node && node->announced] {
            const Outcome outcome = exists ? Outcome::ok : Outcome::noNode;
            const EventIndex reply =
                record(client, trace::Reply{Op::getData, outcome, ahead, Zxid::none(), 0}, request);
            m_clients[client].aheadAnnounced = announced;
            m_clients[client].sleeping = exists;
            if (!exists)
                list(client, reply);
        });
    });
}

void SampleSimulation::woken(Index client, const std::string& node, EventIndex by)
{
    Client& c = m_clients[client];
    c.sleeping = false;
    const EventIndex fired = record(client, trace::WatchFired{trace::WatchKind::nodeDeleted, node}, by);
    if (m_options.handoff == SampleHandoff::announced && c.aheadAnnounced)
        acquired(client, fired);
    else
        list(client, fired);
}

void SampleSimulation::changed(Index client, const std::string& node, EventIndex by)
{
    m_clients[client].sleeping = false;
    watchAhead(client, record(client, trace::WatchFired{trace::WatchKind::nodeChanged, node}, by));
}

void SampleSimulation::acquired(Index client, EventIndex cause)
{
    Client& c = m_clients[client];
    c.holding = true;
    const EventIndex acquired = record(client, trace::Acquired{c.node, c.token, OwnerId{0}}, cause);
    ++m_grants;
    if (m_options.handoff == SampleHandoff::announced && c.waited) {
        const EventIndex request =
            record(client, trace::Request{Op::setData, c.node, false, false}, acquired);
        toServer(client, [this, client, name = c.node, request] {
            announce(name, request);
            toClient(client, [this, client, name, request] {
                record(client, trace::Reply{Op::setData, Outcome::ok, name, Zxid::none(), 0}, request);
            });
        });
    }
    if (m_options.resource)
        record(client, trace::ResourceUse{trace::ResourceAction::entered, c.token});
    Duration hold = vary(m_options.hold);
    if (m_grants == m_options.killHolderAtGrant || m_grants == m_options.freezeHolderAtGrant)
        hold = 10s; // so that it still believes to hold when it learns of its loss
    const auto deepest = static_cast<std::uint16_t>(m_random.uniform(0, m_options.reenter) + 1);
    after(hold / (deepest + 1), [this, client, flow = c.flow, deepest, hold] {
        if (m_clients[client].flow == flow)
            reenter(client, 1, deepest, hold / (deepest + 1));
    });
    whatIfs(client);
}

// Goes in to the deepest level, then out again, one level per call.
void SampleSimulation::reenter(Index client, std::uint16_t depth, std::uint16_t deepest, Duration step)
{
    const std::uint16_t next = static_cast<std::uint16_t>(depth + 1);
    if (depth < deepest) {
        record(client, trace::AcquireCalled{OwnerId{0}, m_options.acquireTimeout});
        record(client, trace::Reentered{next, OwnerId{0}});
        after(step, [this, client, flow = m_clients[client].flow, next, deepest, step] {
            if (m_clients[client].flow == flow)
                reenter(client, next, deepest, step);
        });
        return;
    }
    for (std::uint16_t level = deepest; level > 1; --level) {
        record(client, trace::ReleaseCalled{m_clients[client].node, level, OwnerId{0}});
        record(client,
               trace::Released{m_clients[client].node, static_cast<std::uint16_t>(level - 1), OwnerId{0}});
    }
    release(client);
}

void SampleSimulation::release(Index client)
{
    Client& c = m_clients[client];
    c.holding = false;
    if (m_options.resource)
        record(client, trace::ResourceUse{trace::ResourceAction::left, c.token});
    const EventIndex called = record(client, trace::ReleaseCalled{c.node, 1, OwnerId{0}});
    const EventIndex request = record(client, trace::Request{Op::remove, c.node, false, false}, called);
    toServer(client, [this, client, name = c.node, request] {
        deleteNode(name, request);
        toClient(client, [this, client, name, request] {
            const EventIndex reply =
                record(client, trace::Reply{Op::remove, Outcome::ok, name, Zxid::none(), 0}, request);
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
    const EventIndex request = record(client, trace::Request{Op::remove, c.node, false, false});
    toServer(client, [this, client, name = c.node, request] {
        deleteNode(name, request);
        toClient(client, [this, client, name, request] {
            const EventIndex reply =
                record(client, trace::Reply{Op::remove, Outcome::ok, name, Zxid::none(), 0}, request);
            record(client, trace::AcquireFailed{trace::FailReason::timedOut, OwnerId{0}, {}}, reply);
            endCycle(client);
        });
    });
}

void SampleSimulation::endCycle(Index client)
{
    Client& c = m_clients[client];
    c.node.clear();
    ++c.cycle;
    if (m_options.events != 0 || c.cycle < m_options.cycles) {
        think(client);
        return;
    }
    recordSession(client, trace::ClientFinished{});
    c.finished = true;
    if (++m_finished == m_clients.size())
        after(1ms, [this] { endRun(); });
}

void SampleSimulation::endRun()
{
    for (Index i = 0; i < m_clients.size(); ++i)
        recordSession(i, trace::SessionState{trace::SessionPhase::closed, m_clients[i].session, Duration{}});
    recordForRun(trace::RunState{trace::RunPhase::finished, {}});
    m_over = true;
}

std::shared_ptr<trace::TraceStore> sampleRun(const SampleOptions& options)
{
    return SampleSimulation(options).run();
}

} // namespace lockscope::tests
