#include "core/server/probe/tcp_stream.h"

#include "core/base/host_port.h"
#include "core/base/system_message.h"
#include "core/server/deadline.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstring>
#include <memory>

namespace lockscope::server {

namespace {

Error unreachable(const std::string& address, const Message& why)
{
    return {ErrorCode::noServer, message("No answer from %1: %2.", address, why), {}};
}

// 0 when connected, else the errno.
int connectOne(const addrinfo& to, UniqueFd& fd, MonotonicTime deadline)
{
    fd = UniqueFd(::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.valid())
        return errno;
    if (::connect(fd.get(), to.ai_addr, to.ai_addrlen) != 0) {
        if (errno != EINPROGRESS)
            return errno;
        if (!waitFor(fd.get(), POLLOUT, deadline))
            return ETIMEDOUT;
        int error = 0;
        socklen_t size = sizeof error;
        ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
        if (error != 0)
            return error;
    }
    const int on = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return 0;
}

} // namespace

Result<TcpStream> TcpStream::connect(const std::string& address, MonotonicTime deadline)
{
    const std::optional<HostPort> parts = parseHostPort(address);
    if (!parts)
        return Error{ErrorCode::badUsage, message("\"%1\" is not HOST:PORT.", address), {}};

    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failure = ::getaddrinfo(parts->host.c_str(), std::to_string(parts->port).c_str(), &hints, &found);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    if (failure != 0)
        return unreachable(address, systemMessage(std::string_view(::gai_strerror(failure))));

    int error = 0;
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
        UniqueFd fd;
        error = connectOne(*entry, fd, deadline);
        if (error == 0)
            return TcpStream(std::move(fd), address);
    }
    return unreachable(address, systemMessage(error));
}

Result<void> TcpStream::send(std::string_view bytes, MonotonicTime deadline)
{
    while (!bytes.empty()) {
        const auto sent = ::send(m_fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        else if (errno != EAGAIN && errno != EINTR)
            return unreachable(m_address, systemMessage(errno));
        else if (!waitFor(m_fd.get(), POLLOUT, deadline))
            return unreachable(m_address, systemMessage(ETIMEDOUT));
    }
    return {};
}

Result<std::size_t> TcpStream::receiveSome(char* into, std::size_t size, MonotonicTime deadline)
{
    for (;;) {
        const auto got = ::recv(m_fd.get(), into, size, 0);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EAGAIN && errno != EINTR)
            return unreachable(m_address, systemMessage(errno));
        if (!waitFor(m_fd.get(), POLLIN, deadline))
            return unreachable(m_address, systemMessage(ETIMEDOUT));
    }
}

Result<std::string> TcpStream::receiveExactly(std::size_t size, MonotonicTime deadline)
{
    std::string bytes(size, '\0');
    std::size_t have = 0;
    while (have < size) {
        const auto got = receiveSome(bytes.data() + have, size - have, deadline);
        if (!got)
            return got.error();
        if (*got == 0)
            return unreachable(m_address, message("it closed the connection"));
        have += *got;
    }
    return bytes;
}

Result<std::string> TcpStream::receiveToEnd(std::size_t cap, MonotonicTime deadline)
{
    std::string bytes;
    char chunk[16384];
    for (;;) {
        const auto got = receiveSome(chunk, sizeof chunk, deadline);
        if (!got)
            return got.error();
        if (*got == 0)
            return bytes;
        if (bytes.size() + *got > cap)
            return Error{ErrorCode::limitExceeded,
                         message("The answer of %1 is longer than %2 bytes.", m_address, cap), {}};
        bytes.append(chunk, *got);
    }
}

} // namespace lockscope::server
