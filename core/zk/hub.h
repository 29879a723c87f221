// The real ZooKeeper client side: all sessions of the process on one thread, one raw epoll set, one Boost.Asio
// context. No thread per session; one helper thread for closing, because the C library's close blocks.
// Every function runs on the thread that runs the io_context, unless it says otherwise.
#pragma once

#include "core/base/error.h"
#include "core/zk/hosts.h"
#include "core/zk/scheduler.h"
#include "core/zk/session.h"

#include <boost/asio/io_context.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace lockscope::zk {

namespace c_client {
class HubImpl;
}

struct ConnectOptions
{
    // "127.0.0.1:2181,[::1]:2182": numeric, each with its port. Each session tries them in a random order of
    // its own.
    std::string hosts;
    Duration timeout = std::chrono::seconds(10);      // session timeout asked for
    Duration connectTimeout = std::chrono::seconds(15); // lost (connectTimedOut) when the first connect takes longer
    std::string killHosts{}; // where kill() connects to, when `hosts` leads over something that may fail; empty: `hosts`
};

struct HubOptions
{
    // While the only session waits for a reply, the I/O thread may stay awake for up to 0.2 ms, giving its
    // processor away all the time, instead of sleeping. It does so only while that is quicker (Wakefulness).
    // Costs up to one processor for as long as requests follow one another.
    bool adaptivePolling = true;
    // Gets what a handler, a listener, a timer or a posted function throws; must not throw itself. Without it
    // the exception leaves io.run(), as that of any handler of Asio's, and the hub goes on when run() is
    // called again.
    std::function<void(std::exception_ptr)> onException{};
};

class HubSession : public Session
{
public:
    // The real way to end a session from outside: a second connection with the same session id and password is
    // opened and closed, so the server removes the session at once and this side learns it the hard way. `done` gets
    // ok when the server confirmed it; tries again when this side took the session back in between. Owned sessions only.
    virtual void kill(UniqueFunction<void(Result<void>)> done) = 0;
    // Not served any more: no heartbeat, no reply, no clock of ours, as a paused process. The server expires it after its timeout.
    virtual void freeze() = 0;
    virtual void thaw() = 0;
    virtual bool frozen() const = 0;
};

// What the user owns of it. The sessions share what is behind it, so their scheduler() is valid for as long
// as they are; destroying the hub (or the io_context, whichever goes first) ends what it does.
class Hub final : public Scheduler
{
public:
    // Raises the soft file limit to the hard one.
    static Result<std::unique_ptr<Hub>> create(boost::asio::io_context& io, HubOptions options = {});
    explicit Hub(std::shared_ptr<c_client::HubImpl> impl);
    // Closes what is open; blocks for a few seconds at most. Sessions may outlive it: they are closed. What
    // is under way then (handlers, watches, listeners, timers, posted functions, and coroutines that wait for
    // these) is destroyed and never called, and so is what is asked for later.
    ~Hub() override;

    MonotonicTime now() const override;
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override;
    Sleepers& sleepers() override;

    // Never fails at once: a session that cannot connect stays connecting until its connectTimeout. At most 128
    // sessions connect at a time, the others wait their turn.
    std::shared_ptr<HubSession> connect(ConnectOptions options);
    // Calls `done` when every close() so far has been carried out.
    void whenClosed(UniqueFunction<void()> done);
    std::size_t sessionCount() const;
    // For shutting down: every timer is due at once from now on, so that whoever sleeps looks and ends.
    void expireTimers();

private:
    friend class ReadHub;
    std::shared_ptr<c_client::HubImpl> m_impl;
};

// A hub that makes sessions which only read: what everything is given that watches and takes no part. There is no
// way from it, or from its sessions, to one that writes. A handle of the hub, which it shares; once the hub is gone
// it makes sessions that are closed.
class ReadHub final : public Scheduler
{
public:
    explicit ReadHub(const Hub& hub);

    MonotonicTime now() const override;
    void post(UniqueFunction<void()> ready) override;
    TimerId after(Duration delay, UniqueFunction<void()> due) override;
    void cancel(TimerId timer) override;
    boost::asio::any_io_executor executor() override;
    Sleepers& sleepers() override;

    ReadSessionPtr connect(ConnectOptions options); // as Hub::connect

private:
    std::shared_ptr<c_client::HubImpl> m_impl;
};

// How many sessions fit this process's file limit; raises the soft limit to the hard one first. Any thread.
std::size_t sessionCapacity();
// limitExceeded with both numbers and what to do, when `sessions` do not fit. Any thread.
Result<void> checkSessionCapacity(std::size_t sessions);
} // namespace lockscope::zk
