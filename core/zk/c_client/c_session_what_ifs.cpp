// What is done to a CSession from outside: standing still, and being killed.
#include "core/zk/c_client/c_session.h"
#include "core/zk/c_client/hub_impl.h"

#include <utility>

namespace lockscope::zk::c_client {

void CSession::freeze()
{
    m_frozen = true;
    returnListBudget(); // the others do not stand still
    if (m_handle && m_handle->fd >= 0)
        unregisterFd();
}

void CSession::unregisterFd()
{
    m_hub->unregisterFd(m_handle->fd);
    m_registered = {};
}

void CSession::thaw()
{
    if (!std::exchange(m_frozen, false) || m_hub->isOver())
        return;
    if (m_phase == SessionPhase::suspended)
        armLossTimer();
    m_hub->scheduleUpdate(*this);
}

void CSession::pauseIo()
{
    ++m_ioPauses;
    if (m_handle && m_handle->fd >= 0)
        unregisterFd();
}

void CSession::resumeIo()
{
    --m_ioPauses;
    if (!m_hub->isOver())
        m_hub->scheduleUpdate(*this);
}

void CSession::kill(UniqueFunction<void(Result<void>)> done)
{
    if (m_hub->isOver())
        return;
    if (!m_identity || m_phase == SessionPhase::lost || m_phase == SessionPhase::closed) {
        m_hub->post([done = std::move(done)]() mutable {
            done(Error{ErrorCode::sessionLost, message("There is no session to kill: it was never connected or is gone."), {}});
        });
        return;
    }
    ConnectOptions way = m_options;
    if (!way.killHosts.empty())
        way.hosts = way.killHosts;
    m_hub->startKill(shared_from_this(), std::move(way), *m_identity, std::move(done));
}

} // namespace lockscope::zk::c_client
