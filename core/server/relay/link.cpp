#include "core/server/relay/link.h"

#include "core/base/numeric_endpoint.h"
#include "core/base/system_message.h"
#include "core/server/relay/link_connection.h"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <optional>
#include <utility>

namespace lockscope::server {

using boost::asio::ip::tcp;
using boost::system::error_code;

struct Link::Impl : std::enable_shared_from_this<Link::Impl>
{
    struct RelayPort // the port for clients of one server
    {
        RelayPort(boost::asio::io_context& io, tcp::endpoint to)
            : acceptor(io)
            , pause(io)
            , server(std::move(to))
        {}
        tcp::acceptor acceptor;
        boost::asio::steady_timer pause;
        tcp::endpoint server;
        std::uint16_t port = 0;
    };

    explicit Impl(std::uint64_t s)
        : seed(s)
    {}

    Result<void> listen(boost::asio::io_context& io, tcp::endpoint server);
    void acceptNext(RelayPort& relayPort);
    void acceptLater(RelayPort& relayPort);
    void onAccepted(tcp::socket client, const tcp::endpoint& server);
    void close();

    // A copy: connections leave the set during the calls.
    template <class Function>
    void forEach(Function call)
    {
        const auto all = state.connections;
        for (const auto& connection : all)
            call(*connection);
    }

    std::uint64_t seed;
    std::uint64_t acceptedCount = 0;
    bool closed = false;
    LinkShared state;
    std::deque<RelayPort> relayPorts;
};

Result<void> Link::Impl::listen(boost::asio::io_context& io, tcp::endpoint server)
{
    RelayPort& relayPort = relayPorts.emplace_back(io, std::move(server));
    error_code failure;
    const tcp::endpoint any(boost::asio::ip::address_v4::loopback(), 0);
    relayPort.acceptor.open(any.protocol(), failure);
    if (!failure)
        relayPort.acceptor.bind(any, failure);
    if (!failure)
        relayPort.acceptor.listen(boost::asio::socket_base::max_listen_connections, failure);
    if (!failure)
        relayPort.port = relayPort.acceptor.local_endpoint(failure).port();
    if (failure)
        return Error{ErrorCode::ioFailed,
                     message("The link cannot listen on 127.0.0.1: %1.", systemMessage(failure)),
                     {}};
    acceptNext(relayPort);
    return {};
}

void Link::Impl::acceptNext(RelayPort& relayPort)
{
    relayPort.acceptor.async_accept(
        [self = shared_from_this(), &relayPort](error_code failure, tcp::socket client) {
            if (self->closed)
                return;
            if (failure) {
                self->acceptLater(relayPort);
                return;
            }
            self->onAccepted(std::move(client), relayPort.server);
            self->acceptNext(relayPort);
        });
}

// Most likely there is no descriptor left; retrying at once would only spin.
void Link::Impl::acceptLater(RelayPort& relayPort)
{
    relayPort.pause.expires_after(std::chrono::milliseconds(100));
    relayPort.pause.async_wait([self = shared_from_this(), &relayPort](error_code) {
        if (!self->closed)
            self->acceptNext(relayPort);
    });
}

void Link::Impl::onAccepted(tcp::socket client, const tcp::endpoint& server)
{
    ++acceptedCount;
    const auto connection =
        std::make_shared<LinkConnection>(std::move(client), state, acceptedCount, seed + acceptedCount);
    state.connections.insert(connection);
    if (state.rules.cut)
        connection->reset();
    else
        connection->open(server);
}

void Link::Impl::close()
{
    closed = true;
    state.tap = {};
    error_code ignored;
    for (RelayPort& relayPort : relayPorts) {
        relayPort.acceptor.close(ignored);
        relayPort.pause.cancel();
    }
    state.loss.cancel();
    forEach([](LinkConnection& connection) { connection.reset(); });
}

Result<std::unique_ptr<Link>> Link::open(boost::asio::io_context& io, const std::vector<std::string>& servers,
                                         std::uint64_t seed)
{
    if (servers.empty())
        return Error{ErrorCode::badUsage, message("A link needs the address of a server."), {}};
    std::unique_ptr<Link> link(new Link(std::make_shared<Impl>(seed)));
    for (const auto& server : servers) {
        auto endpoint = parseNumericEndpoint(server);
        if (!endpoint)
            return Error{ErrorCode::badUsage, message("\"%1\" is not a numeric HOST:PORT.", server), {}};
        if (const auto listens = link->m_impl->listen(io, std::move(*endpoint)); !listens)
            return listens.error();
    }
    return link;
}

Link::Link(std::shared_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

Link::~Link() { m_impl->close(); }

std::string Link::hosts() const
{
    std::string text;
    for (const Impl::RelayPort& relayPort : m_impl->relayPorts)
        text += (text.empty() ? "127.0.0.1:" : ",127.0.0.1:") + std::to_string(relayPort.port);
    return text;
}

void Link::set(const LinkRules& rules)
{
    m_impl->state.rules = rules;
    m_impl->forEach([&](LinkConnection& connection) {
        if (rules.cut)
            connection.reset();
        else
            connection.applyRules();
    });
}

const LinkRules& Link::rules() const { return m_impl->state.rules; }

void Link::heal()
{
    m_impl->state.loss.cancel();
    m_impl->forEach([](LinkConnection& connection) {
        if (connection.halfOpen())
            connection.reset();
    });
    set({});
}

void Link::reset()
{
    m_impl->forEach([](LinkConnection& connection) { connection.reset(); });
}

void Link::halfOpen()
{
    m_impl->forEach([](LinkConnection& connection) { connection.dropServer(); });
}

void Link::loseNextReply(std::optional<Operation> operation, UniqueFunction<void()> lost)
{
    m_impl->state.loss.order(operation, std::move(lost));
}

void Link::onTraffic(LinkTap tap) { m_impl->state.tap = std::move(tap); }

std::size_t Link::openConnections() const { return m_impl->state.connections.size(); }

} // namespace lockscope::server
