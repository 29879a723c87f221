// A private, throw-away ZooKeeper of our own: Debian's jar as one server, or as an ensemble of several. Each
// is a child process in a private directory, on free loopback ports. They and their directories are gone when
// this object or this process is, however that ended. One thread at a time (any).
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/server/process/java_install.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lockscope::server {

class ServerProcess;

struct MemberStatus
{
    std::string address{}; // "127.0.0.1:21233"
    std::string
        mode{}; // "standalone", "leader", "follower"; empty when it does not serve, by its last answer
    bool running = false;   // its process exists, even suspended
    bool suspended = false; // stopped by a signal
};

class ManagedServer
{
public:
    struct Options
    {
        std::uint16_t port = 0;          // of the first member; 0 = a free one
        std::filesystem::path baseDir{}; // empty: /dev/shm when it has room, else the temporary folder
        Duration startLimit = std::chrono::seconds(60);     // a server that ends is an error at once
        Duration tickTime = std::chrono::milliseconds(500); // and the shortest session timeout; longest: 60 s
        bool keepData = false;                              // keep the directories, for inspection
        JavaPaths java{};                                   // empty: the default places
        std::stop_token cancel{};                           // cancels start()
        std::size_t members = 1;                            // 1, 3, 5 or 7
    };

    // Returns when every member serves, one of several leads, and a session can be made; blocks at most about
    // startLimit (usually 0.3 s, an ensemble 2 s). Error: badUsage, noServer (no Java, no jar, port taken, a
    // member did not start: with the end of its log), cancelled.
    static Result<std::unique_ptr<ManagedServer>> start(const Options& options);
    ~ManagedServer(); // stops and removes everything; usually milliseconds, at most about 12 s for each
                      // member

    ManagedServer(const ManagedServer&) = delete;
    ManagedServer& operator=(const ManagedServer&) = delete;

    std::string hosts() const; // "127.0.0.1:p1,127.0.0.1:p2,127.0.0.1:p3"
    std::size_t size() const;
    std::string version() const; // "3.8.0"

    // Polls the members and returns their last answers. Call it repeatedly; 20 times a second shows an
    // election. Never blocks.
    const std::vector<MemberStatus>& status();
    const MemberStatus& member(std::size_t i) const; // as of the last status()
    std::optional<std::size_t> leader() const;       // the same; a single server leads
    bool hasQuorum() const; // the same: a leader, and more than half of the members serve

    // Below, `i` is a member, from 0. These usually take milliseconds, and about 10 s when a supervisor
    // process does not answer (20 s for a respawn). Errors: timedOut then, noServer when that member does not
    // run, or not any more (kill: never), badUsage when there is no such member.
    Result<void> killNow(std::size_t i = 0); // SIGKILL, ended on return; ports and data stay
    Result<std::size_t> killLeader();        // as of the last status(); returns its number. Error: noServer
    Result<void> suspend(std::size_t i = 0); // SIGSTOP: connections stay, no answers
    Result<void> resume(std::size_t i = 0);
    // Kills it if it runs and starts it on the same ports, with its data or without (a member of an ensemble
    // then copies the leader's). Does not wait: status() shows when it serves. Error: also ioFailed.
    Result<void> respawn(bool withData, std::size_t i = 0);
    // A respawn with its data; blocks like start() until every member serves.
    Result<void> restart(std::size_t i = 0);

    bool running(std::size_t i = 0);   // polls, never blocks; a suspended server runs
    bool isServing(std::size_t i = 0); // the same: true if it has answered lately. Call it repeatedly.
    std::string address(std::size_t i = 0) const;
    std::string mode(std::size_t i = 0) const; // as of the last status()
    std::filesystem::path directory(std::size_t i = 0) const;
    int processId(std::size_t i = 0); // of Java; 0 when it does not run
    int supervisorId(std::size_t i = 0) const;
    std::string logTail(std::size_t i = 0) const; // the last lines of its log, plain text
    ServerProcess& process(std::size_t i = 0);    // for requests that do not wait

private:
    struct Impl;
    explicit ManagedServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::server
