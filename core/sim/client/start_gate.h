// The start of each client's first cycle: at once, together behind a barrier, staggered, or at random. I/O
// thread.
#pragma once

#include "core/base/random.h"
#include "core/sim/scenario/scenario.h"
#include "core/zk/scheduler.h"

#include <functional>
#include <vector>

namespace lockscope::sim {

class StartGate
{
public:
    // `expected`: the number of clients that start with the run.
    StartGate(const Arrival& arrival, std::uint64_t seed, std::uint32_t expected);

    // From the start of the run to the next client's start. Call it once for each client, in order.
    Duration nextDelay();

    // ---- the barrier ----
    // Returns the client's place; `notify` is called whenever a party is released.
    std::uint32_t arrive(std::function<void()> notify);
    bool isReleased(std::uint32_t place) const;
    void removeExpected(); // when an expected client will not arrive

private:
    void notifyAll();

    Arrival m_arrival;
    Random m_random;
    std::uint32_t m_expected;
    std::uint32_t m_delays = 0;
    Duration m_last{};
    std::vector<std::function<void()>> m_notify; // by place
};

} // namespace lockscope::sim
