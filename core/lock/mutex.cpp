#include "core/lock/mutex.h"

#include "core/lock/internal/queue_core.h"

namespace lockscope::lock {

Mutex::Mutex(zk::SessionPtr session, MutexOptions options)
    : QueueLock(std::move(session), std::move(options), Rule::allAhead, nullptr)
{}

zk::Task<Result<std::vector<std::string>>> Mutex::participants()
{
    return listParticipants(core()->nodeClient.sessionPtr(), path(), core()->nodeClient.naming());
}

zk::Task<Result<std::vector<Participant>>> Mutex::participantDetails()
{
    return readParticipants(core()->nodeClient.sessionPtr(), path(), core()->nodeClient.naming());
}

} // namespace lockscope::lock
