// Decides how the I/O thread waits for a reply: it sleeps, or polls and yields its processor at every turn. A
// sleeping processor takes tens of microseconds to wake, above all on a virtual machine. Polling saves this
// time when the reply comes soon, saves nothing when it comes late, and costs time when other threads need
// the processor. So polling is tried periodically and used while it is faster. Pure; one thread.
#pragma once

#include "core/base/time.h"

#include <vector>

namespace lockscope::zk::c_client {

class AdaptivePolling
{
public:
    enum class Wait { sleep, poll };

    // A polled wait that takes longer than this sleeps for the rest.
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
    int m_trialInterval = kMinTrialInterval; // the current one, in waits
    int m_late = 0;                          // polled waits that took far too long
    Duration m_tooLate{};
    std::vector<Duration> m_sleptWaits; // in the current trial
    std::vector<Duration> m_polledWaits;
};

} // namespace lockscope::zk::c_client
