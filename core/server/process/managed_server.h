// A private, throw-away ZooKeeper of our own: Debian's jar as a child process on a free loopback port, in a
// private directory. It and its directory are gone when this object or this process is, however that ended.
// One thread at a time (any). Every function may block for the time its comment names.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/server/process/java_install.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace lockscope::server {

class ServerProcess;

class ManagedServer
{
public:
    struct Options
    {
        std::uint16_t port = 0;          // 0 = a free one
        std::filesystem::path baseDir{}; // empty: /dev/shm when it has room, else the temporary folder
        Duration startLimit = std::chrono::seconds(60);     // a server that ends is an error at once
        Duration tickTime = std::chrono::milliseconds(500); // and the shortest session timeout; longest: 60 s
        bool keepData = false;                              // keep the directory, for inspection
        JavaPaths java{};                                   // empty: the default places
        std::stop_token cancel{};                           // cancels start()
    };

    // Returns when a session can be made; blocks at most about startLimit (usually 0.3 s).
    // Error: noServer (no Java, no jar, port taken, did not start: with the end of its log), cancelled.
    static Result<std::unique_ptr<ManagedServer>> start(const Options& options);
    ~ManagedServer(); // stops and removes everything; usually milliseconds, at most about 12 s

    ManagedServer(const ManagedServer&) = delete;
    ManagedServer& operator=(const ManagedServer&) = delete;

    std::string address() const; // "127.0.0.1:21233"
    std::string version() const; // "3.8.0"
    std::string mode() const;    // "standalone"
    std::filesystem::path directory() const;
    int processId(); // of Java; 0 when it does not run
    int supervisorId() const;
    bool running();        // never blocks; a suspended server runs
    std::string logTail(); // the last lines of its log, plain text

    // These usually take milliseconds, and about 10 s when the supervisor process does not answer (20 s for a
    // respawn). Errors: timedOut then, noServer when the server does not run, or not any more (kill: never).
    Result<void> killNow(); // SIGKILL, ended on return; port and data stay
    Result<void> restart(); // killNow() when it runs, then the same port and data; blocks like start()
    // restart() without the wait, and with or without its data. isServing() shows when it is up. Error:
    // noServer when Java cannot be executed, ioFailed.
    Result<void> respawn(bool withData);
    // True if it has answered lately. Polls, so call it repeatedly. Never blocks.
    bool isServing();
    Result<void> suspend(); // SIGSTOP: connections stay, no answers
    Result<void> resume();

    ServerProcess& process(); // for requests that do not wait

private:
    struct Impl;
    explicit ManagedServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::server
