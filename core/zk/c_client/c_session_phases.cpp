// The phases of CSession: how they change, who is told, and how it ends.
#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/callbacks.h"
#include "core/zk/c_client/hub_impl.h"

#include <algorithm>
#include <utility>

namespace lockscope::zk::c_client {

void CSession::onStateEvent(int state)
{
    if (m_phase == SessionPhase::lost || m_phase == SessionPhase::closed)
        return;
    const bool connected = state == ZOO_CONNECTED_STATE || state == ZOO_READONLY_STATE;
    if (!connected && state != ZOO_ASSOCIATING_STATE)
        forgetFd(); // the library closes first and tells then
    if (connected)
        onConnected();
    else if (state == ZOO_EXPIRED_SESSION_STATE)
        lose(LossReason::expired);
    else if (state == ZOO_AUTH_FAILED_STATE)
        lose(LossReason::authFailed);
    else if (state == ZOO_CONNECTING_STATE)
        onSuspended();
}

void CSession::onConnected()
{
    releaseConnectSlot();
    m_handshakeTimer.onAnswered();
    m_failures = 0;
    if (m_phase == SessionPhase::connected)
        onSuspended(); // it was, without a word
    const clientid_t* identity = zoo_client_id(m_handle->zh);
    m_identity = *identity;
    m_id = SessionId{identity->client_id};
    m_timeout = std::chrono::milliseconds(zoo_recv_timeout(m_handle->zh));
    m_lastReceive = m_hub->now();
    m_hub->cancel(std::exchange(m_lossTimer, 0));
    setPhase(SessionPhase::connected);
}

void CSession::onSuspended()
{
    if (m_phase != SessionPhase::connected)
        return;
    setPhase(SessionPhase::suspended);
    armLossTimer();
}

// The library learns of an expiry only from a server; without one it would hope for ever. The session is lost
// for us when the negotiated timeout has passed since the last word of the server, as Curator's LOST.
void CSession::armLossTimer()
{
    m_hub->cancel(m_lossTimer);
    const Duration left = m_lastReceive + m_timeout - m_hub->now();
    m_lossTimer = m_hub->after(std::max<Duration>(left, Duration{}), [weak = weak_from_this()] {
        if (const auto self = weak.lock();
            self && self->m_phase == SessionPhase::suspended && !self->m_frozen)
            self->lose(LossReason::timedOut);
    });
}

void CSession::lose(LossReason reason)
{
    m_loss = reason;
    m_hub->cancel(std::exchange(m_lossTimer, 0));
    releaseConnectSlot();
    setPhase(SessionPhase::lost);
    // Maybe we are inside the library: the handle ends when it has returned.
    m_hub->post([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->endHandle(Code::sessionLost, nullptr);
    });
}

void CSession::setPhase(SessionPhase phase)
{
    m_phase = phase;
    m_hub->post([weak = weak_from_this(), phase] {
        if (const auto self = weak.lock())
            self->m_listeners.notify(phase);
    });
}

Session::ListenerId CSession::addListener(PhaseListener listener) { return m_listeners.add(std::move(listener)); }

void CSession::removeListener(ListenerId listener) { m_listeners.remove(listener); }

void CSession::close()
{
    if (m_phase == SessionPhase::closed)
        return;
    m_hub->cancel(std::exchange(m_lossTimer, 0));
    releaseConnectSlot();
    if (m_phase != SessionPhase::lost)
        setPhase(SessionPhase::closed);
    endHandle(Code::closed, nullptr);
}

// Answers everything under way with `code` and gives the handle to the closer. `closed` runs on our thread
// afterwards. What is destroyed here (watches) may call the session: it has no handle any more.
void CSession::endHandle(Code code, UniqueFunction<void()> closed)
{
    if (!m_handle)
        return;
    uncork();
    std::unique_ptr<Handle> handle = std::move(m_handle);
    for (std::unique_ptr<Call>& call : handle->detach())
        m_hub->post([call = std::move(call), code]() mutable { call->answerWithCode(code); });
    for (WaitingList& list : std::exchange(m_waitingLists, {}))
        m_hub->post([visitor = std::move(list.visitor), code]() mutable { visitor(code, {}, {}); });
    m_hub->closeHandle(std::move(handle), std::move(closed));
    returnListBudget();
}

// Others may send theirs.
void CSession::returnListBudget()
{
    for (std::size_t lists = std::exchange(m_listsUnderWay, 0); lists > 0; --lists)
        m_hub->lists().arrived(0);
}

void CSession::onHubShutDown()
{
    m_phase = SessionPhase::closed;
    m_listeners.clear();
    endHandle(Code::closed, nullptr);
}

} // namespace lockscope::zk::c_client
