#include "core/lock/mutex.h"

#include "core/lock/participants.h"
#include "core/lock/queue_core.h"

namespace lockscope::lock {

Mutex::Mutex(zk::SessionPtr session, MutexOptions options)
    : QueueLock(std::move(session), std::move(options), Rule::everybodyAhead, nullptr)
{}

zk::Task<Result<std::vector<std::string>>> Mutex::participants()
{
    return listParticipants(m_core->wire.sessionPtr(), m_core->wire.path(), m_core->wire.naming());
}

} // namespace lockscope::lock
