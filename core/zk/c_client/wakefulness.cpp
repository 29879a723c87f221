#include "core/zk/c_client/wakefulness.h"

#include <algorithm>
#include <numeric>

namespace lockscope::zk::c_client {

namespace {

constexpr std::size_t kEach = 8; // waits of a trial, of each kind
constexpr std::size_t kTurn = 4; // of one kind in a row

// Waits from one trial to the next. Awake, the trial costs; asleep, next to nothing, unless somebody else
// computes: the more often it was in vain, the longer it is left.
constexpr int kAwakePause = 512;
constexpr int kLongestPause = 16384;

constexpr int kLateFactor = 4;   // times a slept wait
constexpr int kLateInTrial = 2;  // end it
constexpr int kLateInWindow = 6; // end staying awake
constexpr int kWindow = 64;

// What stalls now and then stalls either way: a quarter is left out.
Duration usual(std::vector<Duration> took)
{
    const std::size_t counted = took.size() - took.size() / 4;
    std::sort(took.begin(), took.end());
    return std::accumulate(took.begin(), took.begin() + static_cast<std::ptrdiff_t>(counted), Duration{}) /
           counted;
}

} // namespace

Wakefulness::Wait Wakefulness::next() const
{
    if (!isTrial())
        return m_choice;
    return (m_asleep.size() + m_awake.size()) / kTurn % 2 == 0 ? Wait::asleep : Wait::awake;
}

void Wakefulness::ended(Wait how, Duration took)
{
    if (isTrial()) {
        tried(how, took);
        return;
    }
    --m_left;
    if (how == Wait::asleep)
        return;
    if (m_left % kWindow == 0)
        m_late = 0;
    noteLate(took);
    if (m_late == kLateInWindow)
        decide(Wait::asleep);
}

void Wakefulness::noteLate(Duration took) { m_late += took > m_tooLate ? 1 : 0; }

void Wakefulness::tried(Wait how, Duration took)
{
    (how == Wait::awake ? m_awake : m_asleep).push_back(took);
    if (how == Wait::awake)
        noteLate(took);
    else
        m_tooLate = kLateFactor * usual(m_asleep);
    if (m_late == kLateInTrial)
        decide(Wait::asleep);
    else if (m_awake.size() == kEach) // a tenth quicker at least: else the processor is better left alone
        decide(usual(m_awake) * 10 <= usual(m_asleep) * 9 ? Wait::awake : Wait::asleep);
}

// Somebody else computes when many are late: who gives the processor away gets it back when they have had
// their turn.
void Wakefulness::decide(Wait choice)
{
    if (choice == Wait::asleep)
        m_asleepPause = m_choice == Wait::asleep ? std::min(2 * m_asleepPause, kLongestPause) : kAsleepPause;
    m_choice = choice;
    m_left = choice == Wait::awake ? kAwakePause : m_asleepPause;
    m_late = 0;
    m_asleep.clear();
    m_awake.clear();
}

} // namespace lockscope::zk::c_client
