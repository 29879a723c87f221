// Times out a server that accepted a connection but does not answer the handshake. A starting server may
// never answer (3.8 fails before its database is loaded), and the library would wait for two thirds of the
// session timeout. So the timeout is short at first and doubles, for servers that are only slow. I/O thread.
#pragma once

#include "core/base/time.h"

namespace lockscope::zk::c_client {

class HandshakeTimer
{
public:
    explicit HandshakeTimer(Duration initialTimeout)
        : m_initialTimeout(initialTimeout)
    {}
    void begin(MonotonicTime now) // does nothing when the timer is running
    {
        if (m_deadline == MonotonicTime::max())
            m_deadline = now + m_timeout;
    }
    void stop() { m_deadline = MonotonicTime::max(); } // the connection was closed or replaced
    void onAnswered()
    {
        stop();
        m_timeout = m_initialTimeout;
    }
    // True once, when the timer has expired: close this connection.
    bool checkExpired(MonotonicTime now)
    {
        if (now < m_deadline)
            return false;
        stop();
        m_timeout *= 2;
        return true;
    }
    MonotonicTime deadline() const { return m_deadline; } // max() when it is not running

private:
    Duration m_initialTimeout;
    Duration m_timeout = m_initialTimeout;
    MonotonicTime m_deadline = MonotonicTime::max();
};

} // namespace lockscope::zk::c_client
