#include "core/sim/client/start_gate.h"

#include <algorithm>
#include <cmath>

namespace lockscope::sim {

StartGate::StartGate(const Arrival& arrival, std::uint64_t seed, std::uint32_t expected)
    : m_arrival(arrival)
    , m_random(seed ^ 0xA5A5'5A5A'1234'4321ULL)
    , m_expected(expected)
{}

Duration StartGate::nextDelay()
{
    const std::uint32_t before = m_delays++;
    switch (m_arrival.kind) {
    case Arrival::Kind::atOnce:
    case Arrival::Kind::together:
        return {};
    case Arrival::Kind::staggered:
        return before == 0 ? Duration{} : std::min(m_arrival.gap, kMaxDuration / before) * before;
    case Arrival::Kind::poisson:
        break;
    }
    const double gap = -std::log(1.0 - m_random.unit()) * static_cast<double>(m_arrival.gap.count());
    m_last = std::min(m_last + Duration{static_cast<std::int64_t>(std::min(gap, 1e17))}, kMaxDuration);
    return m_last;
}

std::uint32_t StartGate::arrive(std::function<void()> notify)
{
    m_notify.push_back(std::move(notify));
    if (isReleased(static_cast<std::uint32_t>(m_notify.size() - 1)))
        notifyAll();
    return static_cast<std::uint32_t>(m_notify.size() - 1);
}

// A party is released when it is complete; the last one, when no other client is expected.
bool StartGate::isReleased(std::uint32_t place) const
{
    if (m_arrival.kind != Arrival::Kind::together)
        return true;
    const std::uint32_t party = m_arrival.party == 0 ? m_expected : m_arrival.party;
    const std::uint64_t complete = party == 0 ? 0 : (std::uint64_t{place} / party + 1) * party;
    return m_notify.size() >= std::min<std::uint64_t>(complete, m_expected);
}

void StartGate::removeExpected()
{
    m_expected -= m_expected > 0 ? 1 : 0;
    notifyAll();
}

void StartGate::notifyAll()
{
    for (const std::function<void()>& notify : m_notify)
        notify();
}

} // namespace lockscope::sim
