// The server of a run: which one it is, what is said of it in the trace, and who asks it for its watches.
#include "core/engine/engine_thread.h"
#include "core/server/address.h"
#include "core/server/probe/four_letter.h"

namespace lockscope::engine {

namespace {

constexpr Duration kWatchServerEvery = std::chrono::milliseconds(100);
constexpr Duration kStatusLimit = std::chrono::seconds(3); // a busy server may pause for longer than one

} // namespace

Result<std::string> Engine::Impl::findServer()
{
    if (options.connect.empty())
        options.connect = options.scenario.connect;
    recordServer(trace::ServerPhase::starting, {});
    if (!options.connect.empty()) {
        const Result<zk::ResolvedHosts> resolved = zk::resolveEveryHost(options.connect);
        if (!resolved)
            return resolved.error();
        for (const Error& left : resolved->unresolved)
            serverNote = joined(serverNote, left.message);
        if (const Result<void> there = probeServers(resolved->addresses); !there)
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

// Of several addresses one that answers is enough; one that is there but does not say what it is will do.
Result<void> Engine::Impl::probeServers(const std::string& addresses)
{
    std::optional<Error> silent;
    for (const std::string& address : server::splitAddresses(addresses)) {
        if (stopping.stop_requested())
            return Error{ErrorCode::cancelled, message("The start of the run was given up."), {}};
        const Result<std::string> status = server::sendFourLetterWord(address, "srvr", kStatusLimit);
        if (status) {
            const Result<server::ServerStatus> parsed = server::parseServerStatus(*status);
            if (parsed) {
                version = parsed->version;
                mode = parsed->mode;
            } else if (!status->empty()) {
                silent = Error{ErrorCode::noServer, message("What answers at %1 is no ZooKeeper.", address), {}};
                continue;
            }
        } else if (status.error().code == ErrorCode::noServer) {
            silent = silent.value_or(status.error());
            continue;
        }
        return {};
    }
    return Error{ErrorCode::noServer,
                 message("No ZooKeeper answers at %1: %2", options.connect, silent ? silent->message : Message()),
                 message("Check the address, or leave --connect out: LockScope starts a ZooKeeper of its own.")};
}

void Engine::Impl::recordServer(trace::ServerPhase next, const Message& detail)
{
    serverPhase = next;
    const std::string address = hosts.empty() ? options.connect : hosts;
    const std::string kind = managed || options.connect.empty() ? "embedded" : "attached";
    recorder->record(
        ClientId::none(), LockId::none(),
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
    checkLimits();
    hub->after(kWatchServerEvery, [this] { pollServers(); });
}

// Soon after something was done to it, and some times a second.
void Engine::Impl::recordOutage()
{
    if (ended)
        return;
    const Message outage = managed ? managed->outage() : Message();
    if (!outage.empty() || simulation->isDisconnected()) {
        if (serverPhase == trace::ServerPhase::ready)
            recordServer(trace::ServerPhase::down, outage.empty() ? message("no client has contact") : outage);
    } else if (serverPhase == trace::ServerPhase::down && simulation->isConnected()) {
        recordServer(trace::ServerPhase::ready, serverNote);
    }
}

void Engine::Impl::makeWatchTablePoller()
{
    WatchTablePoller::Setup setup{io, *hub, *recorder, hosts, {}, managed != nullptr};
    for (std::size_t i = 0; i < store->count(); ++i) {
        const trace::Event& event = store->at(i);
        if (const auto* lock = std::get_if<trace::LockAdded>(&event.what))
            setup.locks.emplace_back(event.lock, std::string(lock->path));
    }
    watchTablePoller = std::make_shared<WatchTablePoller>(std::move(setup));
}

void Engine::Impl::pollWatchTables(bool wanted)
{
    options.watches = wanted;
    if (watchTablePoller)
        watchTablePoller->ask(wanted && phase == Phase::running);
}

} // namespace lockscope::engine
