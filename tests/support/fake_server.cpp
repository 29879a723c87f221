#include "tests/support/fake_server.h"

#include <boost/asio.hpp>

#include <atomic>
#include <list>
#include <thread>

namespace lockscope::tests {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::int32_t kPingXid = -2;
constexpr std::int32_t kCloseOp = -11;
constexpr std::int64_t kZxid = 1;

std::int32_t readInt(const std::string& bytes, std::size_t offset)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4 && offset + i < bytes.size(); ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return static_cast<std::int32_t>(value);
}

std::int64_t readLong(const std::string& bytes, std::size_t offset)
{
    return static_cast<std::int64_t>(readInt(bytes, offset)) << 32 |
           static_cast<std::uint32_t>(readInt(bytes, offset + 4));
}

FakeRequest parse(const std::string& body)
{
    FakeRequest request{readInt(body, 0), readInt(body, 4), {}};
    const auto length = static_cast<std::size_t>(readInt(body, 8));
    if (body.size() >= 12 + length)
        request.path = body.substr(12, length);
    return request;
}

} // namespace

std::string int32(std::int32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(value) >> shift));
    return bytes;
}

std::string int64(std::int64_t value)
{
    return int32(static_cast<std::int32_t>(value >> 32)) + int32(static_cast<std::int32_t>(value));
}

std::string text(const std::string& characters)
{
    return int32(static_cast<std::int32_t>(characters.size())) + characters;
}

std::string stat() { return std::string(68, '\0'); }

std::string packet(const std::string& body) { return text(body); }

std::string handshake(std::int32_t timeout, std::int64_t session, bool readOnly)
{
    return packet(int32(0) + int32(timeout) + int64(session) + text(std::string(16, 'p')) +
                  std::string(1, readOnly ? '\1' : '\0'));
}

std::string reply(std::int32_t xid, std::int32_t error, const std::string& body)
{
    return packet(int32(xid) + int64(kZxid) + int32(error) + body);
}

std::string watchEvent(std::int32_t type, const std::string& path)
{
    constexpr std::int32_t kConnected = 3;
    return packet(int32(-1) + int64(-1) + int32(0) + int32(type) + int32(kConnected) + text(path));
}

std::string defaultReply(const FakeRequest& request)
{
    switch (request.op) {
    case 2:
        return reply(request.xid, 0);
    case 4:
        return reply(request.xid, 0, text("") + stat());
    case 9:
        return reply(request.xid, 0, text(request.path));
    case 12:
        return reply(request.xid, 0, int32(0) + stat());
    case 15:
        return reply(request.xid, 0, text(request.path) + stat());
    default:
        return reply(request.xid, 0, stat());
    }
}

struct FakeServer::Impl
{
    struct Connection
    {
        explicit Connection(tcp::socket accepted)
            : socket(std::move(accepted))
        {}
        tcp::socket socket;
    };
    using ConnectionPtr = std::shared_ptr<Connection>;

    Impl(Answer given, Options wanted)
        : answer(std::move(given))
        , options(wanted)
        , acceptor(io, {asio::ip::make_address(wanted.ip), 0})
    {
        asio::co_spawn(io, accept(), asio::detached);
        thread = std::thread([this] { io.run(); });
    }

    asio::awaitable<void> accept()
    {
        for (;;) {
            tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
            const auto connection = std::make_shared<Connection>(std::move(socket));
            if (hungUp)
                continue;
            all.push_back(connection);
            asio::co_spawn(io, serve(connection), asio::detached);
        }
    }

    asio::awaitable<std::string> readPacket(ConnectionPtr connection)
    {
        std::string length(4, '\0');
        co_await asio::async_read(connection->socket, asio::buffer(length), asio::use_awaitable);
        constexpr std::int32_t kMax = 1 << 20; // a four-letter word would be a length, too
        if (readInt(length, 0) < 0 || readInt(length, 0) > kMax) {
            connection->socket.close();
            throw boost::system::system_error(asio::error::eof);
        }
        std::string body(static_cast<std::size_t>(readInt(length, 0)), '\0');
        co_await asio::async_read(connection->socket, asio::buffer(body), asio::use_awaitable);
        co_return body;
    }

    asio::awaitable<void> write(ConnectionPtr connection, std::string bytes)
    {
        co_await asio::async_write(connection->socket, asio::buffer(bytes), asio::use_awaitable);
    }

    asio::awaitable<void> serve(ConnectionPtr connection)
    {
        const std::string hello = co_await readPacket(connection);
        if (!options.answersHandshakes)
            co_return;
        if (options.readOnly && hello.back() == 0) { // refused, as a server without a quorum does
            connection->socket.close();
            co_return;
        }
        const std::int64_t before = readLong(hello, 4 + 8 + 4); // behind version, zxid and timeout
        const std::int64_t session = before != 0 ? before : 0x1000 + connections;
        ++connections;
        if (options.handshake.empty())
            co_await write(connection, handshake(options.timeout, session, options.readOnly));
        connection->socket.set_option(tcp::no_delay(true));
        for (const std::string& piece : options.handshake) {
            co_await write(connection, piece);
            asio::steady_timer pause(io, std::chrono::milliseconds(5));
            co_await pause.async_wait(asio::use_awaitable);
        }
        for (;;) {
            const FakeRequest request = parse(co_await readPacket(connection));
            if (request.xid == kPingXid) {
                co_await write(connection, reply(kPingXid, 0));
                continue;
            }
            if (request.op == kCloseOp) {
                co_await write(connection, reply(request.xid, 0));
                connection->socket.close();
                co_return;
            }
            ++requests;
            co_await write(connection, answer(request));
        }
    }

    void hangUp()
    {
        hungUp = true;
        for (const ConnectionPtr& connection : all)
            connection->socket.close();
        all.clear();
    }

    void sendAndReset(const std::string& bytes)
    {
        for (const ConnectionPtr& connection : all) {
            asio::write(connection->socket, asio::buffer(bytes));
            connection->socket.set_option(tcp::socket::linger(true, 0));
            connection->socket.close();
        }
        all.clear();
    }

    Answer answer;
    Options options;
    asio::io_context io;
    tcp::acceptor acceptor;
    std::list<ConnectionPtr> all;
    bool hungUp = false;
    std::atomic<int> connections = 0;
    std::atomic<int> requests = 0;
    std::thread thread;
};

FakeServer::FakeServer(Answer answer, Options options)
    : m_impl(std::make_unique<Impl>(std::move(answer), std::move(options)))
{}

FakeServer::~FakeServer()
{
    m_impl->io.stop();
    m_impl->thread.join();
}

std::string FakeServer::address() const
{
    const std::string& ip = m_impl->options.ip;
    return (ip.find(':') == std::string::npos ? ip : "[" + ip + "]") + ":" + std::to_string(port());
}

std::uint16_t FakeServer::port() const { return m_impl->acceptor.local_endpoint().port(); }

int FakeServer::connections() const { return m_impl->connections; }

int FakeServer::requests() const { return m_impl->requests; }

void FakeServer::send(std::string bytes)
{
    asio::post(m_impl->io, [impl = m_impl.get(), bytes = std::move(bytes)] {
        for (const Impl::ConnectionPtr& connection : impl->all)
            if (connection->socket.is_open())
                asio::co_spawn(impl->io, impl->write(connection, bytes), asio::detached);
    });
}

void FakeServer::hangUp()
{
    asio::post(m_impl->io, [impl = m_impl.get()] { impl->hangUp(); });
}

void FakeServer::sendAndReset(std::string bytes)
{
    asio::post(m_impl->io, [impl = m_impl.get(), bytes = std::move(bytes)] { impl->sendAndReset(bytes); });
}

} // namespace lockscope::tests
