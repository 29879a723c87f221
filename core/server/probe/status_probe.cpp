#include "core/server/probe/status_probe.h"

#include "core/server/deadline.h"

#include <string>
#include <utility>

namespace lockscope::server {

namespace {

using namespace std::chrono_literals;

constexpr Duration kPollInterval = 50ms; // between an answer and the next request
constexpr Duration kReplyTimeout = 1s;   // a busy machine, or a suspended server

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
        asyncFourLetterWord(m_io, "127.0.0.1:" + std::to_string(m_port), "srvr", kReplyTimeout,
                            [this, request = ++m_request](const Result<std::string>& answer) {
                                if (request != m_request)
                                    return;
                                const auto status = answer ? parseServerStatus(*answer) : answer.error();
                                finish(status && !status->mode.empty() ? std::optional(*status)
                                                                       : std::nullopt);
                            });
    }
    m_io.restart();
    m_io.poll();
}

void StatusProbe::finish(std::optional<ServerStatus> status)
{
    m_asking = false;
    m_due = deadlineIn(kPollInterval);
    m_last = std::move(status);
}

void StatusProbe::forget()
{
    ++m_request;
    finish({});
}

} // namespace lockscope::server
