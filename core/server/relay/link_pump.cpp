#include "core/server/relay/link_pump.h"

#include "core/server/relay/link_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <array>

namespace lockscope::server {

using boost::system::error_code;

LinkPump::LinkPump(LinkConnection& connection, Direction direction, Socket& from, Socket& to,
                   std::uint64_t seed)
    : m_connection(connection)
    , m_direction(direction)
    , m_from(from)
    , m_to(to)
    , m_line(seed)
    , m_timer(from.get_executor())
{}

void LinkPump::start()
{
    m_line.setRules(m_connection.rules(), monotonicNow());
    continueReading();
}

void LinkPump::applyRules()
{
    m_line.setRules(m_connection.rules(), monotonicNow());
    deliver();
    continueReading();
}

void LinkPump::stop()
{
    m_stopped = true;
    m_timer.cancel();
    m_line.clear();
}

void LinkPump::discardTarget()
{
    m_targetLost = true;
    m_line.clear();
    continueReading();
}

void LinkPump::discardSource()
{
    m_sourceEnded = true;
    m_line.clear();
}

bool LinkPump::ended() const { return m_sourceEnded && (m_targetLost || m_line.empty()); }

bool LinkPump::isDropping() const
{
    const LinkRules& rules = m_connection.rules();
    return m_direction == Direction::toServer ? rules.dropToServer : rules.dropToClient;
}

void LinkPump::continueReading()
{
    if (m_stopped || m_sourceEnded || m_readPending || m_line.full())
        return;
    if (m_line.readableAt() > monotonicNow()) {
        scheduleWake(m_line.readableAt());
        return;
    }
    m_readPending = true;
    m_from.async_wait(Socket::wait_read, [this, keep = m_connection.shared_from_this()](error_code) {
        m_readPending = false;
        if (!m_stopped && !m_sourceEnded)
            readInput();
    });
}

void LinkPump::readInput()
{
    // On the stack, so that a thousand idle connections own no buffer.
    std::array<char, DelayLine::kMaxChunk> chunk;
    error_code failure;
    const auto got = m_from.read_some(boost::asio::buffer(chunk.data(), m_line.chunkLimit()), failure);
    if (failure == boost::asio::error::would_block || failure == boost::asio::error::interrupted) {
        continueReading();
        return;
    }
    if (failure) {
        endSource(failure == boost::asio::error::eof ? LinkEnd::closed : LinkEnd::reset);
        return;
    }
    if (m_targetLost || isDropping()) {
        m_gap = m_gap || !m_targetLost;
        continueReading();
        return;
    }
    const auto passableBytes = m_connection.passableBytes(m_direction, {chunk.data(), got});
    if (passableBytes == got) {
        forward({chunk.data(), got}, false);
        continueReading();
        return;
    }
    auto lost = m_connection.takeLossHandler();
    forward({chunk.data(), passableBytes}, true);
    if (lost)
        lost(); // the link may be gone after this
}

void LinkPump::forward(std::string_view bytes, bool thenReset)
{
    if (m_line.empty() && !m_line.isDelaying() && !bytes.empty()) {
        error_code failure;
        const auto sent = m_to.write_some(boost::asio::buffer(bytes.data(), bytes.size()), failure);
        if (failure && failure != boost::asio::error::would_block) {
            targetFailed();
            return;
        }
        bytes.remove_prefix(sent);
    }
    if (!bytes.empty())
        m_line.push(bytes, monotonicNow());
    if (thenReset)
        endSource(LinkEnd::reset);
    else
        deliver();
}

void LinkPump::endSource(LinkEnd how)
{
    m_sourceEnded = true;
    if (!m_targetLost && isDropping())
        m_gap = true;
    else if (!m_targetLost)
        m_line.pushEnd(how, monotonicNow());
    deliver();
    if (!m_stopped)
        m_connection.pumpEnded();
}

// Writes the pieces that are due and sets a timer for the next one.
void LinkPump::deliver()
{
    while (!m_stopped && !m_line.empty() && !m_writePending) {
        if (m_line.due() > monotonicNow()) {
            scheduleWake(m_line.due());
            return;
        }
        if (!writeFront())
            return;
    }
}

// False when nothing was written or the connection has ended.
bool LinkPump::writeFront()
{
    error_code failure;
    if (m_line.end() == LinkEnd::reset) {
        m_connection.reset();
        return false;
    }
    if (m_line.end() == LinkEnd::closed) {
        m_line.pop(0);
        m_to.shutdown(Socket::shutdown_send, failure);
        m_connection.pumpEnded();
        return true;
    }
    const auto bytes = m_line.bytes();
    const auto sent = m_to.write_some(boost::asio::buffer(bytes.data(), bytes.size()), failure);
    if (failure == boost::asio::error::would_block) {
        waitWritable();
        return false;
    }
    if (failure) {
        targetFailed();
        return false;
    }
    m_line.pop(sent);
    return true;
}

void LinkPump::waitWritable()
{
    m_writePending = true;
    m_to.async_wait(Socket::wait_write, [this, keep = m_connection.shared_from_this()](error_code) {
        m_writePending = false;
        if (m_stopped)
            return;
        deliver();
        continueReading();
    });
}

void LinkPump::targetFailed()
{
    discardTarget();
    m_connection.targetFailed(m_direction);
}

void LinkPump::scheduleWake(MonotonicTime when)
{
    if (m_wakeAt && *m_wakeAt <= when)
        return;
    m_wakeAt = when;
    m_timer.expires_at(when);
    m_timer.async_wait([this, keep = m_connection.shared_from_this()](error_code failure) {
        if (failure || m_stopped)
            return; // reset to an earlier time, or stopped
        m_wakeAt.reset();
        deliver();
        continueReading();
    });
}

} // namespace lockscope::server
