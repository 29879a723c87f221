// The leader latch: one participant leads, until it leaves or loses its node or its session; then the next
// one in the order of arrival does.
#include "core/lock/blocking/leader_latch.h"

#include "tests/lock/blocking_test.h"

#include <boost/asio/use_awaitable.hpp>

namespace lockscope::tests {
namespace {

using lock::LeaderLatch;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LeaderLatchTest : public BlockingTest
{
protected:
    // It takes part behind those that do already.
    void join(LeaderLatch& latch)
    {
        const std::size_t before = queue().size();
        latch.start();
        world->waitForChildren(path(), before + 1);
    }
    bool leads(LeaderLatch& latch) { return latch.await_for(seconds(30)); }
    bool waitUntilNot(LeaderLatch& latch)
    {
        return world->runUntil([&] { return !latch.hasLeadership(); }, "it to know");
    }
};

TEST_F(LeaderLatchTest, TheFirstLeadsUntilItLeaves)
{
    const ClientPtr one = connect();
    const ClientPtr two = connect();
    LeaderLatch first(*one, path(), "first");
    LeaderLatch second(*two, path(), "second");
    EXPECT_FALSE(first.hasLeadership());
    join(first);
    ASSERT_TRUE(leads(first));
    join(second);
    EXPECT_FALSE(second.await_for(milliseconds(20)));
    const auto all = second.participants();
    ASSERT_TRUE(all);
    ASSERT_THAT(*all, SizeIs(2));
    EXPECT_EQ(all->front().data, "first");
    EXPECT_EQ(all->front().token, *first.token());
    EXPECT_EQ(all->back().data, "second");
    const Zxid before = *first.token();
    ASSERT_TRUE(first.close());
    EXPECT_FALSE(first.hasLeadership());
    ASSERT_TRUE(leads(second));
    EXPECT_GT(*second.token(), before);
    ASSERT_TRUE(second.close());
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_EQ(thrownBy([&] { second.await(); }), lock::ErrorCode::closed);
}

TEST_F(LeaderLatchTest, WhoWaitsMayLeave)
{
    const ClientPtr client = connect();
    LeaderLatch first(*client, path(), "first");
    join(first);
    ASSERT_TRUE(leads(first));
    LeaderLatch second(*client, path(), "second");
    join(second);
    auto waiting = elsewhere([&] { return thrownBy([&] { second.await(); }); });
    ASSERT_TRUE(second.close());
    ASSERT_TRUE(ends(waiting));
    EXPECT_EQ(waiting.get(), lock::ErrorCode::closed);
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_TRUE(first.hasLeadership());
}

// By somebody else, or with the session: it knows, says so, and takes part again behind the others.
TEST_F(LeaderLatchTest, ALostLeaderQueuesUpAgain)
{
    const ClientPtr one = connect();
    const ClientPtr two = connect();
    LeaderLatch first(*one, path(), "first");
    LeaderLatch second(*two, path(), "second");
    std::mutex guard;
    std::vector<bool> changes;
    first.onChange([&](std::optional<Zxid> token) {
        const std::lock_guard lock(guard);
        changes.push_back(token.has_value());
    });
    join(first);
    ASSERT_TRUE(leads(first));
    const Zxid before = *first.token();
    join(second);
    world->remove(world->observer(), path() + "/" + first.participants()->front().node);
    ASSERT_TRUE(waitUntilNot(first));
    ASSERT_TRUE(leads(second));
    world->waitForChildren(path(), 2);
    ASSERT_TRUE(two->run(killSession));
    ASSERT_TRUE(waitUntilNot(second));
    ASSERT_TRUE(leads(first));
    EXPECT_GT(*first.token(), before);
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    ASSERT_TRUE(first.close());
    ASSERT_TRUE(leads(second));
    const std::lock_guard lock(guard);
    EXPECT_THAT(changes, ElementsAre(true, false, true, false));
}

TEST_F(LeaderLatchTest, LeavesWhenItIsDestroyedAndKeepsALeaderThatMoves)
{
    const ClientPtr client = connect();
    std::optional<LeaderLatch> moved;
    {
        LeaderLatch first(*client, path(), "first");
        join(first);
        ASSERT_TRUE(leads(first));
        moved.emplace(std::move(first));
    }
    EXPECT_TRUE(moved->hasLeadership());
    moved.reset();
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_F(LeaderLatchTest, EndsWithItsClient)
{
    ClientPtr client = connect();
    LeaderLatch first(*client, path(), "first");
    join(first);
    ASSERT_TRUE(leads(first));
    LeaderLatch never(*client, path(), "never");
    client.reset();
    EXPECT_FALSE(first.hasLeadership());
    EXPECT_EQ(thrownBy([&] { first.await(); }), lock::ErrorCode::closed);
    never.start();
    EXPECT_FALSE(never.await_for(milliseconds(1)));
    EXPECT_FALSE(never.close());
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(LeaderLatchTest, SaysWhyItWillNeverLead)
{
    const ClientPtr client = connect();
    client->onError([](const Error&) {});
    LeaderLatch latch(*client, "no path", "id");
    latch.start();
    EXPECT_EQ(thrownBy([&] { latch.await(); }), lock::ErrorCode::badUsage);
}

} // namespace
} // namespace lockscope::tests
