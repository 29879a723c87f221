// The two ends of a link in a test: plain sockets on the loopback address, driven by the test's own thread.
// What came is collected; how a connection ended is remembered. Test thread only.
#pragma once

#include "core/base/time.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::server::testing {

using boost::asio::ip::tcp;

class Peer
{
public:
    explicit Peer(tcp::socket socket)
        : m_socket(std::move(socket))
    {}
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    void send(std::string bytes)
    {
        m_output.push_back(std::move(bytes));
        if (m_output.size() == 1)
            writeNext();
    }
    void finish() { m_socket.shutdown(tcp::socket::shutdown_send); }
    void close() { m_socket.close(); }
    void reset()
    {
        if (m_socket.is_open())
            m_socket.set_option(tcp::socket::linger(true, 0));
        m_socket.close();
    }
    // Reads until the end, into received, or to `sink` when there is one.
    void readAll()
    {
        m_socket.async_read_some(
            boost::asio::buffer(m_chunk),
            [this, there = std::weak_ptr(m_there)](boost::system::error_code failure, std::size_t got) {
                if (there.expired())
                    return;
                if (failure) {
                    ending = failure;
                    return;
                }
                if (sink)
                    sink({m_chunk.data(), got});
                else
                    received.append(m_chunk.data(), got);
                readAll();
            });
    }
    bool closedByOther() const { return ending == boost::asio::error::eof; }
    bool wasReset() const { return ending == boost::asio::error::connection_reset; }

    std::string received;
    std::function<void(std::string_view)> sink;
    boost::system::error_code ending; // none while it is open
    std::size_t sent = 0;

private:
    void writeNext()
    {
        m_socket.async_write_some(
            boost::asio::buffer(m_output.front()),
            [this, there = std::weak_ptr(m_there)](boost::system::error_code failure, std::size_t count) {
                if (failure || there.expired())
                    return;
                sent += count;
                m_output.front().erase(0, count);
                if (m_output.front().empty())
                    m_output.erase(m_output.begin());
                if (!m_output.empty())
                    writeNext();
            });
    }

    tcp::socket m_socket;
    std::array<char, 65536> m_chunk{};
    std::vector<std::string> m_output;
    std::shared_ptr<int> m_there = std::make_shared<int>(0); // for handlers that come after its end
};

// Accepts every connection, and reads its input if `reads` is set.
class PlainServer
{
public:
    explicit PlainServer(boost::asio::io_context& io)
        : m_acceptor(io, {boost::asio::ip::address_v4::loopback(), 0})
    {
        acceptNext();
    }
    std::string address() const { return "127.0.0.1:" + std::to_string(m_acceptor.local_endpoint().port()); }
    void stopListening() { m_acceptor.close(); }

    bool reads = true;
    std::vector<std::unique_ptr<Peer>> peers;

private:
    void acceptNext()
    {
        m_acceptor.async_accept([this](boost::system::error_code failure, tcp::socket socket) {
            if (failure)
                return;
            peers.push_back(std::make_unique<Peer>(std::move(socket)));
            if (reads)
                peers.back()->readAll();
            acceptNext();
        });
    }

    tcp::acceptor m_acceptor;
};

// ZooKeeper's packets, as far as a link looks at them.
inline std::string wireNumber(std::int32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(value) >> shift & 0xff));
    return bytes;
}
inline std::string packet(const std::string& body)
{
    return wireNumber(static_cast<std::int32_t>(body.size())) + body;
}
inline std::string request(std::int32_t xid, std::int32_t type, const std::string& rest = "...")
{
    return packet(wireNumber(xid) + wireNumber(type) + rest);
}
inline std::string reply(std::int32_t xid, const std::string& rest = "")
{
    return packet(wireNumber(xid) + std::string(8, '\0') + wireNumber(0) + rest);
}
inline std::string handshake() { return packet(std::string(44, '\1')); }

} // namespace lockscope::server::testing
