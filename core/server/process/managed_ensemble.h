// A private, throw-away ensemble of ZooKeepers, each a child process in a private directory of its own, on
// free loopback ports. They and their directories are gone when this object or this process is, however that
// ended. One thread at a time (any).
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"
#include "core/server/process/java_install.h"

#include <cstddef>
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
    std::string address{};  // "127.0.0.1:21233"
    std::string mode{};     // "leader", "follower"; empty when it does not serve, by its last answer
    bool running = false;   // its process exists, even suspended
    bool suspended = false; // by us
};

class ManagedEnsemble
{
public:
    struct Options
    {
        std::size_t members = 3;         // odd, 3 to 7
        std::filesystem::path baseDir{}; // empty: /dev/shm when it has room, else the temporary folder
        Duration startLimit = std::chrono::seconds(60);     // a server that ends is an error at once
        Duration tickTime = std::chrono::milliseconds(500); // and the shortest session timeout; longest: 60 s
        bool keepData = false;                              // keep the directories, for inspection
        JavaPaths java{};                                   // empty: the default places
        std::stop_token cancel{};                           // cancels start()
    };

    // Returns when every member serves, one leads, and a session can be made; usually after 2 s.
    // Error: badUsage, noServer (no Java, no jar, a member did not start: with the end of its log),
    // cancelled.
    static Result<std::unique_ptr<ManagedEnsemble>> start(const Options& options);
    ~ManagedEnsemble(); // stops and removes everything; usually milliseconds

    ManagedEnsemble(const ManagedEnsemble&) = delete;
    ManagedEnsemble& operator=(const ManagedEnsemble&) = delete;

    std::string hosts() const; // "127.0.0.1:p1,127.0.0.1:p2,127.0.0.1:p3"
    std::size_t size() const;
    std::string version() const; // "3.8.0"

    // Polls the members and returns their last answers. Call it repeatedly; 20 times a second shows an
    // election. Never blocks.
    const std::vector<MemberStatus>& status();
    const MemberStatus& member(std::size_t i) const; // as of the last status()
    std::optional<std::size_t> leader() const;       // the same
    bool hasQuorum() const; // the same: a leader, and more than half of the members serve

    // All of these usually take milliseconds, and about 10 s when a supervisor process does not answer (20 s
    // for a restart). Errors: timedOut then, noServer when that member does not run (kill: never), badUsage
    // when there is no such member.
    Result<void> killMember(std::size_t i); // SIGKILL, ended on return; ports and data stay
    Result<std::size_t> killLeader();       // as of the last status(); returns its index. Error: noServer
    Result<void> suspendMember(std::size_t i);
    Result<void> resumeMember(std::size_t i);
    // Kills it if it runs and starts it on the same ports, with its data or without (it then copies the
    // leader's). Does not wait: status() shows when it serves.
    Result<void> restartMember(std::size_t i, bool withData);

    ServerProcess& process(std::size_t i); // for requests that do not wait

    std::filesystem::path directory(std::size_t i) const;
    int processId(std::size_t i); // of Java; 0 when it does not run
    int supervisorId(std::size_t i) const;
    std::string logTail(std::size_t i) const;

private:
    struct Impl;
    explicit ManagedEnsemble(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace lockscope::server
