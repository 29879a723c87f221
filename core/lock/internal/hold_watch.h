// Watches the node of a holder: reports when it is deleted, and when another client requests the lock by
// writing __REVOKE__ into it (the Revoker of Curator). Sets the watch again whenever none is set: after a
// disconnect, a lost reply or a refusal, with growing pauses of at most one second after the latter two. Ends
// with this object. Scheduler thread.
#pragma once

#include "core/lock/internal/lock_node_client.h"

#include <functional>
#include <memory>

namespace lockscope::lock {

class HoldWatch
{
public:
    // Starts after `after`. `gone` is called at most once, with the event that reported the deletion;
    // `revoked`, which may be empty, is also called at most once.
    HoldWatch(LockNodeClient nodeClient, std::string node, Duration after,
              std::function<void(EventIndex)> gone, std::function<void()> revoked);
    ~HoldWatch();
    HoldWatch(const HoldWatch&) = delete;
    HoldWatch& operator=(const HoldWatch&) = delete;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

} // namespace lockscope::lock
