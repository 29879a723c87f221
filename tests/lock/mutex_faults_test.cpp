// The mutex when replies are lost, connections break and sessions end.
#include "tests/lock/over_relay_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MutexFaults : public OverRelay
{};
INSTANTIATE_TEST_SUITE_P(Handoff, MutexFaults,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

// ---- lost replies ----

// ZOOKEEPER-1262: the node is there, but its maker does not know its name.
TEST_P(MutexFaults, FindsItsNodeWhenTheReplyToTheCreateIsLost)
{
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::create);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    EXPECT_EQ(grant.token, world->get(world->observer(), path() + "/" + grant.node).stat.czxid);
    EXPECT_EQ(requests(client, Operation::create), 1);
    ASSERT_TRUE(release(client));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_P(MutexFaults, KeepsItsPlaceWhenTheReplyToTheCreateIsLost)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::create);
    relay->stayDownAfterLoss();
    const Acquiring waiting = acquire(client);
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    LockClient& later = addClient();
    const Acquiring laterWaits = queueUp(later);
    relay->heal();
    waitUntilAsleep(client);
    ASSERT_TRUE(release(holder));
    granted(waiting);
    EXPECT_FALSE(laterWaits.arrived());
    ASSERT_TRUE(release(client));
    granted(laterWaits);
}

TEST_P(MutexFaults, CreatesAgainWhenTheCreateNeverArrived)
{
    LockClient& client = addOverRelay();
    relay->loseRequest(LossyRelay::Op::create);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_EQ(requests(client, Operation::create), 2);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

TEST_P(MutexFaults, SurvivesThatTheReplyToTheSearchIsLostToo)
{
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::create);
    relay->stayDownAfterLoss();
    const Acquiring acquiring = acquire(client);
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    relay->loseReplyTo(LossyRelay::Op::list);
    relay->heal();
    const Grant grant = granted(acquiring);
    EXPECT_EQ(relay->losses(), 2);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

TEST_P(MutexFaults, ListsAgainWhenTheReplyToTheListIsLost)
{
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::list);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    EXPECT_EQ(requests(client, Operation::create), 1);
}

TEST_P(MutexFaults, MakesTheParentsWhenAReplyIsLostMeanwhile)
{
    options.path = path() + "/a/b";
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::createContainer);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_TRUE(world->exists(options.path + "/" + grant.node));
}

TEST_P(MutexFaults, WatchesAgainWhenTheReplyToTheWatchIsLost)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::getData);
    const Acquiring waiting = acquire(client);
    world->runUntil([&] { return relay->losses() == 1; }, "the loss");
    waitUntilAsleep(client);
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

// Under the announced policy the first watch is the one on the own node: without it a deletion of the own
// node would go unnoticed, and the waiter would take a lock that a later client has.
TEST_P(MutexFaults, NeverTakesTheLockOnTheStrengthOfAWatchThatWasLost)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::getData);
    const Acquiring waiting = acquire(client);
    world->runUntil([&] { return relay->losses() == 1; }, "the loss");
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::connected));
    waitUntilAsleep(client);
    settle(client);
    deleteNodeOf(client);
    LockClient& later = addClient();
    const Acquiring laterWaits = queueUp(later);
    ASSERT_TRUE(release(holder));
    granted(laterWaits);
    settle(client);
    EXPECT_FALSE(waiting.arrived()) << "two hold the lock";
    ASSERT_TRUE(release(later));
    granted(waiting);
}

// ---- giving up while it is not known what happened ----

// CURATOR-45: an unknown node would block the queue for the rest of the session.
TEST_P(MutexFaults, DeletesTheNodeOfACreateThatWasCancelledInFlight)
{
    LockClient& client = addClient();
    client.session->freeze();
    const lock::CancelToken cancel;
    const Acquiring acquiring = acquire(client, OwnerId{0}, std::nullopt, cancel);
    ASSERT_TRUE(world->waitForChildren(path(), 1)) << "the server has made it";
    cancel.request();
    world->runReady();
    client.session->thaw();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_P(MutexFaults, DeletesTheNodeLaterWhenItGaveUpWithoutAConnection)
{
    LockClient& client = addOverRelay();
    relay->loseReplyTo(LossyRelay::Op::create);
    relay->stayDownAfterLoss();
    const lock::CancelToken cancel;
    const Acquiring acquiring = acquire(client, OwnerId{0}, std::nullopt, cancel);
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    cancel.request();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled) << "the caller does not wait for the link";
    EXPECT_THAT(queue(), SizeIs(1));
    relay->heal();
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_P(MutexFaults, TheLimitHoldsWithoutAConnection)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addOverRelay();
    const Acquiring waiting = acquire(client, OwnerId{0}, std::chrono::milliseconds(500));
    waitUntilAsleep(client);
    relay->cut();
    EXPECT_EQ(refused(waiting).code, ErrorCode::timedOut);
    relay->heal();
    EXPECT_TRUE(world->waitForChildren(path(), 1));
    EXPECT_THAT(queue(), ElementsAre(held.node));
}

TEST_P(MutexFaults, AMutexThatGoesWithoutAConnectionCleansUpLater)
{
    LockClient& holder = addOverRelay();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    holder.mutex.reset();
    relay->heal();
    granted(waiting);
}

} // namespace
} // namespace lockscope::tests
