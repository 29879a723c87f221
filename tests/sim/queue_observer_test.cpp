// The observer of a queue, on a server.
#include "core/sim/run/queue_observer.h"

#include "core/base/time.h"
#include "tests/support/lossy_relay.h"
#include "tests/support/restricted_node.h"
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

namespace lockscope::tests {
namespace {

using testing::ElementsAre;
using Op = LossyRelay::Op;

class ObserverTest : public ZkTest
{
protected:
    void SetUp() override
    {
        ZkTest::SetUp();
        relay = std::make_unique<LossyRelay>(server().address());
        others = std::make_unique<ZkWorld>(server());
        ASSERT_EQ(others->create(others->observer(), path()).code, zk::Code::ok);
    }
    void TearDown() override
    {
        observer->stop();
        others.reset();
        ZkTest::TearDown();
    }
    // Behind the relay.
    void observe()
    {
        observer = std::make_shared<sim::QueueObserver>(zk::ReadHub(world->hub()), recorder, relay->address(),
                                                        path(), LockId{0});
        observer->start();
    }
    std::optional<std::uint32_t> lastCount() const
    {
        std::optional<std::uint32_t> count;
        for (std::size_t i = 0; i < store.count(); ++i)
            if (const auto* observed = std::get_if<trace::Observed>(&store.at(i).what))
                count = observed->count;
        return count;
    }
    std::set<std::string> foreign() const
    {
        std::set<std::string> names;
        for (std::size_t i = 0; i < store.count(); ++i)
            if (const auto* seen = std::get_if<trace::NodeSeen>(&store.at(i).what); seen && seen->foreign)
                names.insert(std::string(seen->node));
        return names;
    }

    std::unique_ptr<LossyRelay> relay;
    std::unique_ptr<ZkWorld> others;
    trace::TraceStore store;
    trace::Recorder recorder{store};
    std::shared_ptr<sim::QueueObserver> observer;
};

// A list that was under way before may be older than the last delete, and a node would seem to be left
// behind.
TEST_F(ObserverTest, TheFinalRefreshIsNotAnsweredByAnEarlierList)
{
    ASSERT_EQ(others->create(others->observer(), path() + "/lock-0000000000").code, zk::Code::ok);
    observe();
    ASSERT_TRUE(world->runUntil([&] { return lastCount() == 1U; }, "the first list"));
    const int before = relay->replies(Op::list);
    observer->finalRefresh([] {});
    world->runReady();
    // The server has answered that list; this thread takes no answer meanwhile.
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (relay->replies(Op::list) == before && std::chrono::steady_clock::now() < limit)
        std::this_thread::yield();
    ASSERT_GT(relay->replies(Op::list), before);
    ASSERT_EQ(others->remove(others->observer(), path() + "/lock-0000000000"), zk::Code::ok);
    bool done = false;
    observer->finalRefresh([&done] { done = true; });
    ASSERT_TRUE(world->runUntil([&] { return done; }, "the final refresh"));
    EXPECT_EQ(lastCount(), 0U);
}

TEST_F(ObserverTest, ANodeOfOthersIsSeenThoughTheReplyAboutItsOwnerIsLost)
{
    ASSERT_EQ(others->create(others->observer(), path() + "/lock-0000000000").code, zk::Code::ok);
    relay->loseReplyTo(Op::getData);
    observe();
    ASSERT_TRUE(world->runUntil([&] { return !foreign().empty(); }, "the node to be seen"));
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(foreign(), ElementsAre("lock-0000000000"));
}

TEST_F(ObserverTest, ANodeOfOthersIsSeenThoughItMayNotBeRead)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path() + "/lock-0000000000", deleteRight));
    observe();
    ASSERT_TRUE(world->runUntil([&] { return !foreign().empty(); }, "the node to be seen"));
    EXPECT_THAT(foreign(), ElementsAre("lock-0000000000"));
}

} // namespace
} // namespace lockscope::tests
