#include "core/lock/internal/reasons.h"

#include "core/lock/lock.h"

namespace lockscope::lock {

ErrorCode errorCode(zk::Code code)
{
    switch (code) {
    case zk::Code::noNode:
        return ErrorCode::noNode;
    case zk::Code::noAuth:
    case zk::Code::authRequired:
        return ErrorCode::noAuth;
    case zk::Code::badArguments:
        return ErrorCode::badUsage;
    case zk::Code::unknown:
        return ErrorCode::connectionLost;
    case zk::Code::sessionLost:
        return ErrorCode::sessionLost;
    case zk::Code::closed:
        return ErrorCode::closed;
    case zk::Code::throttled:
        return ErrorCode::busy;
    default:
        return ErrorCode::internal;
    }
}

LostReason lostReason(const zk::Session& session)
{
    if (session.phase() == zk::SessionPhase::closed)
        return LostReason::closed;
    return session.lossReason() == zk::LossReason::expired ? LostReason::sessionExpired
                                                           : LostReason::sessionTimedOut;
}

Error destroyedError(const std::string& path)
{
    return Error{ErrorCode::closed, message("The lock %1 was destroyed.", path),
                 message("Keep it for as long as it is used.")};
}

Error tooDeepError(const std::string& path)
{
    return Error{
        ErrorCode::limitExceeded,
        message("The lock %1 cannot be held more than %2 times at once by one owner.", path, kMaxDepth),
        message("Release it exactly as often as you acquired it.")};
}

} // namespace lockscope::lock
