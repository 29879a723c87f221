// Server addresses: "127.0.0.1:2181", "[::1]:2181", "zk1:2181", and lists of these with commas. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope {

struct HostPort
{
    std::string host; // without the brackets of an IPv6 address
    std::uint16_t port = 0;
};

// None unless `text` has a host without blanks, slashes or unpaired brackets, and a port from 1 to 65535. An
// IPv6 address must be in brackets.
std::optional<HostPort> parseHostPort(std::string_view text);
// Puts an IPv6 address in brackets.
std::string formatHostPort(const std::string& host, std::uint16_t port);
// Removes "tls://" in front of a list of servers, and of each of them; false if it is not in front.
bool takeTlsScheme(std::string& hosts);
// Splits "a:1, b:2" at the commas and trims blanks, as ZooKeeper's own clients do; does not check the parts.
// A trailing comma adds no part.
std::vector<std::string> splitHosts(std::string_view hosts);

} // namespace lockscope
