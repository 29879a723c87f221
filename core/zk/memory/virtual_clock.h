// A clock that advances only on request, and the schedulers that use it: one for each simulated process, so
// that a process can be paused while the clock advances. Nothing here reads a real clock or waits. One
// thread; the clock outlives its schedulers.
#pragma once

#include "core/zk/scheduler.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope::zk::memory {

class VirtualScheduler;

class VirtualClock
{
public:
    MonotonicTime now() const { return m_now; }
    // The next timer of a process that is not paused; may lie in the past after a pause.
    std::optional<MonotonicTime> nextTimer() const;
    // Never moves the clock back. Timers that are due by then become ready and run with runReady().
    void advanceTo(MonotonicTime then);
    // Runs the ready functions of every process that is not paused, until none is left.
    void runReady();

private:
    friend class VirtualScheduler;
    MonotonicTime m_now{};
    std::vector<VirtualScheduler*> m_schedulers;
};

class VirtualScheduler final : public Scheduler
{
public:
    explicit VirtualScheduler(VirtualClock& clock);
    ~VirtualScheduler() override;
    VirtualScheduler(const VirtualScheduler&) = delete;
    VirtualScheduler& operator=(const VirtualScheduler&) = delete;

    MonotonicTime now() const override { return m_clock.now(); }
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override { return m_io.get_executor(); }
    Sleepers& sleepers() override { return m_sleepers; }

    // Like a stopped process: nothing runs, and timers that become due in the meantime are ready after
    // resume().
    void pause() { m_paused = true; }
    void resume();
    bool isPaused() const { return m_paused; }
    // For the shutdown: makes all present and future timers due at once, so that sleeping coroutines wake and
    // end.
    void expireTimers();

    std::optional<MonotonicTime> nextTimer() const;
    std::vector<MonotonicTime> timers() const; // all of them, in their order
    // True when anything ran. Exceptions leave this call; the next call continues.
    bool runReady();

private:
    friend class VirtualClock;
    void postDueTimers();

    VirtualClock& m_clock;
    std::map<std::pair<MonotonicTime, TimerId>, UniqueFunction<void()>> m_timers;
    Sleepers m_sleepers;
    TimerId m_lastTimer = 0;
    bool m_paused = false;
    bool m_timersExpired = false;
    bool m_stopped = false;          // drops all functions passed to it
    boost::asio::io_context m_io{1}; // last: functions that it destroys may use the other members
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work{m_io.get_executor()};
};

} // namespace lockscope::zk::memory
