// How long a session, and with it every lock that is held on it, is safe: the moment before which the server
// does not end the session by its timeout, so that no other client can hold them. SafeTime is for recipes on
// one session; a Client keeps one for its locks (Client::keepSafeTime).
#pragma once

#include "core/base/listeners.h"
#include "core/base/time.h"
#include "core/zk/session.h"

#include <functional>
#include <memory>
#include <optional>

namespace lockscope::lock {

// CLOCK_BOOTTIME: it also runs while the machine is suspended, and is not adjusted.
struct BootClock
{
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;
    static time_point now() noexcept;
};
using BootTime = BootClock::time_point;

// The server's side of the promise. A server counts the timeout of a session from the last packet that it
// received, which is after the moment at which we sent a packet that it has answered. In an ensemble the
// leader counts, and a follower, which answers on its own, tells it of the packets: a follower that has lost
// the leader, and a leader that has lost the others, answer for up to syncLimit ticks more.
struct SafetyRule
{
    Duration silence{}; // how long a server may answer that counts no more
    // For what takes longer than its rule says, and for clocks that do not run equally fast.
    Duration margin = std::chrono::milliseconds(200);

    static SafetyRule singleServer() { return {}; }
    // As configured on the servers (tickTime, syncLimit). The timeout of the session must be longer than
    // (syncLimit + 2) ticks: else no moment is safe. Clients of an observer with an observer master: twice
    // the silence.
    static SafetyRule ensemble(Duration tickTime, int syncLimit)
    {
        SafetyRule rule;
        rule.silence = (syncLimit + 2) * tickTime;
        return rule;
    }
};

struct SafeTimeCore;

// Asks the server something every sixth of the timeout, by a read that takes the place of the heartbeat.
// Scheduler thread, except for until().
class SafeTime
{
public:
    SafeTime(zk::SessionPtr session, SafetyRule rule);
    ~SafeTime();
    SafeTime(SafeTime&&) noexcept = default;
    SafeTime& operator=(SafeTime&&) = delete;

    // Until then no other client holds a lock that is held on this session, unless another client ends the
    // session or deletes the node on purpose. None: no packet has been answered yet, or the session is over.
    // May be in the past: then nothing is promised. Any thread; does not wait.
    std::optional<BootTime> until() const;
    // Calls back when `margin` or less is left: once, and again after an answer has come in the meantime. It
    // comes late when this process was stopped: ask until() before what must not be late.
    ListenerId onAboutToLose(Duration margin, std::function<void()> callback);
    void removeListener(ListenerId listener);

private:
    std::shared_ptr<SafeTimeCore> m_core;
};

} // namespace lockscope::lock
