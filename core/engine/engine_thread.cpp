#include "core/engine/engine_thread.h"
#include "core/engine/client_link.h"
#include "core/sim/run/cut_short.h"
#include "core/sim/run/run.h"
#include "core/sim/run/watch_run.h"

#include <exception>
#include <utility>

namespace lockscope::engine {

namespace {

trace::RunPhase toTrace(Phase phase)
{
    switch (phase) {
    case Phase::idle:
    case Phase::starting:
        return trace::RunPhase::starting;
    case Phase::running:
        return trace::RunPhase::running;
    case Phase::paused:
        return trace::RunPhase::paused;
    case Phase::finished:
        return trace::RunPhase::finished;
    case Phase::failed:
        return trace::RunPhase::failed;
    }
    return trace::RunPhase::failed;
}

// Who only watches compares ids with what the servers and others say: it sees the real ones.
bool showsRealSessions(const Options& options)
{
    return options.realSessionIds || sim::participants(options.scenario).empty();
}

trace::Header headerFor(const Options& options)
{
    const sim::Scenario& scenario = options.scenario;
    trace::Header header;
    header.sessionIds = showsRealSessions(options) ? trace::SessionIds::real : trace::SessionIds::pseudonyms;
    header.scenario = scenario.name;
    header.title = scenario.title;
    header.scenarioToml = sim::toToml(scenario); // as it runs, with what was changed from outside
    header.seed = scenario.seed;
    return header;
}

} // namespace

Engine::Impl::Impl(Options given)
    : options(std::move(given))
    , store(std::make_shared<trace::TraceStore>(headerFor(options)))
    , sessionKey(std::make_shared<SessionKey>(options.sessionKey))
{
    if (showsRealSessions(options) && !options.realSessionIds)
        store->setWrittenSessionNames(sessionKey);
}

Engine::Impl::~Impl() = default;

// ---- the life of a run ----------------------------------------------------------------------------------

void Engine::Impl::run()
{
    recorder = std::make_unique<trace::Recorder>(*store);
    if (!showsRealSessions(options))
        recorder->setSessionNames(sessionKey);
    recorder->record(ClientId::none(), LockId::none(), trace::RunState{trace::RunPhase::starting, {}});
    if (options.realSessionIds)
        recorder->record(ClientId::none(), LockId::none(),
                         trace::Notice{trace::Severity::warning,
                                       message("Session ids are the real ones here: whoever knows one can take the session over."),
                                       "real_session_ids"});
    if (const Result<void> ready = prepare(); !ready) {
        fail(ready.error());
    } else {
        begun = hub->now();
        const Result<void> started = simulation->start(options.startPaused, [this] {
            ended = true;
            if (cut.empty() && simulation->refused())
                cut = sim::cut_short::kRefused;
            setPhase(Phase::finished);
            shutDown();
        });
        setPhase(options.startPaused ? Phase::paused : Phase::running);
        if (!started)
            fail(started.error());
        pollServers();
        runHandlers();
    }
    if (phase != Phase::failed && phase != Phase::finished)
        setPhase(Phase::finished, message("stopped"));
    managed.reset();
    simulation.reset();
    watchTablePoller.reset();
    hub.reset();
}

// An exception of a handler (there is no memory) or of onPhase() ends this run and not the program.
void Engine::Impl::runHandlers()
{
    for (;;) {
        try {
            io.run();
            return;
        } catch (const std::exception& error) {
            fail({ErrorCode::internal, message("The run failed: %1.", error.what()), {}});
        }
    }
}

Result<void> Engine::Impl::prepare()
{
    if (const Result<void> valid = sim::validate(options.scenario); !valid)
        return valid;
    const std::size_t sessions = sim::sessionCount(sim::participants(options.scenario));
    const bool links = options.links || sim::needsLinks(options.scenario);
    // A link has a listening socket and two ends of a connection.
    if (const Result<void> fits = zk::checkSessionCapacity((links ? 4 : 1) * sessions + 10); !fits)
        return fits;
    const Result<std::string> found = findServer();
    if (!found)
        return found.error();
    hosts = *found;
    Result<std::unique_ptr<zk::Hub>> made = zk::Hub::create(io);
    if (!made)
        return made.error();
    hub = std::move(*made);
    recordServer(trace::ServerPhase::ready, serverNote);
    makeRun(links);
    if (managed)
        managed->onChange([this] { hub->after(Duration::zero(), [this] { recordOutage(); }); });
    simulation->onPaused([this](bool paused) { setPhase(paused ? Phase::paused : Phase::running); });
    makeWatchTablePoller();
    return {};
}

// Who only watches is given nothing that could write.
void Engine::Impl::makeRun(bool links)
{
    if (sim::onlyWatches(options.scenario)) {
        options.startPaused = false;
        simulation =
            std::make_unique<sim::WatchRun>(zk::ReadHub(*hub), *recorder, options.scenario, hosts);
        return;
    }
    sim::RunEnvironment world{hosts, options.observe, options.attended, managed.get(), {}};
    if (links)
        world.makeLink = [this](std::uint64_t seed) { return ClientLink::open(io, hosts, seed); };
    simulation = std::make_unique<sim::Run>(*hub, *recorder, options.scenario, std::move(world));
}

// Ends the run on its own thread: clients leave, their sessions are closed, and io.run() returns when all
// coroutines have ended.
void Engine::Impl::shutDown()
{
    if (!hub)
        return;
    ended = true;
    if (watchTablePoller)
        watchTablePoller->stop();
    if (managed)
        managed->end(); // without it a close has nothing to wait for; a foreign server is told of every close
    if (simulation)
        simulation->abandon();
    hub->expireTimers();
    hub->whenClosed([this] { io.stop(); });
}

// ---- commands and phases --------------------------------------------------------------------------------

void Engine::Impl::execute(const EngineCommand& command)
{
    if (ended || !simulation)
        return;
    if (const auto* one = std::get_if<Execute>(&command)) {
        if (one->client.valid())
            simulation->execute(one->action, one->client);
        else
            simulation->execute(one->action);
    } else if (const auto* pace = std::get_if<SetPace>(&command)) {
        simulation->setPace(pace->step);
    } else if (const auto* until = std::get_if<RunUntil>(&command)) {
        simulation->runUntil(until->when);
    } else if (const auto* poll = std::get_if<PollWatchTables>(&command)) {
        pollWatchTables(poll->on);
    } else if (const auto* finish = std::get_if<Finish>(&command)) {
        if (finish->cutShort.empty())
            simulation->finish();
        else
            cutShort(finish->cutShort, {});
    }
}

void Engine::Impl::setPhase(Phase next, const Message& detail)
{
    if (phase == Phase::failed || phase.exchange(next) == next)
        return; // a run that failed stays so when its clients have left
    recorder->record(ClientId::none(), LockId::none(),
                     trace::RunState{toTrace(next), detail, next == Phase::finished ? cut : std::string_view()});
    pollWatchTables(options.watches);
    if (phaseCallback)
        phaseCallback(next);
}

void Engine::Impl::fail(Error error)
{
    const Message text = error.all();
    {
        std::lock_guard lock(failureMutex);
        failure = std::move(error);
    }
    setPhase(Phase::failed, text);
    shutDown();
}

} // namespace lockscope::engine
