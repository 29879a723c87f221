// One ZooKeeper of our own as a child process in a private directory, started but not waited for: what the
// single server and the members of an ensemble have in common. One thread at a time. Nothing blocks for more
// than a few dozen milliseconds, unless its comment says so.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/server/four_letter.h"
#include "core/server/java_install.h"
#include "core/server/server_config.h"
#include "core/server/supervisor_link.h"

#include <filesystem>
#include <memory>
#include <string>

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

    // Writes the configuration and starts Java. Error: noServer when it cannot be executed, ioFailed.
    Result<void> spawn(const ServerConfig& config);
    // The same configuration again; SIGKILL before it when it runs. Without data it begins with an empty
    // folder.
    Result<void> respawn(bool withData);

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

    std::unique_ptr<SupervisorLink> m_link;
    ServerConfig m_config;
};

Error portIsTaken(std::uint16_t port);
Result<void> checkTickTime(Duration tickTime); // Error: badUsage

} // namespace lockscope::server
