#include "core/lock/reasons.h"

namespace lockscope::lock {

trace::FailReason failReason(ErrorCode code)
{
    switch (code) {
    case ErrorCode::timedOut:
        return trace::FailReason::timedOut;
    case ErrorCode::cancelled:
    case ErrorCode::closed:
        return trace::FailReason::cancelled;
    case ErrorCode::sessionLost:
        return trace::FailReason::sessionLost;
    case ErrorCode::internal:
        return trace::FailReason::retriesExhausted;
    default:
        return trace::FailReason::error;
    }
}

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

trace::LostReason lostReason(const zk::Session& session)
{
    if (session.phase() == zk::SessionPhase::closed)
        return trace::LostReason::closed;
    return session.lossReason() == zk::LossReason::expired ? trace::LostReason::sessionExpired
                                                           : trace::LostReason::sessionTimedOut;
}

} // namespace lockscope::lock
