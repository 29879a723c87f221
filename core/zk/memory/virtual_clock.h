// A clock that stands still until it is told to move, and the schedulers that live by it: one for every
// simulated process, so that a process can be paused while the clock goes on. Nothing here reads a real clock
// or waits. One thread drives it all; the clock outlives its schedulers.
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
    // When the next timer of a process that is not paused is due; may be in the past of one that was.
    std::optional<MonotonicTime> nextTimer() const;
    // Never backwards. What is due by then is ready, and runs with runReady().
    void advanceTo(MonotonicTime then);
    // Runs what is ready in every process that is not paused, until nothing is left.
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

    // As a stopped process: nothing of it runs, timers that come due meanwhile are ready when it goes on.
    void pause() { m_paused = true; }
    void resume();
    bool isPaused() const { return m_paused; }
    // For the end: every timer is due at once from now on, so that whoever sleeps looks and ends.
    void expireTimers();

    std::optional<MonotonicTime> nextTimer() const;
    // True when anything ran. What a function throws leaves it; the next call goes on with the others.
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
    bool m_stopped = false;             // takes nothing any more
    boost::asio::io_context m_io{1}; // last: what it drops may use the others
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work{m_io.get_executor()};
};

} // namespace lockscope::zk::memory
