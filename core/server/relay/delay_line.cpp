#include "core/server/relay/delay_line.h"

#include <algorithm>

namespace lockscope::server {

void DelayLine::setRules(const LinkRules& rules, MonotonicTime now)
{
    if (rules.bytesPerSecond != m_rules.bytesPerSecond)
        m_readableAt = now;
    m_rules = rules;
    const auto latest = now + rules.latency + rules.jitter;
    for (Piece& piece : m_pieces)
        piece.due = std::min(piece.due, latest);
    m_lastDue = std::min(m_lastDue, latest);
}

bool DelayLine::isDelaying() const
{
    return m_rules.latency > Duration{} || m_rules.jitter > Duration{} || m_rules.bytesPerSecond > 0;
}

std::size_t DelayLine::chunkLimit() const
{
    constexpr std::uint64_t perSecond =
        50; // chunks a second, so that a slow link transfers steadily instead of in bursts
    if (m_rules.bytesPerSecond == 0)
        return kMaxChunk;
    return std::clamp<std::uint64_t>(m_rules.bytesPerSecond / perSecond, 1, kMaxChunk);
}

MonotonicTime DelayLine::arrival(std::size_t bytes, MonotonicTime now)
{
    m_readableAt = std::max(m_readableAt, now);
    if (m_rules.bytesPerSecond > 0) {
        constexpr double second = 1e9;
        m_readableAt += Duration(static_cast<std::int64_t>(static_cast<double>(bytes) * second /
                                                           static_cast<double>(m_rules.bytesPerSecond)));
    }
    auto delay = m_rules.latency;
    if (m_rules.jitter > Duration{})
        delay += Duration(m_random.uniform(-m_rules.jitter.count(), m_rules.jitter.count()));
    m_lastDue = std::max(m_lastDue, m_readableAt + std::max(delay, Duration{}));
    return m_lastDue;
}

void DelayLine::push(std::string_view bytes, MonotonicTime now)
{
    m_pieces.push_back({arrival(bytes.size(), now), std::string(bytes), LinkEnd::none});
    m_buffered += bytes.size();
}

void DelayLine::pushEnd(LinkEnd end, MonotonicTime now) { m_pieces.push_back({arrival(0, now), {}, end}); }

std::string_view DelayLine::bytes() const { return std::string_view(m_pieces.front().bytes).substr(m_sent); }

void DelayLine::pop(std::size_t bytes)
{
    m_sent += bytes;
    m_buffered -= bytes;
    if (m_sent < m_pieces.front().bytes.size())
        return;
    m_pieces.pop_front();
    m_sent = 0;
}

void DelayLine::clear()
{
    m_pieces.clear();
    m_sent = 0;
    m_buffered = 0;
}

} // namespace lockscope::server
