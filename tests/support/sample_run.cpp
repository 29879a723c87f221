// The made-up run's clock, wire and server.
#include "tests/support/sample_run.h"

#include "tests/support/sample_simulation.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace lockscope::tests {

using namespace std::chrono_literals;

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

void SampleSimulation::start()
{
    recordForRun(trace::RunPhaseChanged{trace::RunPhase::starting, {}});
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
    recordForRun(trace::RunPhaseChanged{trace::RunPhase::running, {}});
    if (m_options.observer)
        after(5ms, [this] { observe(); });
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
    // The sequence number is unique here, whichever client created the node.
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

std::shared_ptr<trace::TraceStore> sampleRun(const SampleOptions& options)
{
    return SampleSimulation(options).run();
}

} // namespace lockscope::tests
