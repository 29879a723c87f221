// One connection to a server, secured or not: frames in, bytes out. Scheduler thread. Callbacks may drop the
// last reference to it.
#pragma once

#include "core/zk/wire/frame_reader.h"

#include "core/base/time.h"
#include "core/base/unique_function.h"
#include "core/tls/stream.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace lockscope::zk::wire {

class Connection : public std::enable_shared_from_this<Connection>
{
public:
    struct Callbacks
    {
        UniqueFunction<void()> connected;
        UniqueFunction<void(std::string_view frame)> frame;
        UniqueFunction<void()> ended; // once: connect failed, connection ended, or malformed frame
    };
    Connection(boost::asio::io_context& io, tls::Security security, std::size_t maxFrameSize,
               Callbacks callbacks);

    void connect(const boost::asio::ip::tcp::endpoint& server);
    void send(std::string_view bytes);
    void drop(); // closes the connection; no callback runs afterwards
    // Sends the bytes and closes when the server has closed its side, or after `limit`; no callback runs
    // afterwards.
    void sendAndClose(std::string bytes, Duration limit);

private:
    void receive();
    void write();
    void end();

    tls::Stream m_stream;
    boost::asio::steady_timer m_timer; // for sendAndClose()
    FrameReader m_reader;
    Callbacks m_callbacks;
    std::string m_queued, m_writing;
    bool m_connected = false, m_over = false, m_closing = false;
};

} // namespace lockscope::zk::wire
