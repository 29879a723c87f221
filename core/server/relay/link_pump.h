// One direction of a connection through a faulty link: takes bytes from one socket and gives them to the
// other when the rules say so. Stops taking while the other side does not take them. Owns no buffer while
// nothing waits. On the link's thread; part of its LinkConnection, which it keeps alive while it waits.
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
    void stop();        // nothing more will be done; the sockets are closed by their owner
    void discardTarget();  // what still comes is thrown away
    void discardSource();  // nothing more will come, and the other side is not told
    bool ended() const; // the source has ended and the other side knows, or never will
    bool sourceEnded() const { return m_sourceEnded; }
    bool hasGap() const { return m_gap; } // something vanished in a black hole
    bool isDropping() const;                    // by the rules of now

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
