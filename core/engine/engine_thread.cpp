#include "core/engine/engine_thread.h"

#include "core/server/four_letter.h"

#include <utility>

namespace lockscope::engine {

namespace {

constexpr Duration kWatchServerEvery = std::chrono::milliseconds(250);
constexpr Duration kReviveAfter = std::chrono::seconds(2); // long enough to see what a server's absence does
constexpr Duration kStatusLimit = std::chrono::seconds(1);

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

trace::Header headerFor(const sim::Scenario& scenario)
{
    trace::Header header;
    header.scenario = scenario.name;
    header.title = scenario.title;
    header.scenarioToml = scenario.source;
    header.seed = scenario.seed;
    return header;
}

// Milliseconds each: they may run on the I/O thread.
class OwnServer final : public sim::ServerHand
{
public:
    explicit OwnServer(std::unique_ptr<server::ManagedServer>& server) : m_server(server) {}
    Result<void> suspend() override { return m_server ? m_server->suspend() : gone(); }
    Result<void> resume() override { return m_server ? m_server->resume() : gone(); }
    Result<void> killNow() override { return m_server ? m_server->killNow() : gone(); }

private:
    static Result<void> gone() { return Error{ErrorCode::noServer, "The server has been ended already.", ""}; }
    std::unique_ptr<server::ManagedServer>& m_server;
};

} // namespace

Engine::Impl::Impl(Options given)
    : options(std::move(given)), store(std::make_shared<trace::TraceStore>(headerFor(options.scenario)))
{
}

Engine::Impl::~Impl() = default;

// ---- the life of a run -----------------------------------------------------------------------------------------

void Engine::Impl::run()
{
    recorder = std::make_unique<trace::Recorder>(*store);
    recorder->record(ClientId::none(), LockId::none(), trace::RunState{trace::RunPhase::starting, {}});
    if (const Result<void> ready = prepare(); !ready) {
        fail(ready.error());
    } else {
        simulation->start(options.startPaused, [this] {
            ended = true;
            setPhase(Phase::finished);
            windUp();
        });
        setPhase(options.startPaused ? Phase::paused : Phase::running);
        watchServer();
        io.run();
    }
    if (phase != Phase::failed && phase != Phase::finished)
        setPhase(Phase::finished, "stopped");
    managed.reset();
    simulation.reset();
    hub.reset();
}

Result<void> Engine::Impl::prepare()
{
    if (const Result<void> valid = sim::validate(options.scenario); !valid)
        return valid;
    if (const Result<void> fits = zk::checkSessionCapacity(options.scenario.clients + 2); !fits)
        return fits;
    const Result<std::string> found = findServer();
    if (!found)
        return found.error();
    hosts = *found;
    Result<std::unique_ptr<zk::Hub>> made = zk::Hub::create(io);
    if (!made)
        return made.error();
    hub = std::move(*made);
    recordServer(trace::ServerPhase::ready, "");
    if (managed)
        serverHand = std::make_unique<OwnServer>(managed);
    simulation =
        std::make_unique<sim::Run>(*hub, *recorder, options.scenario, hosts, options.observe, serverHand.get());
    return {};
}

Result<std::string> Engine::Impl::findServer()
{
    recordServer(trace::ServerPhase::starting, "");
    if (!options.connect.empty()) {
        const Result<std::string> resolved = zk::resolveHosts(options.connect);
        if (!resolved)
            return resolved;
        const std::string first = resolved->substr(0, resolved->find(','));
        const Result<std::string> status = server::fourLetterWord(first, "srvr", kStatusLimit);
        if (status) {
            if (const Result<server::ServerStatus> parsed = server::parseServerStatus(*status)) {
                version = parsed->version;
                mode = parsed->mode;
            }
        } else if (status.error().code == ErrorCode::noServer && resolved->find(',') == std::string::npos) {
            return Error{ErrorCode::noServer, "No ZooKeeper answers at " + options.connect + ": " + status.error().message,
                         "Check the address, or leave --connect out: LockScope starts a ZooKeeper of its own."};
        }
        return resolved;
    }
    server::ManagedServer::Options wanted;
    wanted.cancel = stopping.get_token();
    Result<std::unique_ptr<server::ManagedServer>> started = server::ManagedServer::start(wanted);
    if (!started)
        return started.error();
    managed = std::move(*started);
    version = managed->version();
    mode = managed->mode();
    return managed->address();
}

// Ends the run on its own thread: clients leave, their sessions are closed, and io.run() returns when all coroutines
// have ended.
void Engine::Impl::windUp()
{
    if (!hub)
        return;
    ended = true;
    managed.reset(); // without it a close has nothing to wait for; a foreign server is told of every close
    if (simulation)
        simulation->abandon();
    hub->hurry();
    hub->whenClosed([this] { io.stop(); });
}

// ---- the server ------------------------------------------------------------------------------------------------

void Engine::Impl::recordServer(trace::ServerPhase next, const std::string& detail)
{
    serverPhase = next;
    const std::string address = hosts.empty() ? options.connect : hosts;
    const std::string kind = managed || options.connect.empty() ? "embedded" : "attached";
    recorder->record(ClientId::none(), LockId::none(),
                     trace::ServerState{next, address, version, mode.empty() ? kind : mode + ", " + kind, detail});
}

void Engine::Impl::watchServer()
{
    if (ended)
        return;
    const bool gone = managed && !managed->running();
    if (gone || simulation->outOfContact()) {
        if (serverPhase == trace::ServerPhase::ready)
            recordServer(trace::ServerPhase::down, gone ? "its process has ended" : "no client has contact");
        if (gone && reviveAt == MonotonicTime::max())
            reviveAt = hub->now() + kReviveAfter;
    } else if (serverPhase == trace::ServerPhase::down && simulation->inContact()) {
        recordServer(trace::ServerPhase::ready, "");
    }
    if (gone && hub->now() >= reviveAt)
        reviveServer();
    hub->after(kWatchServerEvery, [this] { watchServer(); });
}

// Our own server has died: the same port and the same data, so that sessions can go on.
void Engine::Impl::reviveServer()
{
    reviveAt = MonotonicTime::max();
    recorder->record(ClientId::none(), LockId::none(),
                     trace::Notice{trace::Severity::info, "ZooKeeper is started again, with its data."});
    if (const Result<void> again = managed->restart(); !again)
        fail(again.error());
}

// ---- commands and phases -----------------------------------------------------------------------------------------

void Engine::Impl::carryOut(const EngineCommand& command)
{
    if (ended || !simulation)
        return;
    struct Carry
    {
        Impl& impl;
        sim::Run& run;
        void operator()(const Pause&) const
        {
            run.pause();
            impl.setPhase(Phase::paused);
        }
        void operator()(const Resume&) const
        {
            run.resume();
            impl.setPhase(Phase::running);
        }
        void operator()(const SetPace& set) const { run.setPace(set.step); }
        void operator()(const KillSession& kill) const { run.killSession(kill.client); }
        void operator()(const KillHolder&) const { run.killHolder(); }
        void operator()(const AddClient&) const { run.addClient(); }
        void operator()(const RemoveClient& remove) const { run.removeClient(remove.client); }
        void operator()(const Freeze& freeze) const { run.freeze(freeze.client); }
        void operator()(const Thaw& thaw) const { run.thaw(thaw.client); }
        void operator()(const DeleteNode& node) const { run.deleteNode(node.client); }
        void operator()(const WriteNode& node) const { run.writeNode(node.client); }
        void operator()(const StopServer& stop) const { run.stopServer(stop.span); }
        void operator()(const KillServer&) const { run.killServer(); }
        void operator()(const Finish&) const { run.finish(); }
    };
    std::visit(Carry{*this, *simulation}, command);
}

void Engine::Impl::setPhase(Phase next, const std::string& detail)
{
    if (phase.exchange(next) == next)
        return;
    recorder->record(ClientId::none(), LockId::none(), trace::RunState{toTrace(next), detail});
    if (phaseCallback)
        phaseCallback(next);
}

void Engine::Impl::fail(Error error)
{
    const std::string text = error.text();
    {
        std::lock_guard lock(failureMutex);
        failure = std::move(error);
    }
    setPhase(Phase::failed, text);
    windUp();
}

} // namespace lockscope::engine
