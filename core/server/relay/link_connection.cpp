#include "core/server/relay/link_connection.h"

#include <boost/asio/error.hpp>

#include <utility>

namespace lockscope::server {

using boost::system::error_code;

namespace {

void closeSocket(LinkPump::Socket& socket, bool abruptly)
{
    error_code ignored;
    if (socket.is_open() && abruptly)
        socket.set_option(LinkPump::Socket::linger(true, 0), ignored); // RST instead of FIN
    socket.close(ignored);
}

} // namespace

LinkConnection::LinkConnection(Socket client, LinkShared& link, std::uint64_t number, std::uint64_t seed)
    : m_link(&link)
    , m_number(number)
    , m_client(std::move(client))
    , m_server(m_client.get_executor())
    , m_toServer(*this, Direction::toServer, m_client, m_server, seed)
    , m_toClient(*this, Direction::toClient, m_server, m_client, ~seed)
{}

void LinkConnection::open(const boost::asio::ip::tcp::endpoint& server)
{
    m_server.async_connect(server, [this, keep = shared_from_this()](error_code failure) {
        if (closed())
            return;
        if (failure)
            reset();
        else
            connected();
    });
}

void LinkConnection::connected()
{
    error_code ignored;
    for (Socket* socket : {&m_client, &m_server}) {
        socket->set_option(boost::asio::ip::tcp::no_delay(true), ignored);
        socket->non_blocking(true, ignored);
    }
    m_connected = true;
    m_toServer.start();
    m_toClient.start();
}

void LinkConnection::applyRules()
{
    const auto mayGoOn = [](const LinkPump& pump) { return !pump.hasGap() || pump.isDropping(); };
    if (closed() || !m_connected)
        return;
    if (!mayGoOn(m_toServer) || !mayGoOn(m_toClient)) {
        reset();
        return;
    }
    m_toServer.applyRules();
    if (!closed())
        m_toClient.applyRules();
}

void LinkConnection::dropServer()
{
    if (closed() || !m_connected || m_halfOpen)
        return;
    m_halfOpen = true;
    m_link->loss.forget(this);
    closeSocket(m_server, false);
    m_toClient.discardSource();
    m_toServer.discardTarget();
    pumpEnded(); // if the client has ended already
}

std::size_t LinkConnection::passableBytes(Direction direction, std::string_view bytes)
{
    const bool fromClient = direction == Direction::toServer;
    PacketReader& reader = fromClient ? m_requests : m_replies;
    std::size_t passing = bytes.size(), at = 0;
    if (m_link->tap && fromClient) // which may order that a reply to what it sees is lost
        m_link->tap(m_number, fromClient, bytes);
    for (auto head = reader.next(bytes, at); head && passing == bytes.size(); head = reader.next(bytes, at)) {
        if (fromClient)
            m_link->loss.onRequest(this, *head);
        else if (m_link->loss.isReplyToLose(this, *head))
            passing = head->start;
    }
    if (m_link->tap && !fromClient && passing > 0)
        m_link->tap(m_number, fromClient, bytes.substr(0, passing));
    return passing;
}

void LinkConnection::pumpEnded()
{
    if (!closed() && m_toServer.ended() && m_toClient.ended()) {
        closeSocket(m_client, false);
        closeSocket(m_server, false);
        close();
    }
}

// The other pump, which reads from this target, forwards its end when that is due. If that pump has ended
// already, the connection is reset here.
void LinkConnection::targetFailed(Direction direction)
{
    LinkPump& other = pump(direction == Direction::toServer ? Direction::toClient : Direction::toServer);
    if (!closed() && other.sourceEnded() && !other.isDropping())
        reset();
}

void LinkConnection::reset()
{
    if (closed())
        return;
    closeSocket(m_client, true);
    closeSocket(m_server, true);
    close();
}

void LinkConnection::close()
{
    m_toServer.stop();
    m_toClient.stop();
    LinkShared* link = std::exchange(m_link, nullptr);
    link->loss.forget(this);
    if (link->tap)
        link->tap(m_number, false, {});
    link->connections.erase(shared_from_this());
}

} // namespace lockscope::server
