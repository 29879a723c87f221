// The coroutine that recipes are made of: when it begins, where it goes on, what comes out of it.
#include "core/zk/memory/virtual_clock.h"
#include "core/zk/pending.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/system/system_error.hpp>

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

} // namespace
} // namespace lockscope::zk
