#include "core/zk/wire/io_scheduler.h"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace lockscope::zk::wire {

IoScheduler::~IoScheduler()
{
    while (!m_sleepers.empty())
        m_sleepers.front().abandon();
}

MonotonicTime IoScheduler::now() const { return monotonicNow(); }

void IoScheduler::post(UniqueFunction<void()> ready)
{
    boost::asio::post(m_io, [ready = std::move(ready)]() mutable { ready(); });
}

Scheduler::TimerId IoScheduler::after(Duration delay, UniqueFunction<void()> due)
{
    const TimerId id = ++m_lastTimer;
    Timer& timer = m_timers.emplace(id, Timer{boost::asio::steady_timer(m_io), std::move(due)}).first->second;
    timer.timer.expires_at(deadlineAfter(now(), std::max(delay, Duration{})));
    timer.timer.async_wait(
        [this, id, alive = std::weak_ptr<const int>(m_alive)](const boost::system::error_code& stopped) {
            if (stopped || alive.expired())
                return;
            const auto known = m_timers.find(id);
            if (known == m_timers.end())
                return; // canceled when it was already due
            UniqueFunction<void()> ready = std::move(known->second.due);
            m_timers.erase(known);
            ready();
        });
    return id;
}

} // namespace lockscope::zk::wire
