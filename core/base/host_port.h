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

// None unless there is a host, with neither blanks, slashes nor single brackets, and a port from 1 to 65535. An IPv6 address has
// brackets.
std::optional<HostPort> parseHostPort(std::string_view text);
// With brackets around an IPv6 address.
std::string formatHostPort(const std::string& host, std::uint16_t port);
// "a:1, b:2" into its parts, whatever they are, without the blanks around them, as ZooKeeper's own clients do;
// a comma at the end adds none.
std::vector<std::string> splitHosts(std::string_view hosts);

} // namespace lockscope
