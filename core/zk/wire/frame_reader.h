// Splits the bytes from a server into frames: an int32 length, then that many bytes. A length that is
// negative or above the cap is an error. Memory grows with the received bytes, never with a promised length.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace lockscope::zk::wire {

class FrameReader
{
public:
    enum class Status { none, frame, broken };

    explicit FrameReader(std::size_t cap)
        : m_cap(cap)
    {}
    // The space for the next bytes, which commit() adds. Invalidates frames.
    std::span<char> freeSpace();
    void commit(std::size_t bytes) { m_end += bytes; }
    // `frame` is valid until the next call of freeSpace().
    Status next(std::string_view& frame);

private:
    static constexpr std::size_t kChunkSize = std::size_t{64} * 1024;

    std::size_t m_cap;
    std::vector<char> m_bytes;
    std::size_t m_begin = 0, m_end = 0;
};

} // namespace lockscope::zk::wire
