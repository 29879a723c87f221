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
#include <tuple>

namespace lockscope::tests {

class ServerThread
{
public:
    // Of several servers, a choose says which one the next operations are for: the leader, one that follows,
    // or the one after the last chosen one. replace starts it without its data, which it then copies from the
    // leader. restart and replace wait until all of them serve. Only the log of a server
    // that is alone is read: members of an ensemble leave out what they have copied.
    enum class Operation {
        suspend,
        resume,
        kill,
        restart,
        replace,
        readLog,
        chooseLeader,
        chooseFollower,
        chooseNext
    };

    ServerThread(server::ManagedServer& server, boost::asio::io_context& io, LogAudit& audit);
    ~ServerThread(); // after what was asked for

    // Of the chosen server, or of this one, which is then the chosen one.
    zk::Awaitable<Result<void>> perform(Operation operation, std::optional<std::size_t> member = {});
    // Why the log could not be read; ask after a readLog.
    std::string logTrouble();

private:
    using Done = UniqueFunction<void(Result<void>)>;
    void run();
    Result<void> execute(Operation operation);
    void readLog();
    Result<void> choose(bool leads);
    Result<void> replace();

    server::ManagedServer& m_server;
    boost::asio::io_context& m_io;
    LogAudit& m_audit; // the thread's own until it has ended
    TxnLog m_log;
    std::size_t m_member = 0; // chosen
    std::string m_trouble;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::tuple<Operation, std::optional<std::size_t>, Done>> m_asked;
    bool m_end = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace lockscope::tests
