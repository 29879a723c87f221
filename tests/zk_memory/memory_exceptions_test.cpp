// What a user's function throws leaves runReady(), and the next call goes on with everything else.
#include "core/zk/memory/virtual_clock.h"

#include "tests/zk_memory/memory_test.h"

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
        VirtualScheduler& scheduler;
        ~CallsBack()
        {
            scheduler.cancel(scheduler.after(Duration{}, [] {}));
            scheduler.post([] {});
        }
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

} // namespace
} // namespace lockscope::zk::memory
