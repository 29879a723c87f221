#include "core/zk/wire/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace lockscope::zk::wire {

namespace {

using boost::system::error_code;
constexpr auto kFarewell = std::chrono::seconds(2);

} // namespace

Connection::Connection(boost::asio::io_context& io, std::size_t largestFrame, Callbacks callbacks)
    : m_socket(io)
    , m_timer(io)
    , m_reader(largestFrame)
    , m_callbacks(std::move(callbacks))
{}

void Connection::connect(const boost::asio::ip::tcp::endpoint& server)
{
    m_socket.async_connect(server, [self = shared_from_this()](const error_code& failed) {
        if (self->m_over)
            return;
        if (failed)
            return self->end();
        error_code ignored;
        self->m_socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
        self->m_connected = true;
        self->receive();
        self->m_callbacks.connected();
    });
}

void Connection::receive()
{
    const std::span<char> room = m_reader.room();
    m_socket.async_read_some(boost::asio::buffer(room.data(), room.size()),
                             [self = shared_from_this()](const error_code& failed, std::size_t bytes) {
        if (self->m_over)
            return;
        if (failed)
            return self->end();
        self->m_reader.arrived(bytes);
        std::string_view frame;
        for (;;) {
            const FrameReader::Next next = self->m_reader.next(frame);
            if (next == FrameReader::Next::broken)
                return self->end();
            if (next == FrameReader::Next::none)
                break;
            if (!self->m_leaving)
                self->m_callbacks.frame(frame);
            if (self->m_over)
                return;
        }
        self->receive();
    });
}

void Connection::send(std::string_view bytes)
{
    m_queued += bytes;
    if (m_writing.empty() && m_connected)
        write();
}

// What is asked for while one packet is on its way goes out in the next one.
void Connection::write()
{
    if (m_queued.empty() || m_over)
        return;
    m_writing.swap(m_queued);
    boost::asio::async_write(m_socket, boost::asio::buffer(m_writing),
                             [self = shared_from_this()](const error_code& failed, std::size_t) {
        self->m_writing.clear();
        if (self->m_over)
            return;
        if (failed)
            return self->end();
        self->write();
    });
}

void Connection::end()
{
    const bool tells = !m_over && !m_leaving;
    m_over = true;
    error_code ignored;
    m_socket.close(ignored);
    m_timer.cancel();
    if (tells)
        m_callbacks.ended();
}

void Connection::drop()
{
    m_leaving = true;
    end();
}

void Connection::farewell(std::string bytes)
{
    if (m_over || !m_connected)
        return drop();
    m_leaving = true;
    m_timer.expires_after(kFarewell);
    m_timer.async_wait([self = shared_from_this()](const error_code& stopped) {
        if (!stopped)
            self->end();
    });
    send(bytes);
}

} // namespace lockscope::zk::wire
