#include "core/sim/run.h"

#include <algorithm>

namespace lockscope::sim {

namespace {
constexpr Duration kLongestPace = std::chrono::seconds(60);
}

Run::Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, std::string hosts, bool observe,
         ServerHand* server)
    : m_recorder(recorder), m_scenario(scenario), m_control(hub),
      m_resource(recorder, m_lock, scenario.fencedResource),
      m_context{hub, recorder, scenario, hosts, m_control, m_resource, m_lock}, m_server(server),
      m_script(std::make_unique<ScriptRunner>(hub, recorder, scenario.script,
                                              [this](const Deed& deed) { carryOut(deed); }))
{
    recorder.record(ClientId::none(), m_lock,
                    trace::LockAdded{scenario.lockPath, toString(scenario.recipe), toString(scenario.handoff)});
    if (observe)
        m_observer = std::make_shared<Observer>(hub, recorder, hosts, scenario.lockPath, m_lock);
}

Run::~Run()
{
    if (m_observer)
        m_observer->stop();
}

void Run::start(bool paused, std::function<void()> finished)
{
    m_finished = std::move(finished);
    m_control.setPaused(paused);
    if (m_scenario.pace > Duration{}) {
        m_control.setPace(m_scenario.pace);
        m_recorder.record(ClientId::none(), LockId::none(), trace::PaceChanged{m_scenario.pace});
    }
    if (m_scenario.duration)
        m_context.lastStart = m_context.hub.now() + *m_scenario.duration;
    if (m_observer)
        m_observer->start();
    m_script->start();
    for (std::uint32_t i = 0; i < m_scenario.clients; ++i)
        launch();
}

void Run::launch()
{
    const ClientId id{m_nextClient++};
    auto client = std::make_shared<Client>(m_context, id, clientName(m_scenario, id.value));
    m_clients.emplace(id, client);
    client->start([this, id] {
        // Its own coroutine is still on the stack: forget it afterwards.
        m_context.hub.post([this, id] {
            m_clients.erase(id);
            onClientEnded();
        });
    });
}

void Run::onClientEnded()
{
    if (!m_clients.empty() || !m_finished)
        return;
    // At rest nothing may be left in the queue: the server says so.
    if (m_observer)
        m_observer->lastLook(std::exchange(m_finished, nullptr));
    else
        std::exchange(m_finished, nullptr)();
}

void Run::finish()
{
    m_control.setPaused(false);
    m_control.setPace(Duration{});
    for (const auto& [id, client] : m_clients)
        client->leave();
}

void Run::abandon()
{
    if (m_observer)
        m_observer->stop();
    const auto clients = m_clients; // they go while they are told
    for (const auto& [id, client] : clients)
        client->abandon();
}

bool Run::inContact() const
{
    return std::any_of(m_clients.begin(), m_clients.end(),
                       [](const auto& entry) { return entry.second->sessionPhase() == zk::SessionPhase::connected; });
}

bool Run::outOfContact() const
{
    const bool lost = std::any_of(m_clients.begin(), m_clients.end(), [](const auto& entry) {
        const zk::SessionPhase phase = entry.second->sessionPhase();
        return phase == zk::SessionPhase::suspended || phase == zk::SessionPhase::lost;
    });
    return lost && !inContact();
}

// ---- commands --------------------------------------------------------------------------------------------------

Client* Run::find(ClientId client) const
{
    const auto found = m_clients.find(client);
    return found == m_clients.end() ? nullptr : found->second.get();
}

EventIndex Run::accept(std::string_view verb, ClientId client, std::string_view argument)
{
    return m_recorder.record(client, LockId::none(), trace::Command{verb, argument});
}

void Run::refuse(std::string_view verb, ClientId client, const std::string& reason)
{
    m_recorder.record(client, LockId::none(), trace::CommandRefused{verb, reason});
}

void Run::pause()
{
    if (m_control.paused())
        return;
    accept("pause", ClientId::none());
    m_control.setPaused(true);
}

void Run::resume()
{
    if (!m_control.paused())
        return;
    accept("resume", ClientId::none());
    m_control.setPaused(false);
}

void Run::setPace(Duration step)
{
    m_control.setPace(std::clamp<Duration>(step, Duration{}, kLongestPace));
    m_recorder.record(ClientId::none(), LockId::none(), trace::PaceChanged{m_control.pace()});
}

void Run::kill(std::string_view verb, Client& client)
{
    const EventIndex command = accept(verb, client.id(), client.name());
    client.kill(command, [this, verb = std::string(verb), id = client.id()](const Result<void>& result) {
        if (!result)
            refuse(verb, id, result.error().text());
    });
}

void Run::killSession(ClientId id)
{
    if (Client* client = find(id))
        kill("kill_session", *client);
    else
        refuse("kill_session", id, "There is no such client any more.");
}

void Run::killHolder()
{
    const auto holder = std::find_if(m_clients.begin(), m_clients.end(),
                                     [](const auto& entry) { return entry.second->holds(); });
    if (holder == m_clients.end())
        refuse("kill_holder", ClientId::none(), "Nobody holds the lock at this moment.");
    else
        kill("kill_holder", *holder->second);
}

void Run::addClient()
{
    if (m_clients.size() >= kMaxClients) {
        refuse("add_client", ClientId::none(), "There are " + std::to_string(kMaxClients) + " clients already.");
        return;
    }
    if (const Result<void> fits = zk::checkSessionCapacity(m_clients.size() + 2); !fits) {
        refuse("add_client", ClientId::none(), fits.error().text());
        return;
    }
    accept("add_client", ClientId{m_nextClient}, clientName(m_scenario, m_nextClient));
    launch();
}

void Run::removeClient(ClientId id)
{
    if (!id.valid()) { // the last one that is not on its way out already
        const auto last = std::find_if(m_clients.rbegin(), m_clients.rend(),
                                       [](const auto& entry) { return !entry.second->leaving(); });
        if (last != m_clients.rend())
            id = last->first;
    }
    Client* client = find(id);
    if (!client) {
        refuse("remove_client", id, "There is no such client any more.");
        return;
    }
    accept("remove_client", id, client->name());
    client->leave();
}

void Run::freeze(ClientId id)
{
    Client* client = find(id);
    if (!client || client->frozen()) {
        refuse("freeze", id, client ? client->name() + " is frozen already." : "There is no such client any more.");
        return;
    }
    accept("freeze", id, client->name());
    client->freeze();
}

void Run::thaw(ClientId id)
{
    Client* client = find(id);
    if (!client || !client->frozen()) {
        refuse("thaw", id, client ? client->name() + " is not frozen." : "There is no such client any more.");
        return;
    }
    accept("thaw", id, client->name());
    client->thaw();
}

} // namespace lockscope::sim
