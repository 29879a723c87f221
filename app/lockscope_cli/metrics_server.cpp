#include "app/lockscope_cli/metrics_server.h"

#include "core/base/numeric_endpoint.h"

#include <fmt/core.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <string_view>
#include <utility>

namespace lockscope::app {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kLongestRequest = 8192;

// One request and its answer. Its handlers keep it.
struct Connection : std::enable_shared_from_this<Connection>
{
    Connection(tcp::socket peer, const std::function<std::string()>& metrics, int& connections)
        : socket(std::move(peer))
        , limit(socket.get_executor(), MetricsServer::kPatience)
        , text(metrics)
        , count(connections)
    {
        ++count;
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { --count; }

    void serve()
    {
        limit.async_wait([self = shared_from_this()](error_code error) {
            error_code ignored;
            if (!error)
                self->socket.close(ignored);
        });
        boost::asio::async_read_until(
            socket, boost::asio::dynamic_buffer(request, kLongestRequest), "\r\n\r\n",
            [self = shared_from_this()](error_code error, std::size_t) { self->answer(error); });
    }

    void answer(error_code error)
    {
        if (error)
            return close();
        const bool isGet = request.starts_with("GET ");
        const std::string_view path = std::string_view(request).substr(4, request.find_first_of(" ?", 4) - 4);
        reply = !isGet               ? response("405 Method Not Allowed", "Only GET.\n")
                : path == "/metrics" ? response("200 OK", text())
                                     : response("404 Not Found", "The measures are at /metrics.\n");
        boost::asio::async_write(socket, boost::asio::buffer(reply),
                                 [self = shared_from_this()](error_code, std::size_t) { self->close(); });
    }

    void close()
    {
        error_code ignored;
        limit.cancel();
        socket.shutdown(tcp::socket::shutdown_both, ignored);
        socket.close(ignored);
    }

    static std::string response(const char* status, const std::string& body)
    {
        return fmt::format("HTTP/1.1 {}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                           "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
                           status, body.size(), body);
    }

    tcp::socket socket;
    boost::asio::steady_timer limit;
    const std::function<std::string()>& text;
    int& count;
    std::string request, reply;
};

} // namespace

MetricsServer::MetricsServer(std::function<std::string()> text)
    : m_text(std::move(text))
{}

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(const std::string& address,
                                                            std::function<std::string()> text)
{
    const auto endpoint = parseNumericEndpoint(address);
    if (!endpoint)
        return Error{ErrorCode::badUsage, "The address " + address + " is not in numbers.", ""};
    std::unique_ptr<MetricsServer> server(new MetricsServer(std::move(text)));
    tcp::acceptor& acceptor = server->m_acceptor;
    error_code error;
    acceptor.open(endpoint->protocol(), error);
    if (!error)
        acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error)
        acceptor.bind(*endpoint, error);
    if (!error)
        acceptor.listen(tcp::acceptor::max_listen_connections, error);
    if (error)
        return Error{ErrorCode::ioFailed,
                     "The measures cannot be served at " + address + ": " + error.message() + ".",
                     "Give --metrics another address."};
    server->accept();
    server->m_thread = std::thread([io = &server->m_io] { io->run(); });
    return server;
}

MetricsServer::~MetricsServer()
{
    m_io.stop();
    if (m_thread.joinable())
        m_thread.join();
}

void MetricsServer::accept()
{
    m_acceptor.async_accept([this](error_code error, tcp::socket peer) {
        if (!error && m_connections < kMostConnections)
            std::make_shared<Connection>(std::move(peer), m_text, m_connections)->serve();
        else if (error) // no descriptor is left
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        accept();
    });
}

} // namespace lockscope::app
