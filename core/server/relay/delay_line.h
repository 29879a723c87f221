// Bytes under way in one direction: each piece has the time at which it may arrive, by the rules' latency,
// jitter and bandwidth. Order is kept. The one who fills it stops while it is full. Pure: time comes from
// outside. One thread.
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
    static constexpr std::size_t kMaxBuffered = 1u << 20; // bytes; one chunk more may be in it
    static constexpr std::size_t kMaxChunk = 1u << 16;

    explicit DelayLine(std::uint64_t seed)
        : m_random(seed)
    {}

    // What is under way arrives no later than the new rules would let it.
    void setRules(const LinkRules& rules, MonotonicTime now);

    bool isDelaying() const; // whether a rule holds here; without one, what is pushed may arrive at once
    void push(std::string_view bytes, MonotonicTime now);
    void pushEnd(LinkEnd end, MonotonicTime now); // behind everything else

    bool empty() const { return m_pieces.empty(); }
    bool full() const { return m_buffered >= kMaxBuffered; }
    std::size_t chunkLimit() const;                   // push at most so many bytes at a time
    MonotonicTime readableAt() const { return m_readableAt; } // and the next ones not before

    // Of the first piece; not when empty.
    MonotonicTime due() const { return m_pieces.front().due; }
    std::string_view bytes() const; // empty for an end
    LinkEnd end() const { return m_pieces.front().end; }
    void pop(std::size_t bytes); // so many of the first piece's; the piece goes with its last byte
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
    std::size_t m_sent = 0;    // bytes of the first piece
    std::size_t m_buffered = 0; // bytes of all
    MonotonicTime m_readableAt{};
    MonotonicTime m_lastDue{};
};

} // namespace lockscope::server
