#include "core/zk/wire/connection.h"

#include <utility>

namespace lockscope::zk::wire {

namespace {

using boost::system::error_code;

} // namespace

Connection::Connection(boost::asio::io_context& io, tls::Security security, std::size_t maxFrameSize,
                       Callbacks callbacks)
    : m_stream(io, std::move(security))
    , m_timer(io)
    , m_reader(maxFrameSize)
    , m_callbacks(std::move(callbacks))
{}

void Connection::connect(const boost::asio::ip::tcp::endpoint& server)
{
    m_stream.connect(server, [self = shared_from_this()](const error_code& failed, std::size_t) {
        if (self->m_over)
            return;
        if (failed)
            return self->end();
        self->m_connected = true;
        self->receive();
        self->m_callbacks.connected();
    });
}

void Connection::receive()
{
    m_stream.readSome(m_reader.freeSpace(),
                      [self = shared_from_this()](const error_code& failed, std::size_t bytes) {
                          if (self->m_over)
                              return;
                          if (failed)
                              return self->end();
                          self->m_reader.commit(bytes);
                          std::string_view frame;
                          for (;;) {
                              const FrameReader::Status next = self->m_reader.next(frame);
                              if (next == FrameReader::Status::broken)
                                  return self->end();
                              if (next == FrameReader::Status::none)
                                  break;
                              if (!self->m_closing)
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

// Requests made while a write is under way go out together in the next one.
void Connection::write()
{
    if (m_queued.empty() || m_over)
        return;
    m_writing.swap(m_queued);
    m_stream.write(m_writing, [self = shared_from_this()](const error_code& failed, std::size_t) {
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
    const bool notifies = !m_over && !m_closing;
    m_over = true;
    m_stream.close();
    m_timer.cancel();
    if (notifies)
        m_callbacks.ended();
}

void Connection::drop()
{
    m_closing = true;
    end();
}

void Connection::sendAndClose(std::string bytes, Duration limit)
{
    if (m_over || !m_connected)
        return drop();
    m_closing = true;
    m_timer.expires_after(limit);
    m_timer.async_wait([self = shared_from_this()](const error_code& stopped) {
        if (!stopped)
            self->end();
    });
    send(bytes);
}

} // namespace lockscope::zk::wire
