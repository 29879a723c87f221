#include "core/lock/mutex.h"

#include "core/lock/internal/queue_core.h"
#include "core/queue/words.h"

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

zk::Task<Result<void>> requestRevocation(zk::SessionPtr session, std::string node)
{
    zk::Pending<zk::StatReply> written;
    session->setData(node, queue::kRevokeMessage, written.handler());
    const zk::StatReply reply = co_await written.arrival();
    const Message what =
        message("The holder of %1 could not be asked to release it: %2.", node, describe(reply.code));
    switch (reply.code) {
    case zk::Code::ok:
        co_return Result<void>{};
    case zk::Code::noNode:
        co_return Error{ErrorCode::noNode, what,
                        message("Its holder has released it, or its session is over.")};
    case zk::Code::noAuth:
        co_return Error{ErrorCode::noAuth, what, message("Give this client the right to write there.")};
    case zk::Code::unknown:
        co_return Error{ErrorCode::connectionLost, what,
                        message("The request may have been written; ask again.")};
    case zk::Code::badArguments:
        co_return Error{ErrorCode::badUsage, what, message("Give the full path of the holder's node.")};
    default:
        co_return Error{errorCode(reply.code), what, {}};
    }
}

} // namespace lockscope::lock
