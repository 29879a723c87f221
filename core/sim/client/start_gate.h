// The start of each client's first cycle: at once, together behind a barrier, staggered, or at random. I/O
// thread.
#pragma once

#include "core/base/random.h"
#include "core/sim/scenario/scenario.h"
#include "core/zk/scheduler.h"

#include <functional>
#include <memory>
#include <vector>

namespace lockscope::sim {

class StartGate
{
public:
    // `expected`: the number of clients that start with the run.
    StartGate(zk::Scheduler& scheduler, const Arrival& arrival, std::uint64_t seed, std::uint32_t expected);
    void open(); // the paths of the locks exist; no client is released before

    // From the start of the run to the next client's start. Call it once for each client, in order.
    Duration nextDelay();

    // ---- the barrier ----
    // Returns the client's place. `notify` is called whenever clients are released, never within this call:
    // those of one party in the order of the clients, whatever the order in which they came.
    std::uint32_t arrive(ClientId client, std::function<void()> notify);
    bool isReleased(std::uint32_t place) const { return place < m_released; }
    void removeExpected(); // when an expected client will not arrive

private:
    struct Arrived
    {
        ClientId client;
        std::function<void()> notify;
    };
    std::size_t releasable() const; // the number of places that need not wait any more
    void scheduleRelease();
    void release();

    zk::Scheduler& m_scheduler;
    Arrival m_arrival;
    Random m_random;
    std::uint32_t m_expected;
    std::uint32_t m_delays = 0;
    Duration m_last{};
    bool m_open = false;
    bool m_scheduled = false;                                            // a release() is on its way
    std::size_t m_released = 0;                                          // places
    std::vector<Arrived> m_arrived;                                      // by place
    std::shared_ptr<const int> m_alive = std::make_shared<const int>(0); // for posts that outlive the gate
};

} // namespace lockscope::sim
