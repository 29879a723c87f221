#include "core/zk/c_client/handle_closer.h"

#include "core/base/jute.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lockscope::zk::c_client {

namespace {

constexpr Duration kCloseTimeout = std::chrono::milliseconds(1500);

// The reply is not read, but the xid is in the transaction log: a close with 0 is that of an expired session.
std::string closeRequest()
{
    constexpr std::int32_t kCloseSession = -11;
    constexpr std::int32_t kXid = 1;
    return jute::Writer().int32(kXid).int32(kCloseSession).framed();
}

// False when the peer has closed the connection.
bool drain(int fd)
{
    std::array<char, 16384> unread;
    for (;;) {
        const ssize_t count = ::recv(fd, unread.data(), unread.size(), MSG_DONTWAIT);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 && errno == EAGAIN;
    }
}

} // namespace

HandleCloser::HandleCloser(int epollFd, Post post)
    : m_epollFd(epollFd)
    , m_post(std::move(post))
{}

void HandleCloser::close(std::unique_ptr<Handle> handle, UniqueFunction<void()> closed)
{
    const Place place =
        m_closing.emplace_hint(m_closing.end(), m_next++,
                               Closing{std::move(handle), std::move(closed), monotonicNow() + kCloseTimeout});
    if (!mayGoOn(place->second))
        end(place);
    else
        watch(place, !place->second.unsent.empty());
}

// False when nothing is left to wait for: there is no connection, or it has broken.
bool HandleCloser::mayGoOn(Closing& closing)
{
    if (!closing.libraryDone) {
        int interest = 0;
        timeval wait{0, 0};
        if (!closing.handle->isConnected() ||
            zookeeper_interest(closing.handle->zh, &closing.fd, &interest, &wait) != ZOK ||
            !closing.handle->isConnected() || closing.fd < 0)
            return false;
        closing.unsent = closeRequest();
        closing.libraryDone = (interest & ZOOKEEPER_WRITE) == 0;
    }
    return !closing.libraryDone || send(closing);
}

// False when the connection has broken.
bool HandleCloser::flushLibrary(Closing& closing)
{
    const int rc = closing.libraryDone ? ZOK : zookeeper_process(closing.handle->zh, ZOOKEEPER_WRITE);
    return rc == ZOK || rc == ZNOTHING;
}

// False when the connection has broken.
bool HandleCloser::send(Closing& closing)
{
    const ssize_t sent =
        ::send(closing.fd, closing.unsent.data(), closing.unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
        closing.unsent.erase(0, static_cast<std::size_t>(sent));
    return sent >= 0 || errno == EAGAIN || errno == EINTR;
}

// What arrives meanwhile is read and dropped. Replies that arrive on a closed socket reset the connection,
// and a server that gets the reset while it writes the next reply never reads the close request: the nodes of
// the session would stay until its timeout.
void HandleCloser::onIo(Number number, std::uint32_t epollEvents)
{
    const Place place = m_closing.find(number);
    if (place == m_closing.end())
        return;
    Closing& closing = place->second;
    bool goesOn = drain(closing.fd);
    if (goesOn && (epollEvents & EPOLLOUT) && !closing.unsent.empty())
        goesOn = flushLibrary(closing) && mayGoOn(closing);
    if (!goesOn)
        end(place);
    else if (closing.watchesWrites && closing.unsent.empty())
        watch(place, false);
}

MonotonicTime HandleCloser::deadline() const
{
    return m_closing.empty() ? MonotonicTime::max() : m_closing.begin()->second.deadline;
}

void HandleCloser::expire(MonotonicTime now)
{
    while (deadline() <= now)
        end(m_closing.begin());
}

void HandleCloser::watch(const Place& place, bool writes)
{
    Closing& closing = place->second;
    closing.watchesWrites = writes;
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | (writes ? EPOLLOUT : 0U);
    event.data.u64 = static_cast<std::uint64_t>(place->first) << 32 | kSlot;
    if (epoll_ctl(m_epollFd, EPOLL_CTL_MOD, closing.fd, &event) != 0 && errno == ENOENT)
        epoll_ctl(m_epollFd, EPOLL_CTL_ADD, closing.fd, &event);
}

void HandleCloser::end(const Place& place)
{
    Closing closing = std::move(place->second);
    m_closing.erase(place);
    closing.handle->close(m_epollFd);
    closing.handle.reset();
    if (closing.closed)
        m_post(std::move(closing.closed));
    postDone();
}

void HandleCloser::whenClosed(UniqueFunction<void()> done)
{
    m_waiting.push_back({m_next, std::move(done)});
    postDone();
}

void HandleCloser::postDone()
{
    while (!m_waiting.empty() &&
           (m_closing.empty() || m_closing.begin()->first >= m_waiting.front().before)) {
        UniqueFunction<void()> done = std::move(m_waiting.front().done);
        m_waiting.pop_front();
        m_post(std::move(done));
    }
}

} // namespace lockscope::zk::c_client
