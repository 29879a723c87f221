// A worker thread for an object of the GUI thread. New work cancels the previous one, whose results no longer arrive.
// Destruction cancels and waits. GUI thread, except post() and wait().
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
    void stop(); // waits for the end; the work must check its token often

    // Called by the work: runs the function on the GUI thread, unless the work was stopped by then.
    void post(const std::stop_token& stop, std::function<void()> act);
    // Called by the work: true when it must end.
    bool wait(const std::stop_token& stop, std::chrono::milliseconds timeout);

private:
    QObject* m_receiver;
    std::mutex m_mutex;
    std::condition_variable_any m_stopped;
    std::jthread m_thread;
};

} // namespace lockscope::ui
