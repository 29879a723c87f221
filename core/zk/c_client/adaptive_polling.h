// Decides how the I/O thread waits for a reply: it sleeps, or polls and yields its processor at every turn. A
// sleeping processor takes tens of microseconds to wake, above all on a virtual machine. Polling saves that
// when the reply is near, saves nothing when it is far, and costs when other threads need the processor. So
// polling is tried periodically and used while it is faster. Pure; one thread.
#pragma once

#include "core/base/time.h"

#include <vector>

namespace lockscope::zk::c_client {

class AdaptivePolling
{
public:
    enum class Wait { sleep, poll };

    // A polled wait that takes longer than this continues asleep.
    static constexpr Duration kMaxPollTime = std::chrono::microseconds(200);

    Wait next() const;                        // how to wait next
    void recordWait(Wait how, Duration took); // reports a wait

private:
    static constexpr int kMinTrialInterval = 512; // waits between trials, initially

    bool isTrial() const { return m_waitsUntilTrial == 0; }
    void recordTrial(Wait how, Duration took);
    void decide(Wait choice);
    void noteLate(Duration took);

    Wait m_choice = Wait::sleep;
    int m_waitsUntilTrial = 0;               // waits until the next trial
    int m_trialInterval = kMinTrialInterval; // the present one
    int m_late = 0;                          // polled waits that took far too long
    Duration m_tooLate{};
    std::vector<Duration> m_sleptWaits; // in the present trial
    std::vector<Duration> m_polledWaits;
};

} // namespace lockscope::zk::c_client
