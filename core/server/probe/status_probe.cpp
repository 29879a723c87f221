#include "core/server/probe/status_probe.h"

#include "core/server/deadline.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lockscope::server {

namespace {

using namespace std::chrono_literals;

// Between an answer and the next request: a server that starts is asked more often than one that serves.
constexpr Duration kPollInterval = 50ms;
constexpr Duration kStartInterval = 10ms;
// A connection that is made while the server listens but does not serve yet is either closed or left open
// without an answer for ever (3.8 fails to close it without a database). So the time limit is short at first,
// and grows only when it was reached, for a busy machine.
constexpr Duration kFirstPatience = 100ms;
constexpr Duration kReplyTimeout = 1s; // of a server that serves

} // namespace

void StatusProbe::setPort(std::uint16_t port)
{
    m_port = port;
    forget();
}

void StatusProbe::poll()
{
    if (!m_asking && MonotonicClock::now() >= m_due) {
        m_asking = true;
        m_asked = monotonicNow();
        asyncFourLetterWord(m_io, "127.0.0.1:" + std::to_string(m_port), "srvr", m_patience,
                            [this, request = ++m_request](const Result<std::string>& answer) {
                                if (request != m_request)
                                    return;
                                const auto status = answer ? parseServerStatus(*answer) : answer.error();
                                const bool serves = status && !status->mode.empty();
                                const bool late = monotonicNow() >= m_asked + m_patience;
                                if (serves || late)
                                    m_patience = serves ? kReplyTimeout
                                                        : std::min<Duration>(2 * m_patience, kReplyTimeout);
                                finish(serves ? std::optional(*status) : std::nullopt);
                            });
    }
    m_io.restart();
    m_io.poll();
}

void StatusProbe::finish(std::optional<ServerStatus> status)
{
    m_asking = false;
    m_due = deadlineIn(status ? kPollInterval : kStartInterval);
    m_last = std::move(status);
}

void StatusProbe::forget()
{
    ++m_request;
    m_patience = kFirstPatience;
    finish({});
}

} // namespace lockscope::server
