#include "core/zk/c_client/adaptive_polling.h"

#include <algorithm>
#include <numeric>

namespace lockscope::zk::c_client {

namespace {

constexpr std::size_t kWaitsPerTrial = 8; // waits of each kind in a trial
constexpr std::size_t kWaitsPerTurn = 4;  // waits of one kind in a row

// Numbers of waits between trials. A trial costs time while polling is in use; while sleeping it costs almost
// nothing, unless other threads need the processor: so the interval doubles after each failed trial.
constexpr int kPollingTrialInterval = 512;
constexpr int kMaxTrialInterval = 16384;

constexpr int kLateFactor = 4;      // a polled wait is late above this many times a slept wait
constexpr int kMaxLateInTrial = 2;  // this many late waits end the trial
constexpr int kMaxLateInWindow = 6; // this many end the polling
constexpr int kWindow = 64;         // waits

// The mean without the slowest quarter of the waits, which are slow with either kind of wait.
Duration trimmedMean(std::vector<Duration> took)
{
    const std::size_t counted = took.size() - took.size() / 4;
    std::sort(took.begin(), took.end());
    return std::accumulate(took.begin(), took.begin() + static_cast<std::ptrdiff_t>(counted), Duration{}) /
           counted;
}

} // namespace

AdaptivePolling::Wait AdaptivePolling::next() const
{
    if (!isTrial())
        return m_choice;
    return (m_sleptWaits.size() + m_polledWaits.size()) / kWaitsPerTurn % 2 == 0 ? Wait::sleep : Wait::poll;
}

void AdaptivePolling::recordWait(Wait how, Duration took)
{
    if (isTrial()) {
        recordTrial(how, took);
        return;
    }
    --m_waitsUntilTrial;
    if (how == Wait::sleep)
        return;
    if (m_waitsUntilTrial % kWindow == 0)
        m_late = 0;
    noteLate(took);
    if (m_late == kMaxLateInWindow)
        decide(Wait::sleep);
}

void AdaptivePolling::noteLate(Duration took) { m_late += took > m_tooLate ? 1 : 0; }

void AdaptivePolling::recordTrial(Wait how, Duration took)
{
    (how == Wait::poll ? m_polledWaits : m_sleptWaits).push_back(took);
    if (how == Wait::poll)
        noteLate(took);
    else
        m_tooLate = kLateFactor * trimmedMean(m_sleptWaits);
    if (m_late == kMaxLateInTrial)
        decide(Wait::sleep);
    else if (m_polledWaits.size() ==
             kWaitsPerTrial) // poll only if at least 10 % faster; otherwise leave the processor to others
        decide(trimmedMean(m_polledWaits) * 10 <= trimmedMean(m_sleptWaits) * 9 ? Wait::poll : Wait::sleep);
}

// Many late waits mean that other threads use the processor: after a yield this thread runs again only when
// their time slices end.
void AdaptivePolling::decide(Wait choice)
{
    if (choice == Wait::sleep)
        m_trialInterval =
            m_choice == Wait::sleep ? std::min(2 * m_trialInterval, kMaxTrialInterval) : kMinTrialInterval;
    m_choice = choice;
    m_waitsUntilTrial = choice == Wait::poll ? kPollingTrialInterval : m_trialInterval;
    m_late = 0;
    m_sleptWaits.clear();
    m_polledWaits.clear();
}

} // namespace lockscope::zk::c_client
