// Serves a text at http://HOST:PORT/metrics, on a thread of its own: one request for each connection, no
// connection for longer than kPatience, and no more than kMostConnections at a time.
#pragma once

#include "core/base/error.h"
#include "core/base/time.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace lockscope::app {

class MetricsServer
{
public:
    static constexpr Duration kPatience = std::chrono::seconds(5);
    static constexpr int kMostConnections = 32; // one more is closed at once

    // `address`: numeric. `text` is called on the server's thread for each request. Error: ioFailed when the
    // address cannot be listened on.
    static Result<std::unique_ptr<MetricsServer>> start(const std::string& address,
                                                        std::function<std::string()> text);
    ~MetricsServer(); // drops the connections

private:
    explicit MetricsServer(std::function<std::string()> text);
    void accept();

    std::function<std::string()> m_text;
    int m_connections = 0; // of the thread
    boost::asio::io_context m_io{1};
    boost::asio::ip::tcp::acceptor m_acceptor{m_io};
    std::thread m_thread;
};

} // namespace lockscope::app
