// What a user's function throws leaves runReady(), and the next call goes on with everything else.
#include "core/zk/memory/virtual_clock.h"

#include "core/zk/pending.h"
#include "tests/zk_memory/memory_test.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>

namespace lockscope::zk::memory {
namespace {

TEST(VirtualSchedulerTest, GoesOnAfterAnException)
{
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    std::vector<int> ran;
    scheduler.post([] { throw 1; });
    scheduler.post([&] { ran.push_back(2); });
    scheduler.after(std::chrono::seconds(1), [] { throw 3; });
    scheduler.after(std::chrono::seconds(1), [&] { ran.push_back(4); });
    EXPECT_THROW(clock.runReady(), int);
    clock.runReady();
    EXPECT_THAT(ran, ::testing::ElementsAre(2));
    clock.advanceTo(MonotonicTime(std::chrono::seconds(1)));
    EXPECT_THROW(clock.runReady(), int);
    clock.runReady();
    EXPECT_THAT(ran, ::testing::ElementsAre(2, 4));
}

// What is dropped with it may call it.
TEST(VirtualSchedulerTest, DropsWhatIsLeftWhenItEnds)
{
    struct CallsBack
    {
        explicit CallsBack(VirtualScheduler& its)
            : scheduler(its)
        {}
        ~CallsBack()
        {
            scheduler.cancel(scheduler.after(Duration{}, [] {}));
            scheduler.post([] {});
        }
        VirtualScheduler& scheduler;
    };
    VirtualClock clock;
    VirtualScheduler scheduler(clock);
    const auto cancelled = scheduler.after(Duration{}, [held = std::make_shared<CallsBack>(scheduler)] {});
    for (int i = 0; i < 3; ++i) {
        scheduler.after(Duration{}, [held = std::make_shared<CallsBack>(scheduler)] {});
        scheduler.post([held = std::make_shared<CallsBack>(scheduler)] {});
    }
    scheduler.cancel(cancelled);
}

zk::Task<void> sleepForEver(VirtualScheduler* scheduler, std::shared_ptr<int> held)
{
    const zk::Signal never(*scheduler);
    co_await never.next();
    ++*held;
}

zk::Awaitable<void> waitForEver(VirtualScheduler* scheduler, std::shared_ptr<int> held)
{
    const zk::Signal never(*scheduler);
    co_await never.wait();
    ++*held;
}

TEST(VirtualSchedulerTest, DestroysTheCoroutinesThatSleepWhenItEnds)
{
    const auto held = std::make_shared<int>(0);
    VirtualClock clock;
    {
        VirtualScheduler scheduler(clock);
        zk::startDetached(sleepForEver(&scheduler, held));
        boost::asio::co_spawn(scheduler.executor(), waitForEver(&scheduler, held), boost::asio::detached);
        clock.runReady();
        EXPECT_EQ(held.use_count(), 3);
    }
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(*held, 0);
}

} // namespace
} // namespace lockscope::zk::memory
