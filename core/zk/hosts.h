// Converts server addresses from the form that users write to the form that the hub needs.
#pragma once

#include "core/base/error.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::zk {

// Returns all addresses, IPv4 and IPv6, of a host name or numeric address, or an error. May block.
using Resolver = std::function<Result<std::vector<std::string>>(const std::string& host)>;

struct ResolvedHosts
{
    std::string addresses; // "127.0.0.1:2181,[::1]:2181": every address of every name, each once
    std::map<std::string, std::string> names{}; // by address: the host that it is the address of
    std::vector<Error> unresolved;              // hosts without an address, left out because others have one
};

// "tls://host:port,host:port/app" in its parts; the chroot is empty or begins with a slash. Pure. In this
// form, with names or numbers, sessions of every kind take their hosts (Client, Hub, wire::ObserverSession).
struct ConnectString
{
    std::string servers;
    std::string chroot;
    bool tls = false; // demanded by the scheme
};
ConnectString splitChroot(std::string_view hosts);
// The same, without slashes at the end of the chroot.
ConnectString splitAndTrimChroot(std::string_view hosts);
// Whether a host is a name, and so must be looked up. `servers`: no chroot. Pure.
bool haveNames(const std::string& servers);

// Resolves "host:port,host:port" (no chroot). badUsage when a part is not HOST:PORT, or when no host has an
// address (the message gives the reason for each). Blocks (DNS), at most until a stop is requested, which
// gives `cancelled`: the resolver then ends whenever it can, on a thread that uses nothing but its own copy
// of it. Any thread.
Result<ResolvedHosts> resolveEveryHost(const std::string& hosts, const Resolver& resolver = {},
                                       const std::stop_token& stop = {});
// The addresses, and the chroot when the hosts have one. Also badUsage when the chroot is not a path.
Result<std::string> resolveHosts(const std::string& hosts, const Resolver& resolver = {});

} // namespace lockscope::zk
