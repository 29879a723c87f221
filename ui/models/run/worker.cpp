#include "ui/models/run/worker.h"

#include <utility>

namespace lockscope::ui {

Worker::~Worker()
{
    cancel();
    m_tasks.clear();
}

void Worker::start(Work work) { add(std::move(work), {}); }

void Worker::startAfterEarlier(Work work)
{
    std::vector<std::shared_future<void>> earlier;
    for (const Task& task : m_tasks)
        earlier.push_back(task.ended);
    add(std::move(work), std::move(earlier));
}

void Worker::add(Work work, std::vector<std::shared_future<void>> earlier)
{
    removeEnded();
    std::promise<void> end;
    std::shared_future<void> ended = end.get_future().share();
    m_tasks.push_back({std::move(ended), std::jthread([work = std::move(work), earlier = std::move(earlier),
                                                       end = std::move(end), this, stop = m_stop.get_token(),
                                                       tellsIdle = m_onIdle != nullptr]() mutable {
                           for (const std::shared_future<void>& one : earlier)
                               one.wait();
                           work(stop);
                           work = nullptr; // what it holds may take long to destroy
                           end.set_value();
                           if (tellsIdle)
                               QMetaObject::invokeMethod(
                                   m_receiver,
                                   [this] {
                                       if (!busy())
                                           m_onIdle();
                                   },
                                   Qt::QueuedConnection);
                       })});
}

void Worker::cancel() { std::exchange(m_stop, std::stop_source()).request_stop(); }

bool Worker::busy()
{
    removeEnded();
    return !m_tasks.empty();
}

void Worker::removeEnded()
{
    std::erase_if(m_tasks, [](const Task& task) {
        return task.ended.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
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
