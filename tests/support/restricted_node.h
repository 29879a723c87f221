// Nodes that do not permit everything, over a plain socket: sessions of ours always permit everything.
#pragma once

#include "core/server/deadline.h"
#include "core/server/probe/tcp_stream.h"

#include <cstdint>
#include <string>

namespace lockscope::tests {

enum Right : std::uint32_t {
    readRight = 1,
    writeRight = 2,
    createRight = 4,
    deleteRight = 8,
    adminRight = 16, // setRights() may change them
    allRights = 31,
};

namespace restricted_node {

inline std::string number(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(value >> shift & 0xff));
    return bytes;
}
inline std::string encodedText(const std::string& value)
{
    return number(static_cast<std::uint32_t>(value.size())) + value;
}

// Sends a packet and returns the one that comes back; empty when anything fails.
inline std::string roundTrip(server::TcpStream& stream, const std::string& packet)
{
    const auto deadline = server::deadlineIn(std::chrono::seconds(10));
    if (!stream.send(encodedText(packet), deadline))
        return {};
    const auto head = stream.receiveExactly(4, deadline);
    if (!head)
        return {};
    std::size_t size = 0;
    for (const char byte : *head)
        size = size << 8 | static_cast<unsigned char>(byte);
    const auto reply = stream.receiveExactly(size, deadline);
    return reply ? *reply : std::string();
}

// Sends one request in a session of its own; true when the server has carried it out.
inline bool request(const std::string& server, std::uint32_t type, const std::string& content)
{
    auto stream = server::TcpStream::connect(server, server::deadlineIn(std::chrono::seconds(10)));
    if (!stream)
        return false;
    // Version, last zxid, timeout, session id, password, read-only.
    roundTrip(*stream, number(0) + number(0) + number(0) + number(10'000) + number(0) + number(0) +
                           encodedText(std::string(16, '\0')) + std::string(1, '\0'));
    const std::string reply = roundTrip(*stream, number(1) + number(type) + content);
    return reply.size() >= 16 && reply.substr(12, 4) == number(0);
}

// An access list with one entry.
inline std::string openAcl(std::uint32_t rights)
{
    return number(1) + number(rights) + encodedText("world") + encodedText("anyone");
}

} // namespace restricted_node

// All clients have these rights on it and no others. True when it was made.
inline bool makeRestrictedNode(const std::string& server, const std::string& path, std::uint32_t rights)
{
    using namespace restricted_node;
    constexpr std::uint32_t create = 1;
    const std::uint32_t persistent = 0;
    return request(server, create,
                   encodedText(path) + encodedText("") + openAcl(rights) + number(persistent));
}

// The same rights for all clients from now on, on a node with the adminRight. True when they were set.
inline bool setRights(const std::string& server, const std::string& path, std::uint32_t rights)
{
    using namespace restricted_node;
    constexpr std::uint32_t setAcl = 7;
    const std::uint32_t anyVersion = 0xffffffff;
    return request(server, setAcl, encodedText(path) + openAcl(rights) + number(anyVersion));
}

} // namespace lockscope::tests
