#include "ui/history/worker.h"

#include <utility>

namespace lockscope::ui {

void Worker::start(Work work)
{
    stop();
    m_thread = std::jthread([work = std::move(work)](const std::stop_token& stop) { work(stop); });
}

void Worker::stop()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void Worker::post(const std::stop_token& stop, std::function<void()> act)
{
    QMetaObject::invokeMethod(
        m_receiver,
        [stop, act = std::move(act)] {
            if (!stop.stop_requested())
                act();
        },
        Qt::QueuedConnection);
}

bool Worker::wait(const std::stop_token& stop, std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    m_stopped.wait_for(lock, stop, timeout, [] { return false; });
    return stop.stop_requested();
}

} // namespace lockscope::ui
