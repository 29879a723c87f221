// The observer of a queue, on a server.
#include "core/sim/run/queue_observer.h"

#include "tests/support/zk_world.h"

#include <gtest/gtest.h>

#include <thread>

namespace lockscope::tests {
namespace {

class ObserverTest : public ZkTest
{};

// A list that was under way before may be older than the last delete, and a node would seem to be left
// behind.
TEST_F(ObserverTest, TheFinalRefreshIsNotAnsweredByAnEarlierList)
{
    ZkWorld others(server());
    ASSERT_EQ(others.create(others.observer(), path()).code, zk::Code::ok);
    ASSERT_EQ(others.create(others.observer(), path() + "/lock-0000000000").code, zk::Code::ok);
    trace::TraceStore store;
    trace::Recorder recorder(store);
    const auto lastCount = [&store] {
        std::optional<std::uint32_t> count;
        for (std::size_t i = 0; i < store.count(); ++i)
            if (const auto* observed = std::get_if<trace::Observed>(&store.at(i).what))
                count = observed->count;
        return count;
    };
    const auto observer =
        std::make_shared<sim::QueueObserver>(zk::ReadHub(world->hub()), recorder, server().address(), path(),
                                             LockId{0}, sim::QueueObserver::Ownership::ownRun);
    observer->start();
    ASSERT_TRUE(world->runUntil([&] { return lastCount() == 1U; }, "the first list"));
    observer->finalRefresh([] {});
    world->runReady();
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // that list has been read
    ASSERT_EQ(others.remove(others.observer(), path() + "/lock-0000000000"), zk::Code::ok);
    bool done = false;
    observer->finalRefresh([&done] { done = true; });
    ASSERT_TRUE(world->runUntil([&] { return done; }, "the final refresh"));
    EXPECT_EQ(lastCount(), 0U);
    observer->stop();
}

} // namespace
} // namespace lockscope::tests
