#include "core/zk/hosts.h"

#include "core/base/host_port.h"
#include "core/base/node_path.h"
#include "core/base/numeric_endpoint.h"
#include "core/base/system_message.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace lockscope::zk {

namespace {

Error hostNotFound(const std::string& host, const Message& why)
{
    return Error{ErrorCode::badUsage, message("The host \"%1\" cannot be found: %2.", host, why),
                 message("Check the host name, or give its IP address.")};
}

Result<std::vector<std::string>> resolveWithSystem(const std::string& host)
{
    boost::asio::io_context io;
    boost::asio::ip::tcp::resolver resolver(io);
    boost::system::error_code error;
    const auto found = resolver.resolve(host, "", error);
    if (error && host == "localhost") // means the loopback even without /etc/hosts (RFC 6761)
        return std::vector<std::string>{"127.0.0.1", "::1"};
    if (error)
        return hostNotFound(host, systemMessage(error));
    std::vector<std::string> addresses;
    for (const auto& entry : found)
        addresses.push_back(entry.endpoint().address().to_string());
    return addresses;
}

// Waits for the resolver, or for a stop. The system's resolver cannot be interrupted and may take minutes, so
// it runs on a thread that nothing waits for: not even the end of the process.
Result<std::vector<std::string>> resolveUntilStopped(const Resolver& resolver, const std::string& host,
                                                     const std::stop_token& stop)
{
    struct Answer
    {
        std::mutex mutex;
        std::condition_variable_any given;
        std::optional<Result<std::vector<std::string>>> addresses;
    };
    const auto answer = std::make_shared<Answer>();
    std::thread([answer, resolver, host] {
        Result<std::vector<std::string>> found = resolver(host);
        const std::lock_guard lock(answer->mutex);
        answer->addresses = std::move(found);
        answer->given.notify_all();
    }).detach();
    std::unique_lock lock(answer->mutex);
    if (!answer->given.wait(lock, stop, [&] { return answer->addresses.has_value(); }))
        return Error{ErrorCode::cancelled, message("Finding the address of %1 was canceled.", host), {}};
    return std::move(*answer->addresses);
}

// Joins the messages of all errors.
Error combineErrors(const std::vector<Error>& errors)
{
    Error all = errors.front();
    for (std::size_t i = 1; i < errors.size(); ++i)
        all.message = joined(all.message, errors[i].message);
    return all;
}

} // namespace

ConnectString splitChroot(std::string_view hosts)
{
    ConnectString parts{std::string(hosts), {}};
    parts.tls = takeTlsScheme(parts.servers);
    const std::size_t slash = std::min(parts.servers.find('/'), parts.servers.size());
    parts.chroot = parts.servers.substr(slash);
    parts.servers.resize(slash);
    if (parts.chroot == "/")
        parts.chroot.clear();
    return parts;
}

ConnectString splitAndTrimChroot(std::string_view hosts)
{
    ConnectString parts = splitChroot(hosts);
    while (parts.chroot.ends_with('/'))
        parts.chroot.pop_back();
    return parts;
}

bool haveNames(const std::string& servers)
{
    const std::vector<std::string> all = splitHosts(servers);
    return std::any_of(all.begin(), all.end(), [](const std::string& server) {
        return parseHostPort(server) && !parseNumericEndpoint(server);
    });
}

Result<ResolvedHosts> resolveEveryHost(const std::string& hosts, const Resolver& given,
                                       const std::stop_token& stop)
{
    const Resolver resolver = given ? given : resolveWithSystem;
    ResolvedHosts resolved;
    std::vector<std::string> addresses;
    for (const std::string& part : splitHosts(hosts)) {
        const std::optional<HostPort> parsed = parseHostPort(part);
        if (!parsed)
            return Error{
                ErrorCode::badUsage, message("\"%1\" is not an address of a ZooKeeper.", part),
                message("Expected HOST:PORT, for example 127.0.0.1:2181; several are separated by commas.")};
        const Result<std::vector<std::string>> found =
            stop.stop_possible() ? resolveUntilStopped(resolver, parsed->host, stop) : resolver(parsed->host);
        if (!found && found.error().code == ErrorCode::cancelled)
            return found.error();
        if (!found || found->empty()) {
            resolved.unresolved.push_back(found ? hostNotFound(parsed->host, message("it has no address"))
                                                : found.error());
            continue;
        }
        for (const std::string& number : *found) {
            std::string address = formatHostPort(number, parsed->port);
            if (resolved.names.emplace(address, parsed->host).second)
                addresses.push_back(std::move(address));
        }
    }
    if (addresses.empty() && resolved.unresolved.empty())
        return Error{ErrorCode::badUsage, message("No address of a ZooKeeper was given."),
                     message("Expected HOST:PORT, for example 127.0.0.1:2181.")};
    if (addresses.empty())
        return combineErrors(resolved.unresolved);
    for (const std::string& address : addresses)
        resolved.addresses += (resolved.addresses.empty() ? "" : ",") + address;
    return resolved;
}

Result<std::string> resolveHosts(const std::string& hosts, const Resolver& resolver)
{
    const ConnectString parts = splitChroot(hosts);
    if (!parts.chroot.empty() && !isNodePath(parts.chroot))
        return Error{ErrorCode::badUsage, message("\"%1\" is not the path of a node.", parts.chroot),
                     message("A chroot may follow the addresses, for example 127.0.0.1:2181/app.")};
    Result<ResolvedHosts> resolved = resolveEveryHost(parts.servers, resolver);
    if (!resolved)
        return resolved.error();
    return resolved->addresses + parts.chroot;
}

} // namespace lockscope::zk
