#include "core/sim/run.h"

#include "core/sim/refusal.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

constexpr Duration kLongestPace = std::chrono::seconds(60);
constexpr std::size_t kMostObserved = 8; // locks whose queue the server is asked for

} // namespace

Run::Run(zk::Hub& hub, trace::Recorder& recorder, const Scenario& scenario, RunWorld world)
    : m_hub(hub)
    , m_recorder(recorder)
    , m_scenario(scenario)
    , m_world(std::move(world))
    , m_roster(participants(scenario))
    , m_control(hub, recorder)
    , m_startGate(scenario.arrival, scenario.seed, static_cast<std::uint32_t>(m_roster.size()))
    , m_context{hub, recorder, scenario, m_world.hosts, m_control, m_startGate, {}}
    , m_script(std::make_unique<ScriptRunner>(hub, recorder, scenario.script,
                                              [this](const Deed& deed) { carryOut(deed); }))
{
    m_leases = scenario.leases;
    m_context.refused = [this](ClientId client, const Error& error) {
        noteRefusal(client, m_context.places.front().queue, error);
    };
    addPlaces();
}

Run::~Run()
{
    for (const std::shared_ptr<Observer>& observer : m_observers)
        observer->stop();
}

void Run::addPlaces()
{
    LockId::Value next = 0;
    const std::string_view handoff = toString(m_scenario.handoff);
    const auto announce = [&](const std::string& path, std::string_view recipe) {
        const LockId id{next++};
        m_recorder.record(ClientId::none(), id, trace::LockAdded{path, recipe, handoff});
        return id;
    };
    for (const std::string& path : m_scenario.locks) {
        LockPlace place{path};
        const bool leases = isSemaphore(m_scenario.recipe);
        place.queue = announce(leases ? path + "/leases" : path, toString(m_scenario.recipe));
        place.resource = std::make_unique<Resource>(m_recorder, place.queue, m_scenario.fencedResource,
                                                    m_scenario.resource);
        if (leases) {
            const std::uint32_t most = m_scenario.recipe == Recipe::semaphore ? m_scenario.leases : 1;
            m_recorder.record(ClientId::none(), place.queue, trace::LockLimit{most});
            place.resource->setPermits(most);
            place.entrance = announce(path + "/locks", toString(Recipe::mutex));
        }
        m_context.places.push_back(std::move(place));
    }
    if (m_scenario.recipe == Recipe::semaphore)
        m_context.leasesPath = m_scenario.locks.front() + "/most";
    if (!m_world.observe || m_scenario.recipe == Recipe::none)
        return;
    for (const LockPlace& place : m_context.places) {
        if (m_observers.size() >= kMostObserved)
            break;
        const std::string path = isSemaphore(m_scenario.recipe) ? place.path + "/leases" : place.path;
        m_observers.push_back(
            std::make_shared<Observer>(zk::ReadHub(m_hub), m_recorder, m_world.hosts, path, place.queue,
                                       Observer::Of::ownRun));
    }
}

Result<void> Run::start(bool paused, std::function<void()> finished)
{
    m_finished = std::move(finished);
    m_control.setPaused(paused);
    m_control.setHolding(m_scenario.stepping);
    if (m_scenario.stepping && !m_world.attended)
        stepInTurn();
    m_control.follow(m_scenario.steps);
    if (m_scenario.pace > Duration{}) {
        m_control.setPace(m_scenario.pace);
        m_recorder.record(ClientId::none(), LockId::none(), trace::PaceChanged{m_scenario.pace});
    }
    m_context.start = m_hub.now();
    if (m_scenario.duration)
        m_context.lastStart = m_context.start + *m_scenario.duration;
    for (const std::shared_ptr<Observer>& observer : m_observers)
        observer->start();
    if (m_scenario.duration)
        m_hub.after(*m_scenario.duration, [this, alive = std::weak_ptr<const void>(m_alive)] {
            if (alive.lock())
                whenTimeIsUp();
        });
    m_quietSince = m_context.start;
    noteWhatComesTooLate();
    m_script->start();
    const std::vector<Participant> roster = m_roster;
    for (std::uint32_t n = 0; n < roster.size(); ++n)
        if (Result<void> launched = launch(ClientId{n}, roster[n], true); !launched)
            return launched;
    return {};
}

Result<std::shared_ptr<Process>> Run::processFor(const Participant& who)
{
    if (!who.process.empty())
        if (std::shared_ptr<Process> shared = m_processes[who.process].lock())
            return shared;
    std::unique_ptr<LinkHand> link;
    if (m_world.makeLink) {
        Result<std::unique_ptr<LinkHand>> made = m_world.makeLink(m_scenario.seed + m_clients.size());
        if (!made)
            return made.error();
        link = std::move(*made);
    }
    auto process =
        std::make_shared<Process>(m_hub, m_world.hosts, m_scenario.sessionTimeout, std::move(link));
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
    const auto client = std::make_shared<Client>(
        m_context, id, who, *process, fromTheStart ? who.start.value_or(arrival) : Duration{}, fromTheStart);
    m_clients.emplace(id, client);
    if (LinkHand* link = (*process)->link())
        link->onReplyLost([this, id, alive = std::weak_ptr<const void>(m_alive)] {
            if (alive.lock())
                m_recorder.record(id, LockId::none(),
                                  trace::Notice{trace::Severity::info,
                                                "A reply was lost on its way, and the connection with it."});
        });
    client->start([this, id] {
        // Its own coroutine is still on the stack: forget it afterwards.
        m_hub.post([this, id] { onClientEnded(id); });
    });
    return {};
}

void Run::stepInTurn()
{
    m_control.stepInTurn();
    m_recorder.record(ClientId::none(), LockId::none(),
                      trace::Notice{trace::Severity::info,
                                    "Nobody attends to this run: its steps are taken in turn, one at a time.",
                                    "steps_in_turn"});
}

void Run::onClientEnded(ClientId id)
{
    m_clients.erase(id);
    m_script->ended(id);
    if (m_clients.empty())
        end();
}

void Run::end()
{
    if (!m_finished)
        return;
    // At rest nothing may be left in the queues: the server says so.
    auto left = std::make_shared<std::size_t>(m_observers.size());
    auto done = std::make_shared<std::function<void()>>(std::exchange(m_finished, nullptr));
    if (*left == 0)
        (*done)();
    for (const std::shared_ptr<Observer>& observer : m_observers)
        observer->lastLook([left, done] {
            if (--*left == 0)
                (*done)();
        });
}

// Who has not asked for a lock yet asks no more.
void Run::whenTimeIsUp()
{
    for (const auto& [id, client] : m_clients)
        client->lookAgain();
}

void Run::noteRefusal(ClientId client, LockId lock, const Error& error)
{
    if (m_refusals.insert(refusalKey(error)).second)
        recordRefusal(m_recorder, client, lock, error);
}

void Run::noteWhatComesTooLate()
{
    if (!m_scenario.duration)
        return;
    const std::string end = durationText(*m_scenario.duration);
    for (std::uint32_t n = 0; n < m_roster.size(); ++n)
        if (const Participant& who = m_roster[n]; who.start && *who.start >= *m_scenario.duration)
            m_recorder.record(ClientId::none(), LockId::none(),
                              trace::Notice{trace::Severity::warning,
                                            who.name + " starts at " + durationText(*who.start) +
                                                ", when the run of " + end + " is over: it takes no part.",
                                            "starts_too_late"});
    for (const ScriptLine& line : m_scenario.script)
        if (line.when.kind == When::Kind::at && line.when.time >= *m_scenario.duration)
            m_recorder.record(ClientId::none(), LockId::none(),
                              trace::Notice{trace::Severity::warning,
                                            "\"" + line.text + "\" comes when the run of " + end +
                                                " is over, or ends.",
                                            "script_too_late"});
}

void Run::finish()
{
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
    // Every timer is due soon, and the servers are gone.
    m_script->stop();
    m_alive.reset();
    for (const std::shared_ptr<Observer>& observer : m_observers)
        observer->stop();
    const auto clients = m_clients; // they go while they are told
    for (const auto& [id, client] : clients)
        client->abandon();
}

bool Run::inContact() const
{
    return std::any_of(m_clients.begin(), m_clients.end(), [](const auto& entry) {
        return entry.second->sessionPhase() == zk::SessionPhase::connected;
    });
}

bool Run::outOfContact() const
{
    const auto lost = [](zk::SessionPhase phase) {
        return phase == zk::SessionPhase::suspended || phase == zk::SessionPhase::lost;
    };
    const bool anyLost =
        std::any_of(m_clients.begin(), m_clients.end(),
                    [lost](const auto& entry) { return lost(entry.second->sessionPhase()); });
    return anyLost && !inContact();
}

// ---- what deeds are made of ------------------------------------------------------------------------------

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

void Run::setPace(Duration step)
{
    m_control.setPace(std::clamp<Duration>(step, Duration{}, kLongestPace));
    m_recorder.record(ClientId::none(), LockId::none(), trace::PaceChanged{m_control.pace()});
}

void Run::runUntil(const When& when)
{
    Deed pause;
    pause.kind = Deed::Kind::pause;
    m_script->add({when, pause, {}});
    setPaused(false);
}

} // namespace lockscope::sim
