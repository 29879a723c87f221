// Addresses as the sessions and the links are given them. Pure.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::server {

// "127.0.0.1:2181" or "[::1]:2181"; none for anything else.
std::optional<boost::asio::ip::tcp::endpoint> parseNumericEndpoint(std::string_view text);

// "127.0.0.1:2181,127.0.0.1:2182" into its parts.
std::vector<std::string> splitAddresses(const std::string& hosts);

} // namespace lockscope::server
