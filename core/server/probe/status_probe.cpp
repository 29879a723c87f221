#include "core/server/probe/status_probe.h"

#include "core/server/deadline.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace lockscope::server {

using namespace std::chrono_literals;

namespace {

constexpr Duration kPause = 50ms;   // between an answer and the next question
constexpr Duration kReplyTimeout = 1s;  // a busy machine; a suspended server
constexpr std::size_t kCap = 65536; // an answer has 300 bytes

} // namespace

void StatusProbe::poll()
{
    if (m_step == Step::idle && MonotonicClock::now() >= m_due)
        begin();
    if (m_step == Step::asking)
        ask();
    if (m_step == Step::listening)
        listen();
    if (m_step != Step::idle && MonotonicClock::now() >= m_due)
        end({});
}

void StatusProbe::begin()
{
    m_socket = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(m_port);
    m_answer.clear();
    m_due = deadlineIn(kReplyTimeout);
    m_step = Step::asking;
    if (!m_socket.valid() ||
        (::connect(m_socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
         errno != EINPROGRESS))
        end({});
}

void StatusProbe::ask()
{
    static constexpr char word[] = {'s', 'r', 'v', 'r'};
    const auto sent = ::send(m_socket.get(), word, sizeof word, MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(sizeof word))
        m_step = Step::listening;
    else if (sent >= 0 || (errno != EAGAIN && errno != EINTR && errno != ENOTCONN))
        end({});
}

void StatusProbe::listen()
{
    char chunk[4096];
    for (;;) {
        const auto got = ::recv(m_socket.get(), chunk, sizeof chunk, 0);
        if (got > 0 && m_answer.size() < kCap) {
            m_answer.append(chunk, static_cast<std::size_t>(got));
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        const auto status = parseServerStatus(m_answer);
        const bool whole = status && !status->mode.empty();
        end(whole ? std::optional(*status) : std::nullopt);
        return;
    }
}

void StatusProbe::end(std::optional<ServerStatus> answer)
{
    m_socket.reset();
    m_step = Step::idle;
    m_due = deadlineIn(kPause);
    m_last = std::move(answer);
}

void StatusProbe::forget() { end({}); }

} // namespace lockscope::server
