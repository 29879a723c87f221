// The acquire that needs no list, because the number of its node shows that no node was made in between; and
// everything that must make it look after all.
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using MutexAlone = EitherPolicy;
INSTANTIATE_TEST_SUITE_P(Handoff, MutexAlone,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

TEST_P(MutexAlone, ListsOnceAndThenNeedsACreateAndADeleteOnly)
{
    LockClient& client = addClient();
    for (int i = 0; i < 4; ++i) {
        acquireNow(client);
        ASSERT_TRUE(release(client));
    }
    EXPECT_EQ(requests(client, Operation::create), 5) << "the first found no parents";
    EXPECT_EQ(requests(client, Operation::remove), 4);
    EXPECT_LE(requests(client, Operation::getChildren), 2)
        << "the first one, and once more after the parents were made";
}

TEST_P(MutexAlone, SeesWhoCameSinceAndHolds)
{
    LockClient& client = addClient();
    acquireNow(client);
    ASSERT_TRUE(release(client));
    LockClient& other = addClient();
    acquireNow(other);
    const Acquiring waiting = queueUp(client);
    settle(client);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(release(other));
    granted(waiting);
}

TEST_P(MutexAlone, ListsAgainWhenAnotherClientCameAndWent)
{
    LockClient& client = addClient();
    acquireNow(client);
    ASSERT_TRUE(release(client));
    LockClient& other = addClient();
    acquireNow(other);
    ASSERT_TRUE(release(other));
    const int before = requests(client, Operation::getChildren);
    acquireNow(client);
    EXPECT_EQ(requests(client, Operation::getChildren), before + 1);
}

TEST_P(MutexAlone, WhoCameWhileItHeldIsInFrontOfIt)
{
    LockClient& client = addClient();
    acquireNow(client);
    LockClient& other = addClient();
    const Acquiring waiting = queueUp(other);
    ASSERT_TRUE(release(client));
    granted(waiting);
    const Acquiring again = queueUp(client);
    settle(client);
    EXPECT_FALSE(again.arrived());
    ASSERT_TRUE(release(other));
    granted(again);
}

// The next number is another owner's of the same mutex, while the first one holds.
TEST_P(MutexAlone, TwoOwnersOfOneMutexKeepEachOtherOut)
{
    LockClient& client = addClient();
    acquireNow(client, OwnerId{1});
    ASSERT_TRUE(release(client, OwnerId{1}));
    acquireNow(client, OwnerId{1});
    const Acquiring second = acquire(client, OwnerId{2});
    waitUntilAsleep(client);
    settle(client);
    EXPECT_FALSE(second.arrived());
    ASSERT_TRUE(release(client, OwnerId{1}));
    granted(second);
}

// The server removes an empty container and numbers from zero when it is made again: then the number before
// ours belongs to another client.
TEST_P(MutexAlone, IsNotDeceivedByAParentThatWasMadeAgain)
{
    LockClient& client = addClient();
    LockClient& other = addClient(); // connects now: as few transactions as possible are to come in between
    makePath();
    const Grant first = acquireNow(client);
    ASSERT_EQ(lock::sequenceOf(first.node), 0);
    ASSERT_TRUE(release(client));
    ASSERT_EQ(world->remove(world->observer(), path()), zk::Code::ok);
    world->create(world->observer(), path(), "", zk::CreateMode::container);
    ASSERT_EQ(lock::sequenceOf(acquireNow(other).node), 0);
    const Acquiring waiting = queueUp(client);
    EXPECT_EQ(lock::sequenceOf(nodeOf(client)), 1);
    settle(client);
    EXPECT_FALSE(waiting.arrived()) << "two hold the lock";
    ASSERT_TRUE(release(other));
    granted(waiting);
}

// A node that is not gone for certain may still be in front.
TEST_P(MutexAlone, LooksAgainAfterAReleaseWhoseReplyWasLost)
{
    LossyRelay relay(server().address());
    makePath();
    LockClient& client = addClient(relay.address());
    acquireNow(client);
    relay.loseReplyTo(LossyRelay::Op::remove);
    ASSERT_TRUE(release(client));
    EXPECT_EQ(relay.losses(), 1);
    const int before = requests(client, Operation::getChildren);
    acquireNow(client);
    EXPECT_EQ(requests(client, Operation::getChildren), before + 1);
    ASSERT_TRUE(release(client));
    client.mutex.reset();
    client.session->close();
}

// Step by step every step is shown: the list too.
TEST_P(MutexAlone, ListsAlwaysWhenItIsStepped)
{
    LockClient& client = addClient();
    acquireNow(client);
    ASSERT_TRUE(release(client));
    client.gate->stopAt(GateStep::list);
    const Acquiring acquiring = acquire(client);
    ASSERT_TRUE(waitUntilStopped(client, GateStep::list));
    client.gate->openForGood();
    granted(acquiring);
}

} // namespace
} // namespace lockscope::tests
