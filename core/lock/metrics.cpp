#include "core/lock/metrics.h"

#include <algorithm>
#include <numeric>

namespace lockscope::lock {

std::uint64_t HistogramSnapshot::count() const
{
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void Metrics::Histogram::add(Duration time)
{
    const auto& bounds = HistogramSnapshot::kBounds;
    const double seconds = std::chrono::duration<double>(time).count();
    const auto bucket = std::lower_bound(bounds.begin(), bounds.end(), seconds);
    ++counts[static_cast<std::size_t>(bucket - bounds.begin())];
    sum += time.count();
}

HistogramSnapshot Metrics::Histogram::snapshot() const
{
    HistogramSnapshot now;
    std::transform(counts.begin(), counts.end(), now.counts.begin(),
                   [](const Counter& counter) { return counter.load(); });
    now.sum = Duration(sum.load());
    return now;
}

struct Metrics::Count
{
    Metrics& metrics;

    void endHold(Duration held) const
    {
        --metrics.m_held;
        metrics.m_hold.add(held);
    }

    void operator()(const event::AcquireCalled&) const { ++metrics.m_waiting; }
    void operator()(const event::Acquired& it) const
    {
        ++metrics.m_held;
        if (it.number > 0)
            return; // another lease of the same acquire
        --metrics.m_waiting;
        ++metrics.m_acquired;
        metrics.m_wait.add(it.waited);
    }
    void operator()(const event::Reentered&) const { ++metrics.m_reentered; }
    void operator()(const event::AcquireFailed& it) const
    {
        --metrics.m_waiting;
        if (it.error.code == ErrorCode::timedOut)
            ++metrics.m_timedOut;
        else if (it.error.code == ErrorCode::cancelled || it.error.code == ErrorCode::closed)
            ++metrics.m_cancelled;
        else
            ++metrics.m_failed;
    }
    void operator()(const event::StartedOver&) const { ++metrics.m_retries; }
    void operator()(const event::Released& it) const
    {
        if (it.depth > 0)
            return;
        ++metrics.m_released;
        endHold(it.held);
    }
    void operator()(const event::Abandoned& it) const
    {
        ++metrics.m_released;
        endHold(it.held);
    }
    void operator()(const event::HoldLost& it) const
    {
        ++metrics.m_lost;
        endHold(it.held);
    }
    template <class Other>
    void operator()(const Other&) const
    {}
};

EventIndex Metrics::onEvent(const std::string&, const Event& event, EventIndex)
{
    std::visit(Count{*this}, event);
    return EventIndex::none();
}

MetricsSnapshot Metrics::snapshot() const
{
    MetricsSnapshot now;
    now.acquired = m_acquired;
    now.reentered = m_reentered;
    now.timedOut = m_timedOut;
    now.cancelled = m_cancelled;
    now.failed = m_failed;
    now.retries = m_retries;
    now.released = m_released;
    now.lost = m_lost;
    now.waiting = m_waiting;
    now.held = m_held;
    now.reconnects = m_reconnects;
    now.lostSessions = m_lostSessions;
    now.wait = m_wait.snapshot();
    now.hold = m_hold.snapshot();
    return now;
}

std::function<void(zk::SessionPhase)> countPhases(std::shared_ptr<Metrics> metrics)
{
    return [metrics = std::move(metrics), suspended = false](zk::SessionPhase phase) mutable {
        if (phase == zk::SessionPhase::connected && suspended)
            metrics->countReconnect();
        if (phase == zk::SessionPhase::lost)
            metrics->countLostSession();
        suspended = phase == zk::SessionPhase::suspended;
    };
}

} // namespace lockscope::lock
