// One ZooKeeper of our own as a child process in a private directory, started but not waited for: what the
// single server and the members of an ensemble have in common. One thread at a time. Nothing blocks unless
// its comment says so.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/server/four_letter.h"
#include "core/server/java_install.h"
#include "core/server/server_config.h"
#include "core/server/status_probe.h"
#include "core/server/supervisor_link.h"

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

    // Makes the supervisor and the directory; no server runs yet. Error: as SupervisorLink::spawn().
    static Result<std::unique_ptr<ServerProcess>> create(const Options& options, const JavaInstall& install);

    using Done = SupervisorLink::Done;

    // Writes the configuration and starts Java; blocks until it is executed. Error: noServer when it cannot
    // be, timedOut, ioFailed.
    Result<void> spawn(const ServerConfig& config);

    // Requests: a later poll() calls `done`. Errors as those of SupervisorLink.
    void kill(Done done) { m_link->killChild(std::move(done)); }
    void suspend(Done done) { m_link->suspendChild(std::move(done)); }
    void resume(Done done) { m_link->resumeChild(std::move(done)); }
    // The same configuration again; SIGKILL before it when it runs. Without data it begins with an empty
    // folder. Error: ioFailed too.
    void respawn(bool withData, Done done);

    void poll() { m_link->poll(); }
    // By the last poll():
    bool running() const { return m_link->child().has_value(); } // a suspended one, too
    bool suspended() const { return m_link->childIsSuspended(); }
    bool listens() const; // ours, not another server that took the port
    // Goes on asking the server how it is. Its last answer; none when it has not served lately.
    const std::optional<ServerStatus>& status();

    std::string address() const { return "127.0.0.1:" + std::to_string(m_config.port); }
    std::filesystem::path log() const { return m_link->directory() / kLogFile; }
    SupervisorLink& supervisor() { return *m_link; }
    const SupervisorLink& supervisor() const { return *m_link; }

    // Makes a session and asks srvr. Blocks until the deadline, and 2 s more, at most.
    // Error: noServer when ours does not serve.
    Result<ServerStatus> askStatus(MonotonicTime deadline);
    bool portWasTaken() const; // by its log, after it ended
    Error whyItEnded() const;

private:
    explicit ServerProcess(std::unique_ptr<SupervisorLink> link)
        : m_link(std::move(link))
    {}

    Result<void> prepare(bool withData); // the private directory

    std::unique_ptr<SupervisorLink> m_link;
    ServerConfig m_config;
    StatusProbe m_probe{0};
};

Error portIsTaken(std::uint16_t port);
Result<void> checkTickTime(Duration tickTime); // Error: badUsage

} // namespace lockscope::server
