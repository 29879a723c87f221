// One thread of work for an object of the GUI thread: the work of a newer one ends that of the one before, and its results
// no longer arrive. Destruction cancels and waits. GUI thread, but post() and wait().
#pragma once

#include <QObject>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace lockscope::ui {

class Worker
{
public:
    explicit Worker(QObject* receiver)
        : m_receiver(receiver)
    {}
    ~Worker() { stop(); }

    using Work = std::function<void(const std::stop_token&)>;
    void start(Work work);
    void stop(); // and waits for its end: the work looks at its token often

    // Of the work: carried out in the GUI thread, unless it was stopped by then.
    void post(const std::stop_token& stop, std::function<void()> act);
    // Of the work: true when it is to end.
    bool wait(const std::stop_token& stop, std::chrono::milliseconds timeout);

private:
    QObject* m_receiver;
    std::mutex m_mutex;
    std::condition_variable_any m_stopped;
    std::jthread m_thread;
};

} // namespace lockscope::ui
