// Finds the packets in one direction of a ZooKeeper connection, chunk by chunk. Reads only the header of each
// packet and keeps no bytes. One thread.
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
    std::size_t start = 0; // its beginning in this chunk; 0 if it began in an earlier one
};

class PacketReader
{
public:
    // The next packet with a complete header from position `at` of the chunk on; advances `at`. None when the
    // chunk has no more. The handshake, the first packet of a connection, has no such header and is skipped.
    // After bytes that are not ZooKeeper's protocol it always returns none.
    std::optional<PacketHeader> next(std::string_view chunk, std::size_t& at);

private:
    static constexpr std::size_t kLengthBytes = 4;
    static constexpr std::size_t kHeadBytes = 8; // xid, type

    std::array<char, kLengthBytes + kHeadBytes> m_head{};
    std::size_t m_have = 0;              // bytes of the header so far
    std::size_t m_wanted = kLengthBytes; // bytes needed for the next step
    std::size_t m_skip = 0;              // bytes left of a body
    bool m_handshakeDone = false;
    bool m_invalid = false;
};

} // namespace lockscope::server
