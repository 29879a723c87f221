// The inside of an Engine: what lives on its I/O thread, in the order of its life: server, hub, run.
#pragma once

#include "core/engine/engine.h"
#include "core/engine/private_servers.h"
#include "core/engine/session_key.h"
#include "core/engine/watch_table_poller.h"
#include "core/sim/run/abstract_run.h"
#include "core/zk/hub.h"

#include <boost/asio/io_context.hpp>

#include <mutex>
#include <stop_token>
#include <thread>

namespace lockscope::engine {

struct Engine::Impl
{
    explicit Impl(Options given);
    ~Impl();

    // ---- the I/O thread ----
    void run();
    void runHandlers();
    Result<void> prepare();
    Result<std::string> findServer();
    Result<void> probeServers(const std::string& addresses);
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
    std::function<void(Phase)> phaseCallback;
    mutable std::mutex failureMutex;
    std::optional<Error> failure;

    std::unique_ptr<trace::Recorder> recorder;
    std::unique_ptr<PrivateServers> managed; // null when the server is not ours
    std::unique_ptr<zk::Hub> hub;
    std::unique_ptr<sim::AbstractRun> simulation;
    std::shared_ptr<WatchTablePoller> watchTablePoller;
    std::string hosts;
    Message serverNote; // the names of servers that were left out, and why
    std::string version;
    std::string mode;
    trace::ServerPhase serverPhase = trace::ServerPhase::starting;
    std::string_view cut;     // by what the run ends early; empty: by nothing so far
    MonotonicTime begun{};    // the run proper
    MonotonicTime lastContact{};
    bool wasConnected = false;
    bool ended = false;       // nothing is carried out any more
};

} // namespace lockscope::engine
