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

trace::LostReason lostReason(const zk::Session& session)
{
    if (session.phase() == zk::SessionPhase::closed)
        return trace::LostReason::closed;
    return session.lossReason() == zk::LossReason::expired ? trace::LostReason::sessionExpired
                                                           : trace::LostReason::sessionTimedOut;
}

} // namespace lockscope::lock
