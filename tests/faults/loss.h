// What the error of a release says of a hold in a fault run. I/O thread.
#pragma once

#include "tests/faults/fault_exposure.h"
#include "tests/faults/sleep.h"

#include "core/zk/session.h"

namespace lockscope::tests {

inline constexpr Duration kLongestLinger = std::chrono::seconds(2); // over the session's timeout
inline constexpr Duration kLingerTurn = std::chrono::milliseconds(5);

// True: the hold was lost with its session. Nobody deletes the node of a holder but the server, with its
// session. When another member has ended the session, the holder may hear of the node first, and soon of the
// session: that is waited for.
inline zk::Awaitable<bool> reportsLoss(zk::Hub& hub, zk::SessionPtr session, const FaultExposure& contact,
                                       Error error)
{
    if (error.code != ErrorCode::noNode)
        co_return error.code == ErrorCode::sessionLost;
    Duration left = session->timeout() + kLongestLinger;
    for (; !isOver(session->phase()) && left > Duration{};
         left -= contact.inForce() ? Duration{} : kLingerTurn)
        co_await sleepFor(&hub, kLingerTurn);
    co_return isOver(session->phase());
}

} // namespace lockscope::tests
