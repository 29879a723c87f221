#include "core/base/host_port.h"

#include "core/base/numbers.h"

#include <algorithm>

namespace lockscope {

std::optional<HostPort> parseHostPort(std::string_view text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || text.find(']', colon) != std::string_view::npos)
        return {};
    std::string_view host = text.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    else if (host.find(':') != std::string_view::npos)
        return {}; // "::1" would be the host ":" and the port 1
    const std::uint16_t port = parseWhole<std::uint16_t>(text.substr(colon + 1)).value_or(0);
    if (host.empty() || host.find_first_of("[] \t/") != std::string_view::npos || port == 0)
        return {};
    return HostPort{std::string(host), port};
}

std::string formatHostPort(const std::string& host, std::uint16_t port)
{
    const bool isV6 = host.find(':') != std::string::npos;
    return (isV6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool takeTlsScheme(std::string& hosts)
{
    constexpr std::string_view kScheme = "tls://", kNext = ",tls://";
    if (!hosts.starts_with(kScheme))
        return false;
    hosts.erase(0, kScheme.size());
    for (std::size_t at = hosts.find(kNext); at != std::string::npos; at = hosts.find(kNext, at))
        hosts.erase(at + 1, kScheme.size());
    return true;
}

std::vector<std::string> splitHosts(std::string_view hosts)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < hosts.size();) {
        const std::size_t end = std::min(hosts.find(',', begin), hosts.size());
        std::string_view part = hosts.substr(begin, end - begin);
        while (part.starts_with(' '))
            part.remove_prefix(1);
        while (part.ends_with(' '))
            part.remove_suffix(1);
        parts.emplace_back(part);
        begin = end + 1;
    }
    return parts;
}

} // namespace lockscope
