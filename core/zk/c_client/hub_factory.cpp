// Making a hub, and what the machine allows.
#include "core/zk/c_client/hub_impl.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <sys/epoll.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <sstream>

namespace lockscope::zk {

namespace {

constexpr std::size_t kDescriptorsKept = 100; // for files, pipes, the display and the server's supervisor

void raiseFileLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// "host:port" or "[v6]:port" in two parts; empty port when it has none.
std::pair<std::string, std::string> splitHostPort(const std::string& part)
{
    const std::size_t colon = part.rfind(':');
    if (colon == std::string::npos || part.find(']', colon) != std::string::npos)
        return {part, ""};
    std::string host = part.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return {host, part.substr(colon + 1)};
}

bool isPort(const std::string& text)
{
    if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != std::string::npos)
        return false;
    const int port = std::stoi(text);
    return port >= 1 && port <= 65535;
}

} // namespace

Result<std::unique_ptr<Hub>> Hub::create(boost::asio::io_context& io, HubOptions options)
{
    raiseFileLimit();
    zoo_set_debug_level(static_cast<ZooLogLevel>(0)); // it would write to the terminal; we say what happens ourselves
    zoo_deterministic_conn_order(1);
    const int epollFd = epoll_create1(EPOLL_CLOEXEC);
    if (epollFd < 0)
        return Error{ErrorCode::limitExceeded, std::string("No epoll set to be had: ") + std::strerror(errno) + ".",
                     "Raise the limit of open files (ulimit -n)."};
    return std::unique_ptr<Hub>(std::make_unique<c_client::HubImpl>(io, epollFd, options));
}

Hub::~Hub() = default;

std::size_t sessionCapacity()
{
    raiseFileLimit();
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    return limit.rlim_cur > kDescriptorsKept ? limit.rlim_cur - kDescriptorsKept : 0;
}

Result<void> checkSessionCapacity(std::size_t sessions)
{
    const std::size_t capacity = sessionCapacity();
    if (sessions <= capacity)
        return {};
    return Error{ErrorCode::limitExceeded,
                 "The run asks for " + std::to_string(sessions) + " sessions, but this process may have only " +
                     std::to_string(capacity) + " (its limit of open files, less " +
                     std::to_string(kDescriptorsKept) + ").",
                 "Ask for fewer clients, or raise the hard limit (ulimit -Hn)."};
}

Result<std::string> resolveHosts(const std::string& hosts)
{
    std::string resolved;
    std::istringstream parts(hosts);
    std::string part;
    while (std::getline(parts, part, ',')) {
        const auto [host, port] = splitHostPort(part);
        if (host.empty() || !isPort(port))
            return Error{ErrorCode::badUsage, "\"" + part + "\" is not an address of a ZooKeeper.",
                         "Expected HOST:PORT, for example 127.0.0.1:2181; several are separated by commas."};
        boost::asio::io_context io;
        boost::asio::ip::tcp::resolver resolver(io);
        boost::system::error_code error;
        auto found = resolver.resolve(host, port, error);
        if (error && host == "localhost") // a machine without /etc/hosts: it means the loopback all the same (RFC 6761)
            found = resolver.resolve("127.0.0.1", port, error);
        if (error || found.empty())
            return Error{ErrorCode::badUsage, "The host \"" + host + "\" cannot be found: " + error.message() + ".",
                         "Check the name, or give its number."};
        const boost::asio::ip::address address = found.begin()->endpoint().address();
        resolved += resolved.empty() ? "" : ",";
        resolved += (address.is_v6() ? "[" + address.to_string() + "]" : address.to_string()) + ":" + port;
    }
    if (resolved.empty())
        return Error{ErrorCode::badUsage, "No address of a ZooKeeper was given.",
                     "Expected HOST:PORT, for example 127.0.0.1:2181."};
    return resolved;
}

} // namespace lockscope::zk
