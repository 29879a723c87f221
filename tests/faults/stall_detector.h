// Asks the server something ten times a second: an answer that is late, without a fault of ours on the
// server, says that the machine did not let this process or the server run. Sessions may have ended in that
// time. Its session is the run's observer too; a lost one is replaced. I/O thread.
#pragma once

#include "core/zk/hub.h"
#include "core/zk/pending.h"

#include <functional>
#include <memory>

namespace lockscope::tests {

class StallDetector : public std::enable_shared_from_this<StallDetector>
{
public:
    StallDetector(zk::Hub& hub, std::string address, std::function<void(Duration late)> stalled);
    void start();
    void stop();                           // closes the session
    bool ended() const { return m_ended; } // a little after stop()
    bool isLate() const;                   // no answer for longer than usual, at this moment

    bool connected() const { return m_session && m_session->phase() == zk::SessionPhase::connected; }
    zk::Session& session() { return *m_session; } // while it is connected

private:
    zk::Awaitable<void> run();
    zk::Awaitable<void> probe();
    void connect();

    zk::Hub& m_hub;
    std::string m_address;
    std::function<void(Duration)> m_stalled;
    std::shared_ptr<zk::HubSession> m_session;
    MonotonicTime m_lastAnswer{}; // or connected since
    bool m_stopped = false;
    bool m_ended = false;
};

} // namespace lockscope::tests
