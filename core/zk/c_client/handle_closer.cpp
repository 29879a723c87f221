#include "core/zk/c_client/handle_closer.h"

namespace lockscope::zk::c_client {

HandleCloser::HandleCloser()
    : m_thread([this] { run(); })
{}

HandleCloser::~HandleCloser()
{
    {
        std::lock_guard lock(m_mutex);
        m_end = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void HandleCloser::submit(UniqueFunction<void(bool)> job)
{
    {
        std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

void HandleCloser::skipWaitingAfter(Duration limit)
{
    std::lock_guard lock(m_mutex);
    m_deadline = monotonicNow() + limit;
}

void HandleCloser::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_end || !m_jobs.empty(); });
        if (m_jobs.empty())
            return;
        UniqueFunction<void(bool)> job = std::move(m_jobs.front());
        m_jobs.pop_front();
        const bool skipWaiting = MonotonicClock::now() >= m_deadline;
        lock.unlock();
        job(skipWaiting);
        lock.lock();
    }
}

} // namespace lockscope::zk::c_client
