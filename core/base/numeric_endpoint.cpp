#include "core/base/numeric_endpoint.h"

#include "core/base/host_port.h"

namespace lockscope {

using boost::asio::ip::tcp;

std::optional<tcp::endpoint> parseNumericEndpoint(std::string_view text)
{
    const std::optional<HostPort> parts = parseHostPort(text);
    boost::system::error_code failed;
    const auto address =
        parts ? boost::asio::ip::make_address(parts->host, failed) : boost::asio::ip::address();
    return parts && !failed ? std::optional(tcp::endpoint(address, parts->port)) : std::nullopt;
}

} // namespace lockscope
