// Numeric server addresses as endpoints of Boost.Asio.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <string_view>

namespace lockscope {

// Accepts the syntax of parseHostPort() with a numeric host; none when the host is a name. Pure; any thread.
std::optional<boost::asio::ip::tcp::endpoint> parseNumericEndpoint(std::string_view text);

} // namespace lockscope
