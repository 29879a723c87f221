#include "core/server/relay/packet_reader.h"

#include "core/base/jute.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockscope::server {

namespace {

// Above the size of any packet, and below every four-letter word read as a number.
constexpr std::int32_t kLongest = 1 << 30;

} // namespace

std::optional<PacketHeader> PacketReader::next(std::string_view chunk, std::size_t& at)
{
    std::size_t start = 0;
    while (at < chunk.size() && !m_invalid) {
        if (m_skip > 0) {
            const auto step = std::min(m_skip, chunk.size() - at);
            m_skip -= step;
            at += step;
            continue;
        }
        if (m_have == 0)
            start = at;
        const auto taken = std::min(m_wanted - m_have, chunk.size() - at);
        std::memcpy(m_head.data() + m_have, chunk.data() + at, taken);
        m_have += taken;
        at += taken;
        if (m_have < m_wanted)
            continue;

        const auto length = jute::loadInt32(m_head.data());
        m_invalid = length < 0 || length > kLongest;
        const auto body = static_cast<std::size_t>(m_invalid ? 0 : length);
        m_wanted = kLengthBytes + std::min(body, kHeadBytes);
        if (m_have < m_wanted)
            continue;
        m_skip = body - (m_have - kLengthBytes);
        const bool complete = m_have == m_head.size();
        m_have = 0;
        m_wanted = kLengthBytes;
        if (m_invalid || !std::exchange(m_handshakeDone, true) || !complete)
            continue;
        jute::Reader header({m_head.data() + kLengthBytes, kHeadBytes});
        const std::int32_t xid = header.int32();
        return PacketHeader{xid, header.int32(), start};
    }
    return {};
}

} // namespace lockscope::server
