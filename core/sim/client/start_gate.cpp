#include "core/sim/client/start_gate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::sim {

StartGate::StartGate(zk::Scheduler& scheduler, const Arrival& arrival, std::uint64_t seed,
                     std::uint32_t expected)
    : m_scheduler(scheduler)
    , m_arrival(arrival)
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

void StartGate::open()
{
    m_open = true;
    scheduleRelease();
}

std::uint32_t StartGate::arrive(ClientId client, std::function<void()> notify)
{
    m_arrived.push_back({client, std::move(notify)});
    scheduleRelease();
    return static_cast<std::uint32_t>(m_arrived.size() - 1);
}

void StartGate::removeExpected()
{
    m_expected -= m_expected > 0 ? 1 : 0;
    scheduleRelease();
}

// A party is released when it is complete; the last one, when no other client is expected.
std::size_t StartGate::releasable() const
{
    const std::size_t arrived = m_arrived.size();
    const std::size_t party = m_arrival.party == 0 ? m_expected : m_arrival.party;
    if (!m_open)
        return 0;
    if (m_arrival.kind != Arrival::Kind::together || party == 0 || arrived >= m_expected)
        return arrived;
    return arrived / party * party;
}

// Posted, so that the client that completes its party is not ahead of the others.
void StartGate::scheduleRelease()
{
    if (releasable() <= m_released || std::exchange(m_scheduled, true))
        return;
    m_scheduler.post([this, alive = std::weak_ptr<const int>(m_alive)] {
        if (!alive.expired())
            release();
    });
}

void StartGate::release()
{
    m_scheduled = false;
    const std::size_t first = std::exchange(m_released, std::max(m_released, releasable()));
    std::vector<Arrived> party(m_arrived.begin() + static_cast<std::ptrdiff_t>(first),
                               m_arrived.begin() + static_cast<std::ptrdiff_t>(m_released));
    std::stable_sort(party.begin(), party.end(),
                     [](const Arrived& a, const Arrived& b) { return a.client < b.client; });
    for (const Arrived& one : party)
        one.notify();
}

} // namespace lockscope::sim
