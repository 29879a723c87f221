// A TCP forwarder on the loopback network whose connections to the server come from an address of their own:
// clients of one machine as if they were on several. Has a thread; everything is closed when it goes.
#pragma once

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <memory>
#include <string>
#include <thread>

namespace lockscope::tests {

class Forwarder
{
public:
    using tcp = boost::asio::ip::tcp;

    Forwarder(const std::string& from, std::uint16_t serverPort)
        : m_from(boost::asio::ip::make_address(from), 0)
        , m_server(boost::asio::ip::address_v4::loopback(), serverPort)
        , m_acceptor(m_io, {boost::asio::ip::address_v4::loopback(), 0})
    {
        accept();
        m_thread = std::thread([this] { m_io.run(); });
    }
    ~Forwarder()
    {
        m_io.stop();
        m_thread.join();
    }
    Forwarder(const Forwarder&) = delete;
    Forwarder& operator=(const Forwarder&) = delete;

    std::string address() const { return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port()); }

private:
    struct Pair
    {
        tcp::socket client, server;
        std::array<char, 16 * 1024> up{}, down{};
    };

    void accept()
    {
        m_acceptor.async_accept([this](boost::system::error_code failure, tcp::socket client) {
            if (failure)
                return;
            const auto pair = std::make_shared<Pair>(Pair{std::move(client), tcp::socket(m_io)});
            pair->server.open(tcp::v4());
            pair->server.bind(m_from);
            pair->server.async_connect(m_server, [this, pair](boost::system::error_code refused) {
                if (refused)
                    return close(*pair);
                pump(pair, pair->client, pair->server, pair->up);
                pump(pair, pair->server, pair->client, pair->down);
            });
            accept();
        });
    }
    void pump(const std::shared_ptr<Pair>& pair, tcp::socket& from, tcp::socket& to,
              std::array<char, 16 * 1024>& bytes)
    {
        from.async_read_some(
            boost::asio::buffer(bytes),
            [this, pair, &from, &to, &bytes](boost::system::error_code ended, std::size_t count) {
                if (ended)
                    return close(*pair);
                boost::asio::async_write(
                    to, boost::asio::buffer(bytes, count),
                    [this, pair, &from, &to, &bytes](boost::system::error_code failure, std::size_t) {
                        failure ? close(*pair) : pump(pair, from, to, bytes);
                    });
            });
    }
    static void close(Pair& pair)
    {
        boost::system::error_code ignored;
        pair.client.close(ignored);
        pair.server.close(ignored);
    }

    tcp::endpoint m_from, m_server;
    boost::asio::io_context m_io{1};
    tcp::acceptor m_acceptor;
    std::thread m_thread;
};

} // namespace lockscope::tests
