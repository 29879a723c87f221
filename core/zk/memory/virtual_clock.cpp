#include "core/zk/memory/virtual_clock.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace lockscope::zk::memory {

std::optional<MonotonicTime> VirtualClock::nextTimer() const
{
    std::optional<MonotonicTime> next;
    for (const VirtualScheduler* scheduler : m_schedulers) {
        const std::optional<MonotonicTime> timer =
            scheduler->isPaused() ? std::nullopt : scheduler->nextTimer();
        if (timer && (!next || *timer < *next))
            next = timer;
    }
    return next;
}

void VirtualClock::advanceTo(MonotonicTime then)
{
    m_now = std::max(m_now, then);
    for (VirtualScheduler* scheduler : m_schedulers)
        if (!scheduler->isPaused())
            scheduler->postDueTimers();
}

void VirtualClock::runReady()
{
    bool ran = true;
    while (ran) {
        ran = false;
        for (std::size_t i = 0; i < m_schedulers.size(); ++i)
            if (!m_schedulers[i]->isPaused() && m_schedulers[i]->runReady())
                ran = true;
    }
}

VirtualScheduler::VirtualScheduler(VirtualClock& clock)
    : m_clock(clock)
{
    m_clock.m_schedulers.push_back(this);
}

VirtualScheduler::~VirtualScheduler()
{
    std::erase(m_clock.m_schedulers, this);
    m_stopped = true;
    std::exchange(m_timers, {}).clear();
    while (!m_sleepers.empty())
        m_sleepers.front().abandon();
}

void VirtualScheduler::post(UniqueFunction<void()> ready)
{
    if (m_stopped)
        return;
    boost::asio::post(m_io, [ready = std::move(ready)]() mutable { ready(); });
}

Scheduler::TimerId VirtualScheduler::after(Duration delay, UniqueFunction<void()> due)
{
    if (m_stopped)
        return 0;
    const TimerId timer = ++m_lastTimer;
    m_timers.emplace(std::pair(deadlineAfter(now(), std::max(delay, Duration{})), timer), std::move(due));
    if (m_timersExpired)
        expireTimers();
    return timer;
}

void VirtualScheduler::cancel(TimerId timer)
{
    const auto found = std::find_if(m_timers.begin(), m_timers.end(),
                                    [&](const auto& entry) { return entry.first.second == timer; });
    if (found != m_timers.end())
        const auto cancelled =
            m_timers.extract(found); // its captures may cancel other timers when they are destroyed
}

void VirtualScheduler::resume()
{
    m_paused = false;
    postDueTimers();
}

void VirtualScheduler::expireTimers()
{
    m_timersExpired = true;
    for (auto& [when, due] : std::exchange(m_timers, {}))
        post(std::move(due));
}

std::optional<MonotonicTime> VirtualScheduler::nextTimer() const
{
    if (m_timers.empty())
        return std::nullopt;
    return m_timers.begin()->first.first;
}

std::vector<MonotonicTime> VirtualScheduler::timers() const
{
    std::vector<MonotonicTime> all;
    for (const auto& [key, due] : m_timers)
        all.push_back(key.first);
    return all;
}

void VirtualScheduler::postDueTimers()
{
    while (!m_timers.empty() && m_timers.begin()->first.first <= now()) {
        UniqueFunction<void()> due = std::move(m_timers.begin()->second);
        m_timers.erase(m_timers.begin());
        post(std::move(due));
    }
}

bool VirtualScheduler::runReady()
{
    bool ran = false;
    while (m_io.poll() > 0)
        ran = true;
    return ran;
}

} // namespace lockscope::zk::memory
