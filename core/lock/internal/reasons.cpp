#include "core/lock/internal/reasons.h"

namespace lockscope::lock {

ErrorCode errorCode(zk::Code code)
{
    switch (code) {
    case zk::Code::noNode:
        return ErrorCode::noNode;
    case zk::Code::noAuth:
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

} // namespace lockscope::lock
