// A long fault run of the mutex against a real server: clients acquire and release on several locks while
// sessions are killed, links fail, clients stand still, and the server is stopped, killed and restarted; of
// an ensemble, followers lag and leaders change, and members that have lost changes are found and replaced.
// Two checkers watch it: one by the server's log (LogAudit), one by what the clients believe (BeliefChecker).
// At the end all clients must finish and leave no node and no watch behind. Drives its own io_context; one
// thread.
#pragma once

#include "tests/faults/blocking_users.h"
#include "tests/faults/report.h"
#include "tests/faults/stall_detector.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tests {

class FaultRun
{
public:
    // The server is the run's alone.
    FaultRun(server::ManagedServer& server, FaultRunOptions options);
    ~FaultRun();
    FaultReport run();

private:
    bool prepare();
    void injectFaults();
    void drain();
    void serveInOrder();
    void lookForOrphans();
    void lookForWatches();
    void finish();
    bool runUntil(const std::function<bool()>& predicate, Duration limit);
    // Asks on the observer's session, again when that was not connected.
    using Question = std::function<void(zk::Session&, UniqueFunction<void(zk::Code)>)>;
    zk::Code ask(const Question& question);
    std::vector<std::string> nodesLeft();
    std::string ownerOf(const std::string& path);
    void onStall(Duration late);
    void progress(Duration since);

    server::ManagedServer& m_server;
    FaultReport m_report;
    boost::asio::io_context m_io;
    std::unique_ptr<zk::Hub> m_hub;
    LogAudit m_audit;
    std::unique_ptr<ServerThread> m_serverThread;
    std::unique_ptr<FaultContext> m_context;
    std::vector<std::shared_ptr<Worker>> m_workers;
    std::shared_ptr<Nemesis> m_nemesis;
    BlockingUsers m_blockingUsers;
    std::shared_ptr<StallDetector> m_stallDetector;
};

} // namespace lockscope::tests
