// How the I/O thread waits for a reply: asleep, or awake, giving its processor away at every turn. A
// processor that has gone to sleep takes tens of microseconds to come back, on a virtual machine above all;
// staying awake saves that where the reply is near, is in vain where it is far, and costs where somebody else
// computes. So it is tried now and then, and done for as long as it is quicker. Pure; one thread.
#pragma once

#include "core/base/time.h"

#include <vector>

namespace lockscope::zk::c_client {

class AdaptivePolling
{
public:
    enum class Wait { sleep, poll };

    // An awake wait that takes longer than this goes on asleep.
    static constexpr Duration kMaxPollTime = std::chrono::microseconds(200);

    Wait next() const;                   // how the next one is to be
    void recordWait(Wait how, Duration took); // it is over

private:
    static constexpr int kMinTrialInterval = 512; // waits from a trial in vain to the next, at first

    bool isTrial() const { return m_waitsUntilTrial == 0; }
    void recordTrial(Wait how, Duration took);
    void decide(Wait choice);
    void noteLate(Duration took);

    Wait m_choice = Wait::sleep;
    int m_waitsUntilTrial = 0;                   // waits until the next trial
    int m_trialInterval = kMinTrialInterval; // the last, or the first
    int m_late = 0;                   // awake ones that took far too long
    Duration m_tooLate{};
    std::vector<Duration> m_sleptWaits; // of the trial under way
    std::vector<Duration> m_polledWaits;
};

} // namespace lockscope::zk::c_client
