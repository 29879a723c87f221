// Finds the packets in one direction of a ZooKeeper connection, chunk by chunk as they come. Looks at the
// head of each packet only, keeps no bytes. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::server {

struct PacketHeader
{
    std::int32_t xid = 0;
    std::int32_t type = 0; // of a request; in a reply the upper half of its zxid
    std::size_t start = 0; // where it begins in this chunk; 0 when that was in an earlier one
};

class PacketReader
{
public:
    // The next packet whose head is complete, from position `at` of the chunk on; moves `at` past what was
    // looked at. Nothing when the chunk has no more. The first packet of a connection, the handshake, has no
    // such head and is not reported. What is not ZooKeeper's protocol yields nothing, from there on.
    std::optional<PacketHeader> next(std::string_view chunk, std::size_t& at);

private:
    static constexpr std::size_t kLengthBytes = 4;
    static constexpr std::size_t kHeadBytes = 8; // xid, type

    std::int32_t numberAt(std::size_t at) const;

    std::array<char, kLengthBytes + kHeadBytes> m_head{};
    std::size_t m_have = 0;              // bytes of the head
    std::size_t m_wanted = kLengthBytes; // and so many are needed to go on
    std::size_t m_skip = 0;              // bytes of a body still to come
    bool m_handshakeDone = false;
    bool m_invalid = false;
};

} // namespace lockscope::server
