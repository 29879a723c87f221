#include "core/server/address.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace lockscope::server {

using boost::asio::ip::tcp;

std::optional<tcp::endpoint> parseNumericEndpoint(std::string_view text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos)
        return {};
    const auto digits = text.substr(colon + 1);
    std::uint16_t port = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || port == 0)
        return {};
    auto host = text.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    boost::system::error_code failure;
    const auto address = boost::asio::ip::make_address(std::string(host), failure);
    if (failure)
        return {};
    return tcp::endpoint(address, port);
}

std::vector<std::string> splitAddresses(const std::string& hosts)
{
    std::vector<std::string> all;
    for (std::size_t begin = 0; begin <= hosts.size();) {
        const std::size_t end = std::min(hosts.find(',', begin), hosts.size());
        all.push_back(hosts.substr(begin, end - begin));
        begin = end + 1;
    }
    return all;
}

} // namespace lockscope::server
