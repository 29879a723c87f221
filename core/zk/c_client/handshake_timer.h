// Patience with a server that took a connection and does not answer the handshake. One that is just starting leaves
// some of them hanging for ever (3.8 trips over the database it does not have yet), and the library would wait for two
// thirds of the session timeout. So it is short at first, and doubles for a server that is only slow. I/O thread.
#pragma once

#include "core/base/time.h"

namespace lockscope::zk::c_client {

class HandshakeTimer
{
public:
    void begin(MonotonicTime now) // no more than a look when it has begun
    {
        if (m_deadline == MonotonicTime::max())
            m_deadline = now + m_timeout;
    }
    void stop() { m_deadline = MonotonicTime::max(); } // the connection is another one, or none
    void onAnswered()
    {
        stop();
        m_timeout = kInitialTimeout;
    }
    // True once: this connection is to be given up.
    bool checkExpired(MonotonicTime now)
    {
        if (now < m_deadline)
            return false;
        stop();
        m_timeout *= 2;
        return true;
    }
    MonotonicTime deadline() const { return m_deadline; } // max() when none is under way

private:
    static constexpr Duration kInitialTimeout = std::chrono::seconds(1);
    Duration m_timeout = kInitialTimeout;
    MonotonicTime m_deadline = MonotonicTime::max();
};

} // namespace lockscope::zk::c_client
