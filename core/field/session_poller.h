// Asks all servers of an ensemble who is connected, gently: one round of cons (and of dump, where it says
// when sessions expire) at most every two seconds, and of wchp as seldom and only on request. A server
// that does not permit a word, or whose answer to it is too long, is never asked it again. I/O thread.
#pragma once

#include "core/base/error.h"
#include "core/field/session_answers.h"
#include "core/field/session_poll.h"
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
        std::string chroot;               // of the paths; empty: none
        std::function<void(const SessionPoll&)> taken;
        std::function<void(const Error&)> refused; // once for each word
    };
    explicit SessionPoller(Setup setup);

    // Who we are and when the server last heard of us: what the times in a dump are compared with.
    struct Own
    {
        SessionId session;
        Duration timeout{};
        MonotonicTime connected{};
    };
    void setOwn(const Own& own) { m_own = own; }
    // The next round is worth more at this moment than before it: a session may be seen to have expired then,
    // or not.
    void setPreferredTime(MonotonicTime moment) { m_preferred = moment; }
    // A round as soon as one may be asked for.
    void pollSoon();
    void wantWatches(bool wanted) { m_wantsWatches = wanted; }
    void stop();
    bool canPoll() const; // some server answers cons or dump

private:
    struct Round;
    struct Seen // of one session over the rounds
    {
        std::int64_t received = 0, lastRequest = 0;
        std::string server;
        MonotonicTime changed{}, before{}; // the round in which `received` was new, and the one before that
        MonotonicTime disconnected{};      // since when it is in no answer
        std::uint32_t requestsSeen = 0;
        std::int64_t lastResponseMs = 0;
        SessionFacts facts;
    };
    void begin();
    void ask(const std::shared_ptr<Round>& round, const std::string& server, const std::string& word);
    void end(Round& round);
    std::optional<Duration> silenceOf(const std::string& server, std::int64_t lastResponseMs,
                                      MonotonicTime asked) const;
    void setClock(const std::string& server, const std::vector<ConnectionLine>& lines,
                  MonotonicTime answered);
    void addConnections(Round& round, SessionPoll& poll);
    void addDump(Round& round, SessionPoll& poll);

    Setup m_setup;
    Own m_own;
    std::set<std::pair<std::string, std::string>> m_refused; // word, server
    std::set<std::string> m_reportedWords;                   // words
    std::set<std::string>
        m_answered; // servers that have answered cons: a name may have addresses without a server
    std::map<SessionId, Seen> m_seen;
    // By server: its monotonic clock against ours, in ms, at least: no session can have been answered later
    // than now. The more of them are answered the closer it is; ours is.
    std::map<std::string, std::int64_t> m_clocks;
    // In the last round, by server: its connections, each with its session and when it was established.
    std::map<std::string, std::set<std::pair<SessionId, std::int64_t>>> m_answering;
    MonotonicTime m_answeringSince{}; // since when all of these servers have been there without a break
    MonotonicTime m_preferred{};
    MonotonicTime m_lastBegun{}, m_lastEnded{}, m_watchesAsked{};
    bool m_asking = false, m_planned = false, m_again = false, m_stopped = false, m_wantsWatches = false;
    std::uint64_t m_rounds = 0;
};

} // namespace lockscope::field
