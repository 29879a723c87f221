#include "core/sim/run/run.h"

#include "core/sim/client/refusal.h"
#include "core/sim/scenario/scenario_text.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr Duration kMaxPace = std::chrono::seconds(60);
constexpr std::size_t kMaxObservedLocks = 8; // locks with an observer

// Clients that are stepped from the start come to their first step together, so that the turn is theirs in
// the order of the scenario and not of their connections.
Arrival arrivalOf(const Scenario& scenario, const std::vector<Participant>& roster)
{
    Arrival arrival = scenario.arrival;
    const bool someLater = std::any_of(roster.begin(), roster.end(),
                                       [](const Participant& one) { return one.start.has_value(); });
    if (scenario.stepping && arrival.kind == Arrival::Kind::atOnce && !someLater)
        arrival.kind = Arrival::Kind::together;
    return arrival;
}

// The colours of the clients, indices into the palette: a default name has its own, whichever place it has,
// so that ada looks the same in every scenario; the others get those that are left, in order.
std::vector<std::uint16_t> coloursOf(const std::vector<Participant>& roster)
{
    constexpr std::uint32_t kMostAbsent = 26; // default names beyond the number of clients
    std::map<std::string, std::uint16_t, std::less<>> ofNames;
    for (std::uint32_t n = 0; n < roster.size() + kMostAbsent; ++n)
        ofNames.emplace(clientName(n), static_cast<std::uint16_t>(n));
    std::set<std::uint16_t> taken;
    for (const Participant& one : roster)
        if (const auto own = ofNames.find(one.name); own != ofNames.end())
            taken.insert(own->second);
    std::vector<std::uint16_t> colours;
    std::uint16_t next = 0;
    for (const Participant& one : roster) {
        const auto own = ofNames.find(one.name);
        while (own == ofNames.end() && taken.contains(next))
            ++next;
        colours.push_back(own != ofNames.end() ? own->second : next++);
    }
    return colours;
}

// The places of the clients that are here.
std::vector<std::uint32_t> placesOf(const Scenario& scenario, const std::optional<Share>& share)
{
    const std::vector<std::uint32_t> ranks = ranksOf(participants(scenario), share ? share->of : 1);
    std::vector<std::uint32_t> places;
    for (std::uint32_t n = 0; n < ranks.size(); ++n)
        if (ranks[n] == (share ? share->rank : 0))
            places.push_back(n);
    return places;
}

template <class Value>
std::vector<Value> chosenFrom(const std::vector<std::uint32_t>& places, const std::vector<Value>& all)
{
    std::vector<Value> chosen;
    for (const std::uint32_t place : places)
        chosen.push_back(all[place]);
    return chosen;
}

} // namespace

Run::Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, RunEnvironment environment)
    : m_hub(hub)
    , m_recorder(recorder)
    , m_scenario(scenario)
    , m_environment(std::move(environment))
    , m_places(placesOf(scenario, m_environment.share))
    , m_roster(chosenFrom(m_places, participants(scenario)))
    , m_colours(chosenFrom(m_places, coloursOf(participants(scenario))))
    , m_control(hub, recorder)
    , m_startGate(hub, arrivalOf(scenario, m_roster), scenario.seed,
                  static_cast<std::uint32_t>(m_roster.size()))
    , m_context{hub, recorder, scenario, m_environment.hosts, m_control, m_startGate, {}}
    , m_script(std::make_unique<ScriptRunner>(
          hub, recorder, ownScript(),
          [this](const Action& action, std::size_t line) { onTrigger(action, line); }))
{
    m_leases = scenario.leases;
    m_context.refused = [this](ClientId client, const Error& error) {
        recordRefusalOnce(client, m_context.runLocks.front().queue, error);
    };
    addRunLocks();
}

Run::~Run()
{
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        observer->stop();
}

void Run::addRunLocks()
{
    LockId::Value next = 0;
    const std::string_view handoff = nameOf(m_scenario.handoff);
    const auto announce = [&](const std::string& path, std::string_view recipe) {
        const LockId id{next++};
        m_recorder.record(ClientId::none(), id, trace::LockAdded{path, recipe, handoff});
        return id;
    };
    for (const std::string& path : m_scenario.locks) {
        RunLock runLock{path};
        const bool leases = isSemaphore(m_scenario.recipe);
        runLock.queue = announce(queuePath(m_scenario.recipe, path), nameOf(m_scenario.recipe));
        runLock.resource = std::make_unique<Resource>(m_recorder, runLock.queue, m_scenario.fencedResource,
                                                      m_scenario.resource);
        if (leases) {
            const std::uint32_t most = m_scenario.recipe == Recipe::semaphore ? m_scenario.leases : 1;
            m_recorder.record(ClientId::none(), runLock.queue, trace::LockLimit{most});
            runLock.resource->setPermits(most);
            runLock.acquireMutex = announce(mutexPath(path), nameOf(Recipe::mutex));
        }
        m_context.runLocks.push_back(std::move(runLock));
    }
    if (m_scenario.recipe == Recipe::semaphore)
        m_context.leasesPath = semaphoreSizePath(m_scenario.locks.front());
    if (!m_environment.observe || m_scenario.recipe == Recipe::none)
        return;
    for (const RunLock& runLock : m_context.runLocks) {
        if (m_observers.size() >= kMaxObservedLocks)
            break;
        m_observers.push_back(
            std::make_shared<QueueObserver>(zk::ReadHub(m_hub), m_recorder, m_environment.hosts,
                                            queuePath(m_scenario.recipe, runLock.path), runLock.queue));
        if (m_environment.share)
            m_observers.back()->expectOthers();
    }
}

void Run::makePaths()
{
    std::vector<std::string> paths;
    for (const RunLock& runLock : m_context.runLocks) {
        paths.push_back(queuePath(m_scenario.recipe, runLock.path));
        if (runLock.acquireMutex.valid())
            paths.push_back(mutexPath(runLock.path));
    }
    if (m_scenario.recipe == Recipe::none || m_roster.empty())
        return m_startGate.open();
    m_paths = std::make_unique<LockPaths>(m_hub, m_environment.hosts, std::move(paths));
    m_paths->make([this] { m_startGate.open(); });
}

Result<void> Run::start(bool paused, std::function<void()> finished)
{
    m_finished = std::move(finished);
    m_control.setPaused(paused);
    m_control.setHolding(m_scenario.stepping);
    if (m_scenario.stepping && !m_environment.attended)
        enableAutomaticSteps();
    m_control.follow(m_scenario.steps);
    if (m_scenario.pace > Duration{}) {
        m_control.setPace(m_scenario.pace);
        m_recorder.record(ClientId::none(), LockId::none(), trace::PaceChanged{m_scenario.pace});
    }
    m_context.start = m_hub.now() - (m_environment.share ? m_environment.share->missed : Duration{});
    if (m_scenario.duration)
        m_context.lastStart = m_context.start + *m_scenario.duration;
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        observer->start();
    if (m_scenario.duration)
        m_hub.after(m_context.start + *m_scenario.duration - m_hub.now(), whileAlive([this] { onTimeUp(); }));
    m_standStill.after(false, m_hub.now());
    warnAboutLateEntries();
    startShared();
    m_script->start();
    makePaths();
    const std::vector<Participant> roster = m_roster;
    std::uint32_t place = 0;
    for (std::uint32_t n = 0; n < roster.size(); ++n) {
        for (; place < m_places[n]; ++place)
            m_startGate.nextDelay(); // of a client of another worker
        ++place;
        if (Result<void> launched = launch(ClientId{n}, roster[n], true); !launched)
            return launched;
    }
    return {};
}

Result<std::shared_ptr<Process>> Run::processFor(const Participant& who)
{
    if (!who.process.empty()) // a process that all its clients have left has no link any more
        if (std::shared_ptr<Process> shared = m_processes[who.process].lock();
            shared && !shared->clients().empty())
            return shared;
    std::unique_ptr<ClientLink> link;
    if (m_environment.makeLink) {
        Result<std::unique_ptr<ClientLink>> made = m_environment.makeLink(m_scenario.seed + m_clients.size());
        if (!made)
            return made.error();
        link = std::move(*made);
    }
    auto process =
        std::make_shared<Process>(m_hub, m_environment.hosts, m_scenario.sessionTimeout, std::move(link));
    if (!who.process.empty())
        m_processes[who.process] = process;
    return process;
}

Result<void> Run::launch(ClientId id, const Participant& who, bool fromTheStart)
{
    Result<std::shared_ptr<Process>> process = processFor(who);
    if (!process)
        return process.error();
    const Duration arrival = fromTheStart ? m_startGate.nextDelay() : Duration{};
    const auto client =
        std::make_shared<Client>(m_context, id, who, m_colours.at(id.value), m_places.at(id.value), *process,
                                 fromTheStart ? who.start.value_or(arrival) : Duration{}, fromTheStart);
    m_clients.emplace(id, client);
    if (ClientLink* link = (*process)->link()) {
        link->onReplyLost(whileAlive([this, id] {
            m_recorder.record(
                id, LockId::none(),
                trace::Notice{trace::Severity::info,
                              message("A reply was lost in transit, together with the connection.")});
        }));
        if (!fromTheStart) // the client may have left another link, or join a faulty one
            m_recorder.record(id, LockId::none(), link->state());
    }
    client->start([this, id] {
        // The client's coroutine is still on the stack: erase the client later.
        m_hub.post([this, id] { onClientEnded(id); });
    });
    return {};
}

void Run::enableAutomaticSteps()
{
    m_control.enableAutomaticSteps();
    m_recorder.record(
        ClientId::none(), LockId::none(),
        trace::Notice{trace::Severity::info,
                      message("No user controls this run: its steps are taken in turn, one at a time."),
                      "steps_in_turn"});
}

void Run::onClientEnded(ClientId id)
{
    m_clients.erase(id);
    const auto endIfAllHaveLeft = [this] {
        if (m_clients.empty())
            end();
    };
    if (!m_finishing && m_script->ended(id)) // a script line may bring it back
        m_hub.post(endIfAllHaveLeft);
    else
        endIfAllHaveLeft();
}

void Run::end()
{
    if (!m_finishing && awaitsShared())
        return;
    if (m_finished) // a last reading of the queues shows whether a node was left behind
        finalRefresh(m_observers, std::exchange(m_finished, nullptr));
}

// Wakes the clients; those that have not started an acquire stop.
void Run::onTimeUp()
{
    for (const auto& [id, client] : m_clients)
        client->wakeUp();
}

void Run::recordRefusalOnce(ClientId client, LockId lock, const Error& error)
{
    if (m_refusals.insert(refusalKey(error)).second)
        recordRefusal(m_recorder, client, lock, error);
}

void Run::warnAboutLateEntries()
{
    if (!m_scenario.duration)
        return;
    const std::string end = formatDuration(*m_scenario.duration);
    for (std::uint32_t n = 0; n < m_roster.size(); ++n)
        if (const Participant& who = m_roster[n]; who.start && *who.start >= *m_scenario.duration)
            m_recorder.record(
                ClientId::none(), LockId::none(),
                trace::Notice{trace::Severity::warning,
                              message("%1 starts at %2, when the run of %3 is over: it takes no part.",
                                      who.name, formatDuration(*who.start), end),
                              "starts_too_late"});
    for (const ScriptLine& line : m_scenario.script)
        if (line.when.kind == Trigger::Kind::at && line.when.time >= *m_scenario.duration)
            m_recorder.record(
                ClientId::none(), LockId::none(),
                trace::Notice{
                    trace::Severity::warning,
                    message("\"%1\" is due at or after the end of the run, which lasts %2.", line.text, end),
                    "script_too_late"});
}

void Run::finish()
{
    m_finishing = true;
    m_control.setHolding(false);
    m_control.setPaused(false);
    m_control.setPace(Duration{});
    if (m_clients.empty())
        return end();
    for (const auto& [id, client] : m_clients)
        client->leave();
}

void Run::abandon()
{
    // The run's own servers are ending, and every timer expires next: script lines and undos must not run.
    m_script->stop();
    if (m_shared)
        m_shared->stop();
    m_alive.reset();
    m_paths.reset();
    for (const std::shared_ptr<QueueObserver>& observer : m_observers)
        observer->stop();
    const auto clients = m_clients; // a copy: clients are erased during the calls
    for (const auto& [id, client] : clients)
        client->abandon();
}

std::vector<zk::SessionPhase> Run::sessionPhases() const
{
    std::vector<zk::SessionPhase> phases;
    for (const auto& [id, client] : m_clients)
        phases.push_back(client->sessionPhase());
    return phases;
}

// ---- helpers of actions ------------------------------------------------------------------------------

Client* Run::find(ClientId client) const
{
    const auto found = m_clients.find(client);
    return found == m_clients.end() ? nullptr : found->second.get();
}

EventIndex Run::accept(trace::CommandVerb verb, ClientId client, std::string_view argument)
{
    return m_recorder.record(client, LockId::none(), trace::Command{toText(verb), argument});
}

void Run::refuse(trace::CommandVerb verb, ClientId client, const Message& reason)
{
    m_recorder.record(client, LockId::none(), trace::CommandRefused{toText(verb), reason});
}

void Run::setPace(Duration step)
{
    m_control.setPace(std::clamp<Duration>(step, Duration{}, kMaxPace));
    m_recorder.record(ClientId::none(), LockId::none(), trace::PaceChanged{m_control.pace()});
}

void Run::runUntil(const Trigger& when)
{
    m_script->add({when, Action::of(Action::Kind::pause), {}});
    if (m_control.paused())
        setPaused(false);
}

void Run::addClient()
{
    Participant who{clientName(0), {}, m_scenario.work, {}};
    std::set<std::string> taken;
    for (const std::vector<Participant>& some : {participants(m_scenario), m_roster})
        for (const Participant& one : some)
            taken.insert(one.name);
    for (std::uint32_t n = 0; taken.contains(who.name);)
        who.name = clientName(++n);
    const ClientId id{static_cast<ClientId::Value>(m_roster.size())};
    if (m_clients.size() >= kMaxClients)
        return refuse(trace::CommandVerb::addClient, ClientId::none(),
                      message("There are already %1 clients.", kMaxClients));
    if (const Result<void> fits = zk::checkSessionCapacity(m_clients.size() + 2); !fits)
        return refuse(trace::CommandVerb::addClient, ClientId::none(), fits.error().all());
    accept(trace::CommandVerb::addClient, id, who.name);
    m_roster.push_back(who);
    m_places.push_back(m_places.back() + 1);
    m_colours.push_back(coloursOf(m_roster).back());
    if (const Result<void> launched = launch(id, who, false); !launched)
        refuse(trace::CommandVerb::addClient, id, launched.error().all());
}

void Run::rejoin(const Action& action)
{
    const auto known = std::find_if(m_roster.begin(), m_roster.end(),
                                    [&](const Participant& one) { return one.name == action.client; });
    const ClientId id{static_cast<ClientId::Value>(known - m_roster.begin())};
    if (known == m_roster.end() || find(id))
        return refuse(trace::CommandVerb::rejoinClient, ClientId::none(),
                      known == m_roster.end() ? message("There never was a client \"%1\".", action.client)
                                              : message("%1 has not left the run.", action.client));
    const Participant who = *known;
    accept(trace::CommandVerb::rejoinClient, id, who.name);
    if (const Result<void> launched = launch(id, who, false); !launched)
        refuse(trace::CommandVerb::rejoinClient, id, launched.error().all());
}

void Run::removeClient(ClientId id)
{
    if (!id.valid()) { // the last client that is not leaving already
        const auto last = std::find_if(m_clients.rbegin(), m_clients.rend(),
                                       [](const auto& entry) { return !entry.second->leaving(); });
        if (last != m_clients.rend())
            id = last->first;
    }
    Client* client = find(id);
    if (!client)
        return refuse(trace::CommandVerb::removeClient, id, noSuchClient());
    accept(trace::CommandVerb::removeClient, id, client->name());
    client->leave();
}

namespace {

constexpr std::size_t kMaxNamedClients = 5;

} // namespace

Message Run::describeStall()
{
    bool blocked = !m_clients.empty(), held = true, stopped = false;
    for (const auto& [id, client] : m_clients) {
        blocked = blocked && client->isBlocked();
        held = held && client->isHeld();
        stopped = stopped || client->isHeld() || client->frozen();
    }
    const bool shared = m_environment.share.has_value();
    // On foreign servers, a client may wait for a client of another program.
    const bool still = blocked && (stopped || m_environment.server || shared) && m_pending == 0 &&
                       !m_script->hasPendingTimers() && m_script->clientEvents() == m_clientEvents &&
                       !(m_shared && m_shared->hasUnanswered());
    m_clientEvents = m_script->clientEvents();
    const Duration patience = cut_short::stallPatience(m_scenario.sessionTimeout, held);
    const bool isStalled = m_standStill.after(still, m_hub.now()) >= patience;
    Message who = isStalled ? describeRemaining() : Message();
    if (!shared)
        return who;
    if (m_shared) // another worker may let them continue: the coordinator knows
        m_shared->standStill((stopped && !who.empty() ? std::string(kStopped) : "") + who.english());
    return {};
}

Message Run::describeRemaining() const
{
    std::vector<Message> named;
    for (const auto& [id, client] : m_clients)
        if (named.size() < kMaxNamedClients)
            named.push_back(message("%1 (%2)", client->name(), describeState(*client)));
    const std::size_t more = m_clients.size() - named.size();
    return more > 0 ? message("%1 and %2 more", listed(named), more) : listed(named);
}

Message Run::describeState(const Client& client) const
{
    if (client.frozen())
        //: a client's state: it does not run, so it sends nothing
        return message("frozen");
    if (const auto step = client.pendingStep())
        return message("held before %1", stepName(*step));
    if (client.isHeld())
        //: a client's state: it is held before its next step
        return message("paused");
    if (client.sessionPhase() != zk::SessionPhase::connected)
        return message("not connected");
    return client.holds()
               //: a client's state: it has the lock
               ? message("holds")
               //: a client's state: it does not have the lock
               : message("waits");
}

} // namespace lockscope::sim
