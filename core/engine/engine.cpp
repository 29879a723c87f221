#include "core/engine/engine.h"

#include "core/base/host_port.h"
#include "core/engine/private_servers.h"
#include "core/engine/program_run.h"
#include "core/engine/session_key.h"
#include "core/engine/watch_run.h"
#include "core/engine/watch_table_poller.h"
#include "core/server/probe/four_letter.h"
#include "core/server/probe/session_probe.h"
#include "core/sim/client/refusal.h"
#include "core/sim/run/abstract_run.h"
#include "core/sim/run/cut_short.h"
#include "core/sim/run/foreign_check.h"
#include "core/sim/run/run.h"
#include "core/sim/scenario/work.h"
#include "core/zk/hub.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace lockscope::engine {

// The state of the I/O thread, in the order of its creation: server, hub, run.
struct Engine::Impl
{
    explicit Impl(Options given);
    ~Impl();

    // ---- the I/O thread ----
    void run();
    void endClients();
    void begin();
    void startClients();
    void refuse(const Error& error);
    void measureContact();
    void concludeContact();
    bool failOnException(const std::function<void()>& what);
    Result<void> prepare();
    Result<std::string> findServer();
    Result<void> probeServers(const std::string& addresses);
    std::optional<Error> wrongSecurity(const std::string& address) const;
    void makeRun(bool links);
    void recordServer(trace::ServerPhase phase, const Message& detail);
    void pollServers();
    void recordOutage();
    void checkLimits();
    void cutShort(std::string_view code, const Message& text);
    void makeWatchTablePoller();
    void pollWatchTables(bool wanted);
    void execute(const EngineCommand& command);
    void shutDown();
    void setPhase(Phase next, const Message& detail = {});
    void fail(Error error);

    Options options;
    std::shared_ptr<trace::TraceStore> store;
    std::shared_ptr<const SessionKey> sessionKey;
    boost::asio::io_context io{1};
    std::thread thread;
    std::stop_source stopping;
    std::atomic<Phase> phase{Phase::idle};
    std::atomic<bool> over{false};
    std::function<void(Phase)> phaseCallback;
    mutable std::mutex failureMutex;
    std::optional<Error> failure;

    std::unique_ptr<trace::Recorder> recorder;
    std::unique_ptr<PrivateServers> managed; // null when the server is not ours
    std::unique_ptr<zk::Hub> hub;
    std::unique_ptr<sim::AbstractRun> simulation;
    std::shared_ptr<sim::ForeignCheck> foreignCheck; // before the first client starts
    std::vector<EngineCommand> early; // while foreignCheck looks: executed when the clients start
    std::shared_ptr<WatchTablePoller> watchTablePoller;
    std::string hosts;
    tls::Security security{}; // of the connections to them
    Message serverNote;       // servers without an address, and why
    std::string version;
    std::string mode;
    trace::ServerPhase serverPhase = trace::ServerPhase::starting;
    std::string_view cut;  // why the run is cut short; empty: it is not
    MonotonicTime begun{}; // when the clients started; zero: not yet
    MonotonicTime lastContact{};
    MonotonicTime lastPoll{};
    Duration running{};        // since the first contact, without pauses
    Duration withoutContact{}; // of that, with no client that could be served
    bool wasConnected = false;
    bool ended = false; // commands are not executed any more
};

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

// A watch-only run shows real ids, for comparison with the output of servers and other programs.
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
    if (!options.programs) // as it runs, with changes by the command line or the window
        header.scenarioToml = sim::toToml(scenario);
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
    recorder->record(trace::RunPhaseChanged{trace::RunPhase::starting, {}});
    if (options.realSessionIds)
        recorder->record(trace::Notice{
            trace::Severity::warning,
            message("This run records real session IDs: anyone who knows an ID can take over its session."),
            "real_session_ids"});
    failOnException([this] {
        if (const Result<void> ready = prepare(); !ready)
            fail(ready.error());
        else
            begin();
    });
    while (hub && !failOnException([this] { io.run(); })) {
    }
    endClients();
    failOnException([this] {
        if (phase != Phase::failed && phase != Phase::finished)
            //: why the run is over: it was stopped
            setPhase(Phase::finished, message("stopped"));
    });
    managed.reset();
    simulation.reset();
    watchTablePoller.reset();
    hub.reset();
}

// io.run() returns when the sessions are closed, and may leave a client whose coroutine has not begun or not
// ended: it must do both while the run exists.
void Engine::Impl::endClients()
{
    for (std::size_t executed = 1; executed > 0;) {
        io.restart();
        failOnException([&] { executed = io.poll(); });
    }
}

namespace {

constexpr Duration kCheckLimit = std::chrono::seconds(15); // without limits of the run

} // namespace

// Our own servers are empty, and a run that only watches joins nothing.
void Engine::Impl::begin()
{
    const sim::Scenario& scenario = options.scenario;
    if (managed || options.joinForeign || scenario.joinForeign || scenario.recipe == Recipe::none ||
        sim::onlyWatches(scenario))
        return startClients();
    foreignCheck = std::make_shared<sim::ForeignCheck>(zk::ReadHub(*hub), hosts, scenario,
                                                       options.limits ? options.limits->contact : kCheckLimit,
                                                       options.ownNodes);
    foreignCheck->start([this](const Result<void>& checked) {
        if (checked)
            startClients();
        else if (checked.error().code == ErrorCode::noAuth)
            refuse(checked.error());
        else
            fail(checked.error());
    });
}

// As when a client lacks a right that it needs.
void Engine::Impl::refuse(const Error& error)
{
    sim::recordRefusal(*recorder, ClientId::none(), LockId::none(), error);
    cut = sim::cut_short::kRefused;
    setPhase(Phase::finished);
    shutDown();
}

void Engine::Impl::startClients()
{
    begun = lastPoll = hub->now();
    const Result<void> started = simulation->start(options.startPaused, [this] {
        ended = true;
        concludeContact();
        if (cut.empty() && simulation->refused())
            cut = sim::cut_short::kRefused;
        setPhase(Phase::finished);
        shutDown();
    });
    setPhase(options.startPaused ? Phase::paused : Phase::running);
    if (!started)
        fail(started.error());
    pollServers();
    for (const EngineCommand& command : std::exchange(early, {}))
        execute(command);
}

// Runs `what`. An exception of a handler (bad_alloc) or of the onPhase() callback fails this run, not the
// program. False after an exception.
bool Engine::Impl::failOnException(const std::function<void()>& what)
{
    try {
        what();
        return true;
    } catch (const std::exception& error) {
        fail({ErrorCode::internal, message("The run failed: %1.", error.what()), {}});
        return false;
    }
}

Result<void> Engine::Impl::prepare()
{
    if (const Result<void> valid = sim::validate(options.scenario); !valid)
        return valid;
    const std::size_t workers = options.share ? options.share->of : 1;
    const std::size_t sessions = sim::sessionCount(sim::participants(options.scenario)) / workers + 1;
    const bool links = options.links || options.programs || sim::needsLinks(options.scenario);
    // In addition to its client's socket, a link has a listening socket and both ends of a connection, and a
    // secured connection has both ends of a pair.
    const bool secured = options.tls || zk::splitChroot(options.connect).tls;
    if (const Result<void> fits =
            zk::checkSessionCapacity(((links ? 4 : 1) + (secured ? 2 : 0)) * sessions + 10);
        !fits)
        return fits;
    const Result<std::string> found = findServer();
    if (!found)
        return found.error();
    hosts = *found;
    zk::HubOptions hubOptions = zk::HubOptions::ownProcess();
    hubOptions.security = security;
    Result<std::unique_ptr<zk::Hub>> made = zk::Hub::create(io, std::move(hubOptions));
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

void Engine::Impl::makeRun(bool links)
{
    if (sim::onlyWatches(options.scenario)) {
        options.startPaused = false;
        simulation = std::make_unique<WatchRun>(io, *recorder, options.scenario, hosts, security);
        return;
    }
    if (options.programs) {
        options.startPaused = false;
        simulation = std::make_unique<ProgramRun>(io, *hub, *recorder, options.scenario, *options.programs,
                                                  hosts, *managed);
        return;
    }
    sim::RunEnvironment environment{hosts, options.observe, options.attended, managed.get(), {}};
    environment.share = options.share;
    if (links)
        environment.makeLink = [this](std::uint64_t seed) {
            return sim::ClientLink::open(io, hosts, seed, security.isOn());
        };
    simulation = std::make_unique<sim::Run>(*hub, *recorder, options.scenario, std::move(environment));
}

// Ends the run on its thread: clients leave, their sessions are closed, and io.run() returns when all closes
// are complete.
void Engine::Impl::shutDown()
{
    if (!hub)
        return;
    ended = true;
    if (watchTablePoller)
        watchTablePoller->stop();
    if (foreignCheck)
        foreignCheck->stop();
    if (managed)
        managed->end(); // so no close waits for a private server; a foreign server receives every close
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
    if (begun == MonotonicTime{} && !std::holds_alternative<Finish>(command))
        return early.push_back(command);
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
        return; // a failed run stays failed when its clients have left
    recorder->record(
        trace::RunPhaseChanged{toTrace(next), detail, next == Phase::finished ? cut : std::string_view()});
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
    try {
        setPhase(Phase::failed, text);
    } catch (const std::exception&) {
        // The onPhase() callback threw. The run has failed already, and the first reason stays.
    }
    shutDown();
}

namespace {

constexpr Duration kWatchServerEvery = std::chrono::milliseconds(100);
constexpr Duration kStatusLimit = std::chrono::seconds(3); // a busy server may need more than 1 s

constexpr Duration kClosedLimit = std::chrono::milliseconds(500);
constexpr Duration kWhyLimit = std::chrono::seconds(1);

Error noServer(Message what)
{
    return {ErrorCode::noServer, std::move(what),
            message("Check the address, or omit --connect: LockScope then starts a ZooKeeper of its own.")};
}

} // namespace

Result<std::string> Engine::Impl::findServer()
{
    if (options.connect.empty() && !options.programs)
        options.connect = options.scenario.connect;
    recordServer(trace::ServerPhase::starting, {});
    if (!options.connect.empty()) {
        const zk::ConnectString parts = zk::splitChroot(options.connect);
        const Result<zk::ResolvedHosts> resolved = zk::resolveEveryHost(parts.servers + parts.chroot);
        if (!resolved)
            return resolved.error();
        const Result<tls::ContextPtr> context =
            parts.tls && !options.tls ? tls::load({}) : Result<tls::ContextPtr>(options.tls);
        if (!context)
            return context.error();
        security = {*context, resolved->names};
        for (const Error& left : resolved->unresolved)
            serverNote = joined(serverNote, left.message);
        // Where workers have met, servers are, even if they are too busy to answer at once.
        if (const Result<void> there = probeServers(resolved->addresses); !there && !options.share)
            return there.error();
        return resolved->addresses;
    }
    Result<std::unique_ptr<PrivateServers>> started =
        PrivateServers::start(io, options.scenario.servers, stopping.get_token());
    if (!started)
        return started.error();
    managed = std::move(*started);
    version = managed->version();
    mode = managed->mode();
    return managed->hosts();
}

// A server that says nothing may speak TLS where we do not, or the other way round, or not be trusted.
std::optional<Error> Engine::Impl::wrongSecurity(const std::string& address) const
{
    boost::asio::io_context asking{1};
    server::WhyNoSession why;
    server::asyncWhyNoSession(asking, address, security, kWhyLimit,
                              [&](const server::WhyNoSession& known) { why = known; });
    asking.run();
    using enum server::NoSession;
    if (why.what == tls || why.what == plain || why.what == unsecured)
        return server::noSession(why, address, security.hostOf(address));
    return std::nullopt;
}

// One server that answers is enough, even if it does not permit srvr.
Result<void> Engine::Impl::probeServers(const std::string& addresses)
{
    std::optional<Error> silent;
    for (const std::string& address : splitHosts(addresses)) {
        if (stopping.stop_requested())
            return Error{ErrorCode::cancelled, message("The start of the run was canceled."), {}};
        const Result<std::string> status =
            server::sendFourLetterWord(address, "srvr", kStatusLimit, security);
        const bool silence = status ? status->empty() : status.error().code == ErrorCode::noServer;
        if (const std::optional<Error> why = silence ? wrongSecurity(address) : std::nullopt) {
            silent = why;
            continue;
        }
        if (silence && !security.isOn() && server::closesConnectionsAtOnce(address, kClosedLimit)) {
            silent = server::noSession({server::NoSession::closes}, address);
            continue;
        }
        if (status) {
            const Result<server::ServerStatus> parsed = server::parseServerStatus(*status);
            if (parsed) {
                version = parsed->version;
                mode = parsed->mode;
            } else if (!status->empty()) {
                silent = server::noSession({server::NoSession::foreign}, address);
                continue;
            }
        } else if (status.error().code == ErrorCode::noServer || status.error().code == ErrorCode::busy) {
            silent = silent.value_or(status.error());
            continue;
        }
        return {};
    }
    if (silent && !silent->hint.empty())
        return *silent;
    return noServer(
        message("No ZooKeeper answers at %1: %2", options.connect, silent ? silent->message : Message()));
}

void Engine::Impl::recordServer(trace::ServerPhase next, const Message& detail)
{
    serverPhase = next;
    const std::string address = hosts.empty() ? options.connect : hosts;
    const std::string kind = managed || options.connect.empty() ? "embedded" : "attached";
    recorder->record(
        trace::ServerState{next, address, version, mode.empty() ? kind : mode + ", " + kind, detail});
}

void Engine::Impl::pollServers()
{
    if (ended)
        return;
    if (managed)
        if (const Result<void> looked = managed->refresh(*recorder, hub->now()); !looked)
            return fail(looked.error());
    recordOutage();
    measureContact();
    checkLimits();
    hub->after(kWatchServerEvery, [this] { pollServers(); });
}

// Called after each operation on a server and several times a second.
void Engine::Impl::recordOutage()
{
    if (ended)
        return;
    const Message outage = managed ? managed->outage() : Message();
    if (!outage.empty() || simulation->isDisconnected()) {
        if (serverPhase == trace::ServerPhase::ready)
            recordServer(trace::ServerPhase::down,
                         outage.empty() ? message("no client has contact") : outage);
    } else if (serverPhase == trace::ServerPhase::down && simulation->isConnected()) {
        recordServer(trace::ServerPhase::ready, serverNote);
    }
}

void Engine::Impl::measureContact()
{
    const MonotonicTime now = hub->now();
    const Duration since = now - std::exchange(lastPoll, now);
    if (phase == Phase::paused || !simulation->wasConnected())
        return;
    running += since;
    if (simulation->isWithoutContact() || (managed && !managed->outage().empty()))
        withoutContact += since;
}

// A run whose clients had no server for most of it has checked little: it must not look like one that went
// well.
void Engine::Impl::concludeContact()
{
    measureContact();
    if (!options.limits || !cut.empty() || 2 * withoutContact <= running)
        return;
    cut = sim::cut_short::kMostlyNoContact;
    const auto shown = [](Duration time) {
        return sim::formatDuration(std::chrono::ceil<std::chrono::milliseconds>(time / 100) * 100);
    };
    recorder->record(trace::Notice{
        trace::Severity::error,
        message("For %1 of %2 no client could be served by ZooKeeper: the findings cover only the rest.",
                shown(withoutContact), shown(running)),
        cut});
}

void Engine::Impl::makeWatchTablePoller()
{
    WatchTablePoller::Setup setup{io, *hub, *recorder, hosts, {}, managed != nullptr, security};
    for (std::size_t i = 0; i < store->count(); ++i) {
        const trace::Event& event = store->at(i);
        if (const auto* lock = std::get_if<trace::LockAdded>(&event.what))
            setup.locks.emplace_back(event.lock, std::string(lock->path));
    }
    watchTablePoller = std::make_shared<WatchTablePoller>(std::move(setup));
}

void Engine::Impl::pollWatchTables(bool wanted)
{
    const bool isNew = wanted && !options.watches;
    options.watches = wanted;
    if (watchTablePoller && (phase == Phase::running || phase == Phase::paused)) {
        watchTablePoller->setPolling(wanted && phase == Phase::running);
        if (isNew && phase == Phase::paused)
            watchTablePoller->pollOnce(); // the last poll is older than the pause, or there was none
    } else if (watchTablePoller && phase != Phase::idle && phase != Phase::starting)
        watchTablePoller->stop();
}

namespace {

constexpr Duration kLeaveLimit = std::chrono::seconds(5); // for clients to leave

} // namespace

void Engine::Impl::checkLimits()
{
    if (ended || !options.limits || !cut.empty())
        return;
    const MonotonicTime now = hub->now();
    wasConnected = wasConnected || simulation->wasConnected();
    if (simulation->isConnected())
        lastContact = now;
    const auto& duration = options.scenario.duration;
    if (now - std::max(lastContact, begun) > options.limits->contact) {
        const std::string limit = sim::formatDuration(options.limits->contact);
        if (!wasConnected)
            return fail(noServer(
                message("No ZooKeeper answers at %1: no session was granted within %2.", hosts, limit)));
        cutShort(sim::cut_short::kNoContact,
                 message("No client has had contact with ZooKeeper for %1: the run is cut short.", limit));
    } else if (duration && now - begun > *duration && now - begun - *duration > options.limits->grace) {
        cutShort(sim::cut_short::kOverdue,
                 message("The run exceeded its duration by %1 and is cut short: %2.",
                         sim::formatDuration(options.limits->grace), simulation->describeRemaining()));
    } else if (const Message who = simulation->describeStall(); !who.empty()) {
        cutShort(sim::cut_short::kStalled, sim::cut_short::stalledText(who));
    }
}

// Orderly if some session is connected, otherwise at once.
void Engine::Impl::cutShort(std::string_view code, const Message& text)
{
    if (ended || !cut.empty())
        return;
    cut = code;
    if (!text.empty())
        recorder->record(trace::Notice{trace::Severity::error, text, code});
    const bool connected = simulation->isConnected();
    simulation->finish();
    hub->after(connected ? kLeaveLimit : Duration{}, [this] {
        if (!ended)
            shutDown();
    });
}

// ---- any thread -----------------------------------------------------------------------------------------

Engine::Engine(Options options)
    : m_impl(std::make_unique<Impl>(std::move(options)))
{}

Engine::~Engine() { stop(); }

void Engine::start()
{
    if (m_impl->thread.joinable())
        return;
    m_impl->phase = Phase::starting;
    m_impl->thread = std::thread([impl = m_impl.get()] {
        impl->run();
        impl->over = true;
    });
}

void Engine::post(EngineCommand command)
{
    boost::asio::post(m_impl->io, [impl = m_impl.get(), command] { impl->execute(command); });
}

void Engine::stop()
{
    m_impl->stopping.request_stop();
    boost::asio::post(m_impl->io, [impl = m_impl.get()] { impl->shutDown(); });
    if (m_impl->thread.joinable())
        m_impl->thread.join();
}

Phase Engine::phase() const { return m_impl->phase; }

bool Engine::over() const { return m_impl->over; }

std::optional<Error> Engine::failure() const
{
    std::lock_guard lock(m_impl->failureMutex);
    return m_impl->failure;
}

void Engine::onPhase(std::function<void(Phase)> callback) { m_impl->phaseCallback = std::move(callback); }

std::shared_ptr<const trace::TraceStore> Engine::trace() const { return m_impl->store; }

} // namespace lockscope::engine
