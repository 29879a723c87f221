// Asks all servers of an ensemble which sessions are connected, with little load: one round of cons and dump
// (for the times of expiry) at most every two seconds, and wchp as seldom and only on request. I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/field/session_answers.h"
#include "core/field/session_poll.h"
#include "core/server/probe/word_rounds.h"
#include "core/zk/scheduler.h"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockscope::field {

class SessionPoller : public std::enable_shared_from_this<SessionPoller>
{
public:
    struct Setup
    {
        boost::asio::io_context& io;
        zk::Scheduler& scheduler;
        std::vector<std::string> servers; // numeric
        tls::Security security{};
        std::string chroot; // of the paths; empty: none
        std::function<void(const SessionPoll&)> taken;
        std::function<void(const Error&)> refused; // called once for each word
    };
    explicit SessionPoller(Setup setup);

    // Our own session: the reference for the times in a dump and for the servers' clock.
    struct Own
    {
        SessionId session;
        Duration timeout{};
        MonotonicTime connected{};
    };
    void setOwn(const Own& own) { m_own = own; }
    // Delays the next round to this moment, at which it can tell a silent session from one that pauses.
    void setPreferredTime(MonotonicTime moment) { m_preferred = moment; }
    // Begins a round as soon as one is allowed.
    void pollSoon();
    void wantWatches(bool wanted) { m_wantsWatches = wanted; }
    void stop();
    bool canPoll() const; // some server has not refused cons or dump

private:
    struct Round;
    struct Seen // the state of one session across rounds
    {
        std::int64_t received = 0, lastRequest = 0;
        std::string server;
        MonotonicTime changed{}, before{}; // the round that saw `received` change, and the round before it
        MonotonicTime disconnected{};      // since when no answer has had it
        std::uint32_t requestsSeen = 0;
        std::int64_t lastResponseMs = 0;
        SessionFacts facts;
    };
    void begin();
    void take(Round& round, const std::string& server, const std::string& word,
              const Result<std::string>& answer);
    void end(Round& round);
    std::optional<Duration> silenceOf(const std::string& server, std::int64_t lastResponseMs,
                                      MonotonicTime asked) const;
    void setClock(const std::string& server, const std::vector<ConnectionLine>& lines,
                  MonotonicTime answered);
    void addConnections(Round& round, SessionPoll& poll);
    void addDump(Round& round, SessionPoll& poll);

    Setup m_setup;
    Own m_own;
    server::WordRounds m_words;
    std::set<std::string> m_reportedWords; // refused ones
    std::set<std::string>
        m_answered; // servers that have answered cons: a host name may have addresses without a server
    std::map<SessionId, Seen> m_seen;
    // By server: a lower bound in ms for its monotonic clock minus ours, as no response to a session is later
    // than now. Each recent response brings it closer; our own session gets them, too.
    std::map<std::string, std::int64_t> m_clocks;
    // By server: its connections in the last round, each as a session and the time when it was established.
    std::map<std::string, std::set<std::pair<SessionId, std::int64_t>>> m_answering;
    MonotonicTime m_answeringSince{}; // since when all these servers have run without a break
    MonotonicTime m_preferred{};
    MonotonicTime m_lastBegun{}, m_lastEnded{}, m_watchesAsked{};
    bool m_asking = false, m_planned = false, m_again = false, m_stopped = false, m_wantsWatches = false;
    std::uint64_t m_rounds = 0;
};

} // namespace lockscope::field
