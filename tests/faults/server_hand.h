// Does to the server what takes a while, on a thread of its own, so that the sessions go on meanwhile; and
// reads the server's log between these deeds, so that nothing is missed when the server removes old files.
// Public functions: I/O thread.
#pragma once

#include "tests/faults/log_audit.h"

#include "core/server/managed_server.h"
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

class ServerHand
{
public:
    enum class Deed { suspend, resume, kill, restart, readLog };

    ServerHand(server::ManagedServer& server, boost::asio::io_context& io, LogAudit& audit);
    ~ServerHand(); // after what was asked for

    zk::Awaitable<Result<void>> perform(Deed deed);
    // Why the log could not be read; ask after a readLog.
    std::string logTrouble();

private:
    using Done = UniqueFunction<void(Result<void>)>;
    void run();
    Result<void> carryOut(Deed deed);
    void readLog();

    server::ManagedServer& m_server;
    boost::asio::io_context& m_io;
    LogAudit& m_audit; // the thread's own until it has ended
    TxnLog m_log;
    std::string m_trouble;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::pair<Deed, Done>> m_asked;
    bool m_end = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace lockscope::tests
