// Work on threads for an object of the GUI thread, which never waits for them: only destruction does. Each
// work runs at once, or after all earlier work. GUI thread, except post() and wait().
#pragma once

#include <QObject>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace lockscope::ui {

class Worker
{
public:
    explicit Worker(QObject* receiver = nullptr) // null: the work posts nothing
        : m_receiver(receiver)
    {}
    ~Worker(); // cancels and waits: the work must check its token often

    using Work = std::function<void(const std::stop_token&)>;
    void start(Work work);
    void startAfterEarlier(Work work);
    void cancel(); // all work so far, whose results no longer arrive
    bool busy();   // work has not ended
    // Set before any work starts: called on the GUI thread each time that all work has ended, also if it was
    // canceled. The receiver can then be destroyed without waiting.
    void onIdle(std::function<void()> act) { m_onIdle = std::move(act); }

    // Called by the work: runs the function on the GUI thread, unless the work was canceled by then.
    void post(const std::stop_token& stop, std::function<void()> act);
    // Called by the work: true when it must end.
    bool wait(const std::stop_token& stop, std::chrono::milliseconds timeout);

private:
    struct Task
    {
        std::shared_future<void> ended;
        std::jthread thread;
    };
    void add(Work work, std::vector<std::shared_future<void>> earlier);
    void removeEnded();

    QObject* m_receiver;
    std::mutex m_mutex;
    std::condition_variable_any m_stopped;
    std::vector<Task> m_tasks;
    // Of all work since the last cancel(). Not that of a thread, which is stopped when it is removed: its
    // results may not have arrived yet.
    std::stop_source m_stop;
    std::function<void()> m_onIdle; // null: not set
};

} // namespace lockscope::ui
