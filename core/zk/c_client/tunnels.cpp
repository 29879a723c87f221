#include "core/zk/c_client/tunnels.h"

#include "core/base/host_port.h"

#include <boost/asio/ip/tcp.hpp>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace lockscope::zk::c_client {

namespace {

using tls::Channel;

constexpr int kPiecesPerTurn = 16; // in each direction; then others get their turn

bool wouldBlock() { return errno == EAGAIN || errno == EINTR; }

std::uint32_t eventsFor(Channel::Status status)
{
    return status == Channel::Status::wantsRead    ? EPOLLIN
           : status == Channel::Status::wantsWrite ? EPOLLOUT
                                                   : 0U;
}

} // namespace

Tunnels::Tunnels(int epollFd, Changed changed)
    : m_epollFd(epollFd)
    , m_changed(std::move(changed))
{}

Tunnels::~Tunnels() = default;

bool Tunnels::isEnd(int fd)
{
    int domain = 0;
    socklen_t size = sizeof domain;
    return ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

bool Tunnels::takeOver(int fd, const Owner& owner, const tls::Security& security)
{
    int ends[2];
    UniqueFd server(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!server.valid() || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    UniqueFd library(ends[0]);
    const UniqueFd librarysOwn(ends[1]);
    if (::dup3(librarysOwn.get(), fd, O_CLOEXEC) < 0)
        return false;
    const Number number = std::exchange(m_next, m_next + 2);
    auto tunnel = std::make_unique<Tunnel>();
    tunnel->owner = owner;
    tunnel->security = security;
    tunnel->server = std::move(server);
    tunnel->library = std::move(library);
    m_tunnels.insert_or_assign(number, std::move(tunnel));
    onIo(number, 0);
    return true;
}

void Tunnels::onIo(std::uint32_t number, std::uint32_t epollEvents)
{
    const auto found = m_tunnels.find(number & ~1U);
    if (found == m_tunnels.end())
        return;
    Tunnel& tunnel = *found->second;
    const bool wasReady = tunnel.ready;
    // Of a broken connection to the server the channel tells the reason, unless the library takes nothing
    // meanwhile.
    const bool isOver =
        (epollEvents & (EPOLLHUP | EPOLLERR)) != 0 && ((number & 1U) != 0 || !tunnel.toLibrary.empty());
    if (isOver || !advance(tunnel)) {
        const std::unique_ptr<Tunnel> over = std::move(found->second);
        m_tunnels.erase(found);
        if (over->channel && over->channel->failure().fault != tls::Fault::none)
            m_changed(over->owner, over->address, over->channel->failure());
        return;
    }
    watch(found->first, tunnel.server.get(), tunnel.serverWanted, tunnel.serverWatched);
    watch(found->first + 1, tunnel.library.get(), tunnel.libraryWanted, tunnel.libraryWatched);
    if (tunnel.ready && !wasReady)
        m_changed(tunnel.owner, tunnel.address, {});
}

void Tunnels::watch(Number number, int fd, std::uint32_t wanted, std::optional<std::uint32_t>& watched) const
{
    if (watched == wanted)
        return;
    epoll_event event{};
    event.events = wanted;
    event.data.u64 = static_cast<std::uint64_t>(number) << 32 | kSlot;
    ::epoll_ctl(m_epollFd, watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    watched = wanted;
}

// Begins TLS when the socket is connected; false when it cannot be. The host whose certificate is demanded is
// that of the socket itself: the library tells the current server by a buffer that all threads share.
bool Tunnels::begin(Tunnel& tunnel)
{
    boost::asio::ip::tcp::endpoint server;
    auto size = static_cast<socklen_t>(server.capacity());
    if (::getpeername(tunnel.server.get(), server.data(), &size) != 0) {
        int error = 0;
        socklen_t errorSize = sizeof error;
        tunnel.serverWanted = EPOLLOUT;
        return errno == ENOTCONN &&
               ::getsockopt(tunnel.server.get(), SOL_SOCKET, SO_ERROR, &error, &errorSize) == 0 && error == 0;
    }
    server.resize(size);
    tunnel.address = formatHostPort(server.address().to_string(), server.port());
    tunnel.channel.emplace(tunnel.server.get(), tunnel.security.context,
                           tunnel.security.hostOf(tunnel.address));
    return true;
}

// False when the tunnel has ended.
bool Tunnels::advance(Tunnel& tunnel)
{
    tunnel.serverWanted = tunnel.libraryWanted = 0;
    if (!tunnel.channel && !begin(tunnel))
        return false;
    if (!tunnel.channel)
        return true; // it is still connecting
    if (!tunnel.ready) {
        const Channel::Status status = tunnel.channel->handshake();
        tunnel.serverWanted = eventsFor(status);
        if (status != Channel::Status::done)
            return status != Channel::Status::ended;
        tunnel.ready = true;
    }
    return fromServer(tunnel) && fromLibrary(tunnel);
}

bool Tunnels::fromServer(Tunnel& tunnel)
{
    for (int piece = 0; piece < kPiecesPerTurn; ++piece) {
        if (tunnel.toLibrary.empty()) {
            std::size_t bytes = 0;
            const Channel::Status status = tunnel.channel->read(m_piece, bytes);
            tunnel.serverWanted |= eventsFor(status);
            if (status != Channel::Status::done)
                return status != Channel::Status::ended;
            tunnel.toLibrary.assign(m_piece.data(), bytes);
        }
        const ssize_t sent = ::send(tunnel.library.get(), tunnel.toLibrary.data(), tunnel.toLibrary.size(),
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            tunnel.libraryWanted |= EPOLLOUT;
            return wouldBlock();
        }
        tunnel.toLibrary.erase(0, static_cast<std::size_t>(sent));
    }
    (tunnel.toLibrary.empty() ? tunnel.serverWanted : tunnel.libraryWanted) |=
        tunnel.toLibrary.empty() ? EPOLLIN : EPOLLOUT;
    return true;
}

bool Tunnels::fromLibrary(Tunnel& tunnel)
{
    for (int piece = 0; piece < kPiecesPerTurn; ++piece) {
        if (tunnel.toServer.empty()) {
            const ssize_t got = ::recv(tunnel.library.get(), m_piece.data(), m_piece.size(), MSG_DONTWAIT);
            tunnel.libraryWanted |= EPOLLIN;
            if (got <= 0)
                return got < 0 && wouldBlock();
            tunnel.toServer.assign(m_piece.data(), static_cast<std::size_t>(got));
        }
        std::size_t written = 0;
        const Channel::Status status = tunnel.channel->write(tunnel.toServer, written);
        if (status != Channel::Status::done) {
            tunnel.serverWanted |= eventsFor(status);
            tunnel.libraryWanted &= ~std::uint32_t{EPOLLIN};
            return status != Channel::Status::ended;
        }
        tunnel.toServer.erase(0, written);
    }
    if (!tunnel.toServer.empty()) {
        tunnel.serverWanted |= EPOLLOUT;
        tunnel.libraryWanted &= ~std::uint32_t{EPOLLIN};
    }
    return true;
}

} // namespace lockscope::zk::c_client
