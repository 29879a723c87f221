#include "core/zk/hosts.h"

#include "core/base/host_port.h"
#include "core/base/node_path.h"
#include "core/base/system_message.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <algorithm>

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
    const std::size_t slash = std::min(hosts.find('/'), hosts.size());
    std::string_view chroot = hosts.substr(slash);
    if (chroot == "/")
        chroot = {};
    return {std::string(hosts.substr(0, slash)), std::string(chroot)};
}

ConnectString splitAndTrimChroot(std::string_view hosts)
{
    ConnectString parts = splitChroot(hosts);
    while (parts.chroot.ends_with('/'))
        parts.chroot.pop_back();
    return parts;
}

Result<ResolvedHosts> resolveEveryHost(const std::string& hosts, const Resolver& resolver)
{
    ResolvedHosts resolved;
    std::vector<std::string> addresses;
    for (const std::string& part : splitHosts(hosts)) {
        const std::optional<HostPort> parsed = parseHostPort(part);
        if (!parsed)
            return Error{
                ErrorCode::badUsage, message("\"%1\" is not an address of a ZooKeeper.", part),
                message("Expected HOST:PORT, for example 127.0.0.1:2181; several are separated by commas.")};
        const Result<std::vector<std::string>> found =
            resolver ? resolver(parsed->host) : resolveWithSystem(parsed->host);
        if (!found || found->empty()) {
            resolved.unresolved.push_back(found ? hostNotFound(parsed->host, message("it has no address"))
                                                : found.error());
            continue;
        }
        for (const std::string& number : *found) {
            std::string address = formatHostPort(number, parsed->port);
            if (std::find(addresses.begin(), addresses.end(), address) == addresses.end())
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
