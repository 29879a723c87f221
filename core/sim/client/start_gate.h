// When each client begins its first cycle: at once, together behind a barrier, one after the other, or at
// random. I/O thread.
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
    // `expected`: how many clients take part from the start.
    StartGate(const Arrival& arrival, std::uint64_t seed, std::uint32_t expected);

    // How long after the start of the run the next client begins; asked for once for each, in their order.
    Duration nextDelay();

    // ---- the barrier ----
    // Takes a place; `notify` is called whenever a party may go.
    std::uint32_t arrive(std::function<void()> notify);
    bool isReleased(std::uint32_t place) const;
    void removeExpected(); // one who was expected and does not come

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
