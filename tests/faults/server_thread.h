// Slow operations on the server, on their own thread, so that the sessions continue meanwhile. Reads the
// server's log between them, before the server removes old files. Public functions: I/O thread.
#pragma once

#include "tests/faults/log_audit.h"

#include "core/server/process/managed_server.h"
#include "core/zk/pending.h"

#include <boost/asio/io_context.hpp>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace lockscope::tests {

class ServerThread
{
public:
    // Of several servers, a choose says which one the next operations are for: the leader, one that follows,
    // or the one after the last chosen one. restart waits until all of them serve. Only the log of a server
    // that is alone is read: members of an ensemble leave out what they have copied.
    enum class Operation {
        suspend,
        resume,
        kill,
        restart,
        readLog,
        chooseLeader,
        chooseFollower,
        chooseNext
    };

    ServerThread(server::ManagedServer& server, boost::asio::io_context& io, LogAudit& audit);
    ~ServerThread(); // after what was asked for

    zk::Awaitable<Result<void>> perform(Operation operation);
    // Why the log could not be read; ask after a readLog.
    std::string logTrouble();

private:
    using Done = UniqueFunction<void(Result<void>)>;
    void run();
    Result<void> execute(Operation operation);
    void readLog();
    Result<void> choose(bool leads);

    server::ManagedServer& m_server;
    boost::asio::io_context& m_io;
    LogAudit& m_audit; // the thread's own until it has ended
    TxnLog m_log;
    std::size_t m_member = 0; // chosen
    std::string m_trouble;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::pair<Operation, Done>> m_asked;
    bool m_end = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace lockscope::tests
