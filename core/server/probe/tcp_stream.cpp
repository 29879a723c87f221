#include "core/server/probe/tcp_stream.h"

#include "core/base/numeric_endpoint.h"
#include "core/base/system_message.h"
#include "core/server/deadline.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace lockscope::server {

namespace {

Error unreachable(const std::string& address, const Message& why)
{
    return {ErrorCode::noServer, message("No answer from %1: %2.", address, why), {}};
}

Error failed(const std::string& address, int error)
{
    Error all = unreachable(address, systemMessage(error));
    if (error == ECONNRESET || error == EPIPE)
        all.code = ErrorCode::closed;
    return all;
}

} // namespace

Result<TcpStream> TcpStream::connect(const std::string& address, MonotonicTime deadline)
{
    const auto endpoint = parseNumericEndpoint(address);
    if (!endpoint)
        return Error{ErrorCode::badUsage, message("\"%1\" is not a numeric HOST:PORT.", address), {}};
    UniqueFd fd(::socket(endpoint->protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.valid())
        return unreachable(address, systemMessage(errno));
    if (::connect(fd.get(), endpoint->data(), static_cast<socklen_t>(endpoint->size())) != 0) {
        if (errno != EINPROGRESS)
            return unreachable(address, systemMessage(errno));
        if (!waitFor(fd.get(), POLLOUT, deadline))
            return unreachable(address, systemMessage(ETIMEDOUT));
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0)
            return failed(address, error);
    }
    const int on = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return TcpStream(std::move(fd), address);
}

Result<void> TcpStream::send(std::string_view bytes, MonotonicTime deadline)
{
    while (!bytes.empty()) {
        const auto sent = ::send(m_fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno != EAGAIN && errno != EINTR)
            return failed(m_address, errno);
        else if (!waitFor(m_fd.get(), POLLOUT, deadline))
            return unreachable(m_address, systemMessage(ETIMEDOUT));
    }
    return {};
}

Result<std::string> TcpStream::receiveExactly(std::size_t size, MonotonicTime deadline)
{
    std::string bytes(size, '\0');
    for (std::size_t have = 0; have < size;) {
        const auto got = ::recv(m_fd.get(), bytes.data() + have, size - have, 0);
        if (got > 0)
            have += static_cast<std::size_t>(got);
        else if (got == 0)
            return Error{
                ErrorCode::closed, unreachable(m_address, message("it closed the connection")).message, {}};
        else if (errno != EAGAIN && errno != EINTR)
            return failed(m_address, errno);
        else if (!waitFor(m_fd.get(), POLLIN, deadline))
            return unreachable(m_address, systemMessage(ETIMEDOUT));
    }
    return bytes;
}

} // namespace lockscope::server
