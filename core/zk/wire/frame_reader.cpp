#include "core/zk/wire/frame_reader.h"

#include "core/base/jute.h"

#include <cstring>

namespace lockscope::zk::wire {

std::span<char> FrameReader::freeSpace()
{
    if (m_begin > 0) {
        std::memmove(m_bytes.data(), m_bytes.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_end == 0 && m_bytes.size() > 4 * kChunkSize) // frees the memory of a long frame
        std::vector<char>().swap(m_bytes);
    if (m_bytes.size() - m_end < kChunkSize)
        m_bytes.resize(m_end + kChunkSize + m_end / 2);
    return {m_bytes.data() + m_end, m_bytes.size() - m_end};
}

FrameReader::Status FrameReader::next(std::string_view& frame)
{
    constexpr std::size_t kLength = 4;
    if (m_end - m_begin < kLength)
        return Status::none;
    const std::int32_t length = jute::loadInt32(m_bytes.data() + m_begin);
    if (length < 0 || static_cast<std::size_t>(length) > m_cap)
        return Status::broken;
    const auto size = static_cast<std::size_t>(length);
    if (m_end - m_begin - kLength < size)
        return Status::none;
    frame = {m_bytes.data() + m_begin + kLength, size};
    m_begin += kLength + size;
    return Status::frame;
}

} // namespace lockscope::zk::wire
