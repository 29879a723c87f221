// Polls the servers' watch tables (wchp) and records the changes, for comparison with the clients' beliefs.
// When every server refuses the command, or one refuses it before any has answered, polling ends and the
// trace has the reason. A server that is down is asked again. I/O thread; call stop() before the destruction.
#pragma once

#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/server/probe/word_rounds.h"
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
        std::vector<std::pair<LockId, std::string>> locks; // the paths of the queues
        bool own = true;                                   // our own servers are polled more often
        tls::Security security{};
    };
    explicit WatchTablePoller(Setup setup);

    // Starts or stops the regular polls. When stopping, polls once more, so that the recorded table is not
    // older than the pause of the run.
    void setPolling(bool on);
    void pollOnce(); // at once, or when the open round is over
    void stop() { m_stopped = true; }

private:
    using Watches = std::set<std::pair<std::string, SessionId>>;

    void beginRound();
    void endRound(MonotonicTime begun, const server::WatchTables& tables);
    void record(MonotonicTime begun, const server::WatchTables& tables);
    void refuse(const Error& error);
    Duration pause() const;

    Setup m_setup;
    server::WordRounds m_words;
    std::vector<Watches> m_seen; // by lock, as recorded
    bool m_on = false;
    bool m_polling = false;     // in a round, or in the pause after it
    bool m_roundOpen = false;   // in a round
    std::uint32_t m_rounds = 0; // begun so far
    bool m_readAgain = false;   // after the open round, which began before setPolling(false) or pollOnce()
    bool m_hasAnswered = false; // some server has answered
    bool m_stopped = false;
};

} // namespace lockscope::engine
