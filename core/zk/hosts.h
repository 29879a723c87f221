// The addresses of a ZooKeeper as users write them, and as the hub wants them.
#pragma once

#include "core/base/error.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::zk {

// All addresses of a host name (or of a number), IPv4 and IPv6; or why there are none. May block.
using Resolver = std::function<Result<std::vector<std::string>>(const std::string& host)>;

struct ResolvedHosts
{
    std::string addresses;         // "127.0.0.1:2181,[::1]:2181": every address of every name, each once
    std::vector<Error> unresolved; // the names that were left out, because others have addresses
};

// Resolves "host:port,host:port". badUsage when a part is no HOST:PORT, or when no name has an address: it
// says why of each. Blocks (DNS); any thread.
Result<ResolvedHosts> resolveEveryHost(const std::string& hosts, const Resolver& resolver = {});
// The addresses alone.
Result<std::string> resolveHosts(const std::string& hosts, const Resolver& resolver = {});

} // namespace lockscope::zk
