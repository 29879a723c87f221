// One direction of a connection through a faulty link: reads from one socket and writes to the other when the
// bytes are due. Stops reading while the target does not accept bytes. Owns no buffer while no byte waits. On
// the link's thread; part of its LinkConnection, which it keeps alive while it waits.
#pragma once

#include "core/server/relay/delay_line.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::server {

class LinkConnection;

class LinkPump
{
public:
    using Socket = boost::asio::ip::tcp::socket;
    enum class Direction { toServer, toClient };

    LinkPump(LinkConnection& connection, Direction direction, Socket& from, Socket& to, std::uint64_t seed);

    void start();
    void applyRules();
    void stop();          // no more reads and writes; the owner closes the sockets
    void discardTarget(); // later input is discarded
    void discardSource(); // no more input, and the target gets no end
    bool ended() const;   // the source has ended and its end was delivered or dropped
    bool sourceEnded() const { return m_sourceEnded; }
    bool hasGap() const { return m_gap; } // bytes were dropped by a rule
    bool isDropping() const;              // by the current rules

private:
    void continueReading();
    void readInput();
    void forward(std::string_view bytes, bool thenReset);
    void endSource(LinkEnd how);
    void deliver();
    bool writeFront();
    void waitWritable();
    void targetFailed();
    void scheduleWake(MonotonicTime when);

    LinkConnection& m_connection;
    Direction m_direction;
    Socket& m_from;
    Socket& m_to;
    DelayLine m_line;
    boost::asio::steady_timer m_timer;
    std::optional<MonotonicTime> m_wakeAt;
    bool m_readPending = false;
    bool m_writePending = false;
    bool m_sourceEnded = false;
    bool m_targetLost = false;
    bool m_gap = false;
    bool m_stopped = false;
};

} // namespace lockscope::server
