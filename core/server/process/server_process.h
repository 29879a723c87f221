// One private ZooKeeper as a child process in a private directory: a single server or a member of an
// ensemble. One thread at a time. No function blocks unless its comment mentions it.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/base/unique_function.h"
#include "core/server/probe/status_probe.h"
#include "core/server/process/java_install.h"
#include "core/server/process/server_config.h"
#include "core/server/process/supervisor_client.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lockscope::server {

class ServerProcess
{
public:
    struct Options
    {
        std::filesystem::path baseDir{}; // empty: /dev/shm when it has room, else the temporary folder
        bool keepData = false;
        JavaMemory memory = JavaMemory::alone;
    };

    // Starts the supervisor and makes the directory, without a server. Error: as SupervisorClient::spawn().
    static Result<std::unique_ptr<ServerProcess>> create(const Options& options, const JavaInstall& install);

    using Done = SupervisorClient::Done;

    // Starts Java with this configuration and without data, after the kill of one that runs; blocks until
    // Java is executed. Error: noServer when it cannot be executed, timedOut, ioFailed.
    Result<void> spawn(const ServerConfig& config);

    // Requests: a later poll() calls `done`. Carried out in the order of the calls. Errors: as
    // SupervisorClient's.
    void kill(Done done) { request(&SupervisorClient::killChild, std::move(done)); }
    void suspend(Done done) { request(&SupervisorClient::suspendChild, std::move(done)); }
    void resume(Done done) { request(&SupervisorClient::resumeChild, std::move(done)); }
    // Kills it if it runs and starts it with the same configuration, with its data or an empty folder. Error:
    // also ioFailed.
    void respawn(bool withData, Done done);

    void poll() { m_supervisor->poll(); }
    // As of the last poll():
    bool running() const { return m_supervisor->child().has_value(); } // even suspended
    bool suspended() const { return m_supervisor->childIsSuspended(); }
    bool isListening() const; // this process, not another server on the port
    // Polls the server and returns its last answer; none when it has not served lately.
    const std::optional<ServerStatus>& status();

    std::string address() const { return "127.0.0.1:" + std::to_string(m_config.port); }
    std::filesystem::path log() const { return m_supervisor->directory() / kLogFile; }
    SupervisorClient& supervisor() { return *m_supervisor; }
    const SupervisorClient& supervisor() const { return *m_supervisor; }

    bool hadPortConflict() const; // by its log, after it ended
    Error exitError() const;
    Error slowStartError(Duration limit) const; // it runs, and has not accepted a session within the limit

private:
    ServerProcess(std::unique_ptr<SupervisorClient> supervisor, JavaInstall install)
        : m_supervisor(std::move(supervisor))
        , m_install(std::move(install))
    {}

    Result<void> prepare(bool withData); // the private directory
    void request(void (SupervisorClient::*what)(Done), Done done);
    void runInOrder(UniqueFunction<void()> command);
    void runWaiting();

    std::unique_ptr<SupervisorClient> m_supervisor;
    JavaInstall m_install;
    ServerConfig m_config;
    StatusProbe m_probe;
    bool m_respawning = false;                    // the kill is requested, the start not yet
    std::deque<UniqueFunction<void()>> m_waiting; // commands made meanwhile
};

Error portTakenError(std::uint16_t port);
Error allPortsTakenError(int attempts);        // free ones that were taken before Java bound them
Result<void> checkTickTime(Duration tickTime); // Error: badUsage

} // namespace lockscope::server
