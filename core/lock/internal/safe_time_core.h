// The state of a SafeTime, and that of a Client. Scheduler thread, except for `moment`.
#pragma once

#include "core/lock/safe_time.h"

#include <atomic>
#include <map>

namespace lockscope::lock {

// A moment that several threads share; none at first.
class SafeMoment
{
public:
    std::optional<BootTime> get() const
    {
        const Duration::rep moment = m_moment.load(std::memory_order_acquire);
        return moment == kNone ? std::nullopt : std::optional(BootTime(Duration(moment)));
    }
    void set(std::optional<BootTime> moment)
    {
        m_moment.store(moment ? moment->time_since_epoch().count() : kNone, std::memory_order_release);
    }

private:
    static constexpr Duration::rep kNone = Duration::min().count();
    std::atomic<Duration::rep> m_moment{kNone};
};

struct SafeTimeCore : std::enable_shared_from_this<SafeTimeCore>
{
    using Clock = BootTime (*)();
    explicit SafeTimeCore(SafetyRule rule, Clock clock = &BootClock::now);
    void follow(zk::SessionPtr next); // when a shared_ptr owns it; leaves the session that it followed
    void end();
    ListenerId addListener(Duration margin, std::function<void()> callback);

    void ask();
    void answered(BootTime sent);
    void check(); // calls listeners that are due, and arms the timer for the next

    struct Listener
    {
        Duration margin;
        std::function<void()> callback;
        bool called = false; // since the moment was last so far away
    };
    SafetyRule rule;
    Clock clock;
    zk::SessionPtr session;
    Duration timeout{}; // of the session when it was last connected
    SafeMoment moment;  // any thread
    std::map<ListenerId, Listener> listeners;
    ListenerId lastListener = 0;
    zk::Session::ListenerId sessionListener = 0;
    zk::Scheduler::TimerId askTimer = 0;
    zk::Scheduler::TimerId checkTimer = 0;
};

} // namespace lockscope::lock
