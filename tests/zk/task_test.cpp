// The coroutine that recipes are made of: when it begins, where it goes on, what comes out of it.
#include "core/zk/memory/virtual_clock.h"
#include "core/zk/pending.h"

#include <gtest/gtest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

#include <memory>
#include <string>

namespace lockscope::zk {
namespace {

using boost::asio::detached;

struct TaskTest : testing::Test
{
    memory::VirtualClock clock;
    memory::VirtualScheduler scheduler{clock};

    void spawn(Awaitable<void> coroutine)
    {
        boost::asio::co_spawn(scheduler.executor(), std::move(coroutine), detached);
    }
};

Task<int> ready(int value) { co_return value; }
Task<int> throws()
{
    throw std::bad_alloc();
    co_return 0;
}
Task<int> sum(Pending<int> a, Pending<int> b)
{
    const int first = co_await a.arrival();
    const int second = co_await b.arrival();
    co_return first + second;
}
Task<std::string> outer(Pending<int> a, Pending<int> b)
{
    const int both = co_await sum(a, b);
    co_return "sum " + std::to_string(both);
}
Task<void> note(bool* begun)
{
    *begun = true;
    co_return;
}

TEST_F(TaskTest, BeginsWhenItIsAwaitedAndNotBefore)
{
    bool begun = false;
    {
        const Task<void> never = note(&begun);
    }
    EXPECT_FALSE(begun);
    note (&begun)(detached);
    EXPECT_TRUE(begun);
    clock.runReady();
}

TEST_F(TaskTest, GivesItsValueToTheTaskThatAwaitsIt)
{
    const Pending<int> a, b;
    std::string got;
    outer(a, b)([&](boost::system::error_code error, std::string text) { got = error ? "error" : text; });
    b.handler()(40);
    EXPECT_EQ(got, "");
    a.handler()(2);
    EXPECT_EQ(got, "sum 42");
}

Task<std::string> catches()
{
    std::string caught = "nothing";
    try {
        co_await throws();
    } catch (const std::bad_alloc&) {
        caught = "no memory";
    }
    co_return caught;
}

TEST_F(TaskTest, ThrowsWhereItIsAwaited)
{
    std::string got;
    catches()([&](boost::system::error_code, std::string text) { got = text; });
    EXPECT_EQ(got, "no memory");
}

Awaitable<void> awaitAll(Pending<int> a, Pending<int> b, std::string* got)
{
    *got = co_await outer(a, b);
    try {
        co_await throws();
    } catch (const boost::system::system_error& error) {
        if (error.code() == boost::system::errc::not_enough_memory)
            *got += ", no memory";
    }
    bool begun = false;
    co_await note(&begun);
    *got += begun ? ", done" : "";
}

TEST_F(TaskTest, IsAwaitedByACoroutineOfAsios)
{
    const Pending<int> a, b;
    std::string got;
    spawn(awaitAll(a, b, &got));
    clock.runReady();
    EXPECT_EQ(got, "");
    a.handler()(1);
    b.handler()(2);
    clock.runReady();
    EXPECT_EQ(got, "sum 3, no memory, done");
}

Awaitable<void> awaitMany(int count, long* total)
{
    for (int i = 0; i < count; ++i)
        *total += co_await ready(1);
}

TEST_F(TaskTest, OnesThatHaveNothingToWaitForDoNotPileUpOnTheStack)
{
    long total = 0;
    spawn(awaitMany(200'000, &total));
    clock.runReady();
    EXPECT_EQ(total, 200'000);
}

struct Flag
{
    explicit Flag(bool* gone)
        : m_gone(gone)
    {}
    ~Flag() { *m_gone = true; }
    bool* m_gone;
};

Task<void> waitFor(Pending<int> pending, bool* gone, bool* resumed)
{
    const Flag flag(gone);
    co_await pending.arrival();
    *resumed = true;
}
Task<void> sleepOn(Signal signal, bool* gone, bool* resumed)
{
    const Flag flag(gone);
    co_await signal.next();
    *resumed = true;
}

// Begins a task without the caller giving up its ownership.
template <class T>
struct Begun
{
    Task<T> task;
    explicit Begun(Task<T> begun)
        : task(std::move(begun))
    {
        std::move(task).operator co_await().await_suspend(std::noop_coroutine()).resume();
    }
};

TEST_F(TaskTest, DestroyedWhileItWaitsItIsNotResumed)
{
    const Pending<int> pending;
    const Signal signal(scheduler);
    bool gone = false, slept = false, resumed = false;
    {
        const Begun<void> waiting(waitFor(pending, &gone, &resumed));
        const Begun<void> sleeping(sleepOn(signal, &slept, &resumed));
        signal.notify(); // on its way when the sleeper goes
        EXPECT_FALSE(gone);
    }
    EXPECT_TRUE(gone);
    EXPECT_TRUE(slept);
    pending.handler()(1);
    signal.notify();
    clock.runReady();
    EXPECT_FALSE(resumed);
}

Task<void> countWakes(Signal signal, const int* level, int* passed)
{
    co_await signal.until([level] { return *level >= 2; });
    ++*passed;
    co_await signal.next();
    ++*passed;
}

TEST_F(TaskTest, SleepsUntilTheConditionHolds)
{
    const Signal signal(scheduler);
    int level = 0, passed = 0;
    startDetached(countWakes(signal, &level, &passed));
    level = 1;
    signal.notify();
    clock.runReady();
    EXPECT_EQ(passed, 0);
    level = 2;
    signal.notify();
    signal.notify(); // the same wake-up
    clock.runReady();
    EXPECT_EQ(passed, 1);
    signal.wakeNow(); // inside this call
    EXPECT_EQ(passed, 2);
}

TEST_F(TaskTest, ANotifyBeforeTheWaitLetsItPassOnce)
{
    const Signal signal(scheduler);
    bool gone = false, resumed = false;
    signal.notify();
    startDetached(sleepOn(signal, &gone, &resumed));
    EXPECT_TRUE(resumed);
    resumed = false;
    startDetached(sleepOn(signal, &gone, &resumed));
    EXPECT_FALSE(resumed);
    signal.notify();
    clock.runReady();
    EXPECT_TRUE(resumed);
}

// ---- completion tokens ----

struct Thrown
{};

TEST_F(TaskTest, WhatItsHandlerThrowsAfterAWaitReachesWhoResumedIt)
{
    const Pending<int> a, b;
    sum(a, b)([](boost::system::error_code, int) { throw Thrown(); });
    b.handler()(1);
    EXPECT_THROW(a.handler()(2), Thrown);
    const Pending<int> c, d;
    sum(c, d)(boost::asio::bind_executor(scheduler.executor(),
                                         [](boost::system::error_code, int) { throw Thrown(); }));
    scheduler.post([c] { c.handler()(1); });
    scheduler.post([d] { d.handler()(2); });
    EXPECT_THROW(clock.runReady(), Thrown);
    clock.runReady();
}

Task<void> passOn(Pending<int> from, Pending<int> to)
{
    const int value = co_await from.arrival();
    to.handler()(value);
}

// The exceptions of background work are dropped; those of a handler that it happens to resume are not its
// own.
TEST_F(TaskTest, WhatItsHandlerThrowsIsNotLostInTheTaskThatResumedIt)
{
    const Pending<int> a, b, c;
    b.handler()(1);
    sum(c, b)([](boost::system::error_code, int) { throw Thrown(); });
    startDetached(passOn(a, c));
    EXPECT_THROW(a.handler()(2), Thrown);
}

TEST_F(TaskTest, ItsHandlerIsCalledOnItsExecutorWhetherItWaitedOrNot)
{
    boost::asio::io_context other(1);
    int done = 0;
    const auto handler = [&] {
        return boost::asio::bind_executor(other.get_executor(),
                                          [&](boost::system::error_code, int value) { done += value; });
    };
    ready(1)(handler());
    const Pending<int> a, b;
    sum(a, b)(handler());
    EXPECT_EQ(done, 0);
    other.poll();
    EXPECT_EQ(done, 1);
    EXPECT_FALSE(other.stopped()) << "an operation is under way";
    a.handler()(1);
    b.handler()(1);
    clock.runReady();
    EXPECT_EQ(done, 1);
    other.poll();
    EXPECT_EQ(done, 3);
    EXPECT_TRUE(other.stopped());
}

TEST_F(TaskTest, ItsHandlerIsNotCalledWithinTheCallThatStartsIt)
{
    int done = 0;
    ready(7).onScheduler(scheduler)([&](boost::system::error_code, int value) { done = value; });
    EXPECT_EQ(done, 0);
    clock.runReady();
    EXPECT_EQ(done, 7);
}

// A parameter lives as long as the frame.
Task<int> keeping(std::shared_ptr<int> kept) { co_return *kept; }

TEST_F(TaskTest, OneThatIsNeverLaunchedLeavesNothingBehind)
{
    const auto kept = std::make_shared<int>(1);
    {
        auto deferred = keeping(kept)(boost::asio::deferred);
        auto awaitable = keeping(kept)(boost::asio::use_awaitable);
        auto tuple = keeping(kept)(boost::asio::as_tuple(boost::asio::deferred));
        EXPECT_EQ(kept.use_count(), 4);
    }
    EXPECT_EQ(kept.use_count(), 1);
    keeping(kept)(boost::asio::bind_executor(scheduler.executor(), detached));
    EXPECT_EQ(kept.use_count(), 1) << "its result waits in the loop, and nothing else";
    clock.runReady();
}

Awaitable<void> awaitWithTokens(Pending<int> a, Pending<int> b, std::string* got)
{
    using namespace boost::asio;
    const int first = co_await sum(a, b)(use_awaitable);
    const auto [error, second] = co_await ready(2)(as_tuple(use_awaitable));
    boost::system::error_code redirected;
    co_await throws()(redirect_error(use_awaitable, redirected));
    const int third = co_await ready(3)(deferred);
    auto later = ready(4)(deferred);
    const int fourth = co_await std::move(later)(use_awaitable);
    const auto [failed, none] = co_await throws()(as_tuple(deferred));
    *got = std::to_string(first) + (error ? "!" : "") + std::to_string(second) + std::to_string(third) +
           std::to_string(fourth) + (redirected ? " redirected" : "") + (failed ? " failed" : "");
}

TEST_F(TaskTest, AcceptsTheTokensOfAsio)
{
    const Pending<int> a, b;
    std::string got;
    spawn(awaitWithTokens(a, b, &got));
    clock.runReady();
    a.handler()(0);
    b.handler()(1);
    clock.runReady();
    EXPECT_EQ(got, "1234 redirected failed");

    int done = 0;
    auto later = ready(5)(boost::asio::deferred);
    EXPECT_EQ(done, 0);
    std::move(later)([&](boost::system::error_code, int value) { done = value; });
    EXPECT_EQ(done, 5);
}

} // namespace
} // namespace lockscope::zk
