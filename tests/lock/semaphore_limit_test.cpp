// The most leases of a semaphore: more than that cannot be had, and it may change while clients wait.
#include "tests/lock/shared_count_test.h"

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ---- more than there are ----

TEST_F(Semaphore, RefusesMoreLeasesThanThereAre)
{
    SemaphoreClient& greedy = add(2);
    for (const std::optional<Duration> limit :
         {std::optional<Duration>{}, std::optional<Duration>{Duration{}},
          std::optional<Duration>{std::chrono::milliseconds(200)}}) {
        const Error error = refused(acquire(greedy, 3, limit));
        EXPECT_EQ(error.code, ErrorCode::limitExceeded);
        EXPECT_THAT(error.message.english(), HasSubstr(path()));
    }
    EXPECT_EQ(refused(acquire(greedy, UINT32_MAX)).code, ErrorCode::limitExceeded);
    EXPECT_EQ(count<trace::Request>(*greedy.client), 0) << "nothing was made";
    EXPECT_EQ(count<trace::AcquireFailed>(*greedy.client), count<trace::AcquireCalled>(*greedy.client));
    EXPECT_THAT(granted(acquire(greedy, 2)), SizeIs(2)) << "as many as there are can be had";
}

TEST_F(Semaphore, AnAcquireOfMoreThanThereAreDoesNotHoldUpTheOthers)
{
    const Leasing greedy = acquire(add(2), 3);
    SemaphoreClient& other = add(2);
    const Leasing leasing = acquire(other, 2, std::chrono::seconds(2));
    EXPECT_THAT(granted(leasing), SizeIs(2));
    EXPECT_EQ(refused(greedy).code, ErrorCode::limitExceeded);
    EXPECT_THAT(leases(), SizeIs(2));
    EXPECT_TRUE(waitUntilNoLeaseIsLeft());
}

TEST_F(SharedCount, OfNothingClosesASemaphore)
{
    const auto maxLeases = startCount(-1);
    SemaphoreClient& client = add(maxLeases);
    EXPECT_EQ(client.semaphore->maxLeases(), 0U);
    EXPECT_EQ(refused(acquire(client, 1, std::chrono::milliseconds(200))).code, ErrorCode::timedOut);
    ASSERT_TRUE(set(*maxLeases, 1));
    EXPECT_THAT(granted(acquire(client)), SizeIs(1));
}

// The end of such a limit is beyond the clock's last moment.
TEST_F(Semaphore, WaitsWithTheLongestLimitThereIs)
{
    SemaphoreClient& holder = add(1);
    acquireNow(holder);
    SemaphoreClient& client = add(1);
    const Leasing waiting = acquire(client, 1, kForever);
    waitUntilAsleep(client);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(releaseAll(holder));
    EXPECT_THAT(granted(waiting), SizeIs(1));
}

// ---- the most changes while clients wait ----

// Interleaving: it waits before the leases, for more of them than there are from now on.
TEST_F(SharedCount, LoweringTheCountEndsAnAcquireThatWaitsForMore)
{
    const auto maxLeases = startCount(3);
    acquireNow(add(maxLeases), 3);
    waitUntilNoLeaseIsLeft();
    const Leasing greedy = waitInside(add(maxLeases), 3);
    SemaphoreClient& modest = add(maxLeases);
    const Leasing waiting = acquire(modest, 2);
    ASSERT_TRUE(world->waitForChildren(path() + "/locks", 2));
    ASSERT_TRUE(set(*maxLeases, 2));
    waitUntilAsleep(modest);
    EXPECT_FALSE(waiting.arrived()) << "two can be had when they are back";
    EXPECT_EQ(refused(greedy).code, ErrorCode::limitExceeded);
    EXPECT_THAT(leases(), SizeIs(3 + 2));
    EXPECT_THAT(acquireMutexNodes(), SizeIs(1));
}

// Interleaving: it waits in the queue in front of the leases.
TEST_F(SharedCount, LoweringTheCountEndsAnAcquireThatQueuesForMore)
{
    const auto here = startCount(3);
    const auto there = startCount(3);
    SemaphoreClient& holder = add(here);
    acquireNow(holder, 3);
    waitUntilNoLeaseIsLeft();
    const Leasing modest = waitInside(add(here));
    SemaphoreClient& greedy = add(here);
    const Leasing queued = acquire(greedy, 3);
    ASSERT_TRUE(world->waitForChildren(path() + "/locks", 2));
    ASSERT_TRUE(set(*there, 2));
    EXPECT_EQ(refused(queued).code, ErrorCode::limitExceeded);
    EXPECT_THAT(acquireMutexNodes(), SizeIs(1));
    EXPECT_THAT(leases(), SizeIs(3 + 1));
    EXPECT_FALSE(modest.arrived());
    ASSERT_TRUE(releaseAll(holder));
    granted(modest);
    ASSERT_TRUE(set(*there, 3));
    world->runUntil([&] { return here->value() == 3; }, "it to hear");
    EXPECT_EQ(refused(acquire(greedy, 3, Duration{})).code, ErrorCode::timedOut) << "it can be had again";
}

// Interleaving: the count sinks between the first node and the second one.
TEST_F(SharedCount, LoweringTheCountEndsAnAcquireThatMakesItsNodes)
{
    const auto maxLeases = startCount(2);
    SemaphoreClient& client = add(maxLeases);
    ASSERT_TRUE(release(client, acquireNow(client))); // the parents are there now
    waitUntilNoLeaseIsLeft();
    client.client->gate->stopAt(GateStep::decide);
    const Leasing leasing = acquire(client, 2);
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::decide)); // in the queue
    client.client->gate->stopAt(GateStep::created);
    client.client->gate->letPass();
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::created)); // the first lease
    ASSERT_TRUE(set(*maxLeases, 1));
    client.client->gate->openForGood();
    EXPECT_EQ(refused(leasing).code, ErrorCode::limitExceeded);
    EXPECT_THAT(leases(), IsEmpty());
    EXPECT_THAT(acquireMutexNodes(), IsEmpty());
}

// CURATOR-75: who waited did not hear of it.
TEST_F(SharedCount, RaisingTheCountLetsAWaiterIn)
{
    const auto maxLeases = startCount(1);
    acquireNow(add(maxLeases));
    SemaphoreClient& client = add(maxLeases);
    const Leasing waiting = waitInside(client);
    settle(client);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(set(*maxLeases, 2));
    granted(waiting);
    EXPECT_THAT(leases(), SizeIs(2));
}

TEST_F(SharedCount, RaisingTheCountElsewhereLetsAWaiterIn)
{
    const auto here = startCount(3);
    const auto there = startCount(7);
    EXPECT_EQ(there->value(), 3) << "the seed is for who comes first";
    acquireNow(add(here));
    const Leasing waiting = waitInside(add(here), 3);
    ASSERT_TRUE(set(*there, 4));
    granted(waiting);
}

TEST_F(SharedCount, LoweringTheCountTakesNoLeaseAway)
{
    const auto maxLeases = startCount(3);
    SemaphoreClient& holder = add(maxLeases);
    const Leases held = acquireNow(holder, 3);
    ASSERT_TRUE(set(*maxLeases, 1));
    settle(holder);
    EXPECT_THAT(holder.semaphore->held(), SizeIs(3));
    EXPECT_THAT(leases(), SizeIs(3));
    SemaphoreClient& client = add(maxLeases);
    const Leasing waiting = waitInside(client);
    ASSERT_TRUE(release(holder, {held[0], held[1]}));
    settle(client);
    settle(client);
    EXPECT_FALSE(waiting.arrived()) << "one is the most, and it is out";
    ASSERT_TRUE(release(holder, {held[2]}));
    granted(waiting);
}

} // namespace
} // namespace lockscope::tests
