// Asks the servers for their watch tables (wchp) on a steady beat and records what has changed, so that the
// clients' belief can be laid beside it. A server that does not allow it is not asked again, and the trace
// says why. I/O thread; call stop() before it goes.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/server/probe/four_letter.h"
#include "core/trace/recorder.h"
#include "core/zk/scheduler.h"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::engine {

class WatchTablePoller : public std::enable_shared_from_this<WatchTablePoller>
{
public:
    struct Setup
    {
        boost::asio::io_context& io;
        zk::Scheduler& scheduler;
        trace::Recorder& recorder;
        std::string servers;                               // "127.0.0.1:2181,..."
        std::vector<std::pair<LockId, std::string>> locks; // the paths of the children that queue
        bool own = true;                                   // a server of ours may be asked more often
    };
    explicit WatchTablePoller(Setup setup);

    void ask(bool on);
    void stop() { m_stopped = true; }

private:
    using Watches = std::set<std::pair<std::string, SessionId>>;
    struct Round;

    void beginRound();
    void endRound(const Round& round);
    void record(const server::WatchTable& table, const Round& round);
    void refuse(const Error& error);
    Duration pause() const;

    Setup m_setup;
    std::vector<std::string> m_servers;
    std::vector<Watches> m_seen; // by lock, as recorded
    bool m_on = false;
    bool m_asking = false; // a round or the pause after one goes on
    bool m_stopped = false;
};

} // namespace lockscope::engine
