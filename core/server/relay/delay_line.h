// The bytes in transit in one direction. Each piece is due at a time that follows from the rules' latency,
// jitter and bandwidth; order is kept. Do not push while it is full. Pure: the time is an argument. One
// thread.
#pragma once

#include "core/base/random.h"
#include "core/base/time.h"
#include "core/server/relay/link_rules.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace lockscope::server {

// How a direction ends.
enum class LinkEnd { none, closed, reset };

class DelayLine
{
public:
    static constexpr std::size_t kMaxBuffered = 1u << 20; // bytes, exceeded by at most one chunk
    static constexpr std::size_t kMaxChunk = 1u << 16;

    explicit DelayLine(std::uint64_t seed)
        : m_random(seed)
    {}

    // Pieces in transit become due no later than under the new rules.
    void setRules(const LinkRules& rules, MonotonicTime now);

    bool isDelaying() const; // a rule delays bytes; otherwise they may be written at once
    void push(std::string_view bytes, MonotonicTime now);
    void pushEnd(LinkEnd end, MonotonicTime now); // after all bytes

    bool empty() const { return m_pieces.empty(); }
    bool full() const { return m_buffered >= kMaxBuffered; }
    std::size_t chunkLimit() const;                           // of one push, in bytes
    MonotonicTime readableAt() const { return m_readableAt; } // no push before this

    // Of the first piece; it must not be empty.
    MonotonicTime due() const { return m_pieces.front().due; }
    std::string_view bytes() const; // empty for an end
    LinkEnd end() const { return m_pieces.front().end; }
    void pop(std::size_t bytes); // from the first piece, which is removed with its last byte
    void clear();

private:
    struct Piece
    {
        MonotonicTime due;
        std::string bytes;
        LinkEnd end;
    };

    MonotonicTime arrival(std::size_t bytes, MonotonicTime now);

    Random m_random;
    LinkRules m_rules;
    std::deque<Piece> m_pieces;
    std::size_t m_sent = 0;     // bytes popped from the first piece
    std::size_t m_buffered = 0; // bytes of all pieces
    MonotonicTime m_readableAt{};
    MonotonicTime m_lastDue{};
};

} // namespace lockscope::server
