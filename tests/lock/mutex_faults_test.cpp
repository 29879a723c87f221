// The mutex when replies are lost, connections break and sessions end.
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using trace::Op;

class MutexFaults : public EitherPolicy
{
protected:
    void SetUp() override
    {
        EitherPolicy::SetUp();
        relay = std::make_unique<LossyRelay>(server().address());
        makePath();
    }
    void TearDown() override
    {
        relay->mend();
        EitherPolicy::TearDown();
        relay.reset();
    }
    // A client behind the faulty link.
    LockClient& addUnlucky() { return addClient(relay->address()); }
    std::string nodeOf(const LockClient& client) const { return recorder->lastNodeOf(client.id, LockId{0}); }

    std::unique_ptr<LossyRelay> relay;
};
INSTANTIATE_TEST_SUITE_P(Handoff, MutexFaults,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

// ---- lost replies
// ----------------------------------------------------------------------------------------------

// ZOOKEEPER-1262: the node is there, but its maker does not know its name.
TEST_P(MutexFaults, FindsItsNodeWhenTheReplyToTheCreateIsLost)
{
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::create);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    EXPECT_EQ(grant.token, world->get(world->observer(), path() + "/" + grant.node).stat.czxid);
    EXPECT_EQ(requests(client, Op::create), 1);
    ASSERT_TRUE(release(client));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_P(MutexFaults, KeepsItsPlaceWhenTheReplyToTheCreateIsLost)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::create);
    relay->stayDownAfterLoss();
    const Acquiring waiting = acquire(client);
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    LockClient& later = addClient();
    const Acquiring laterWaits = queueUp(later);
    relay->mend();
    waitUntilAsleep(client);
    ASSERT_TRUE(release(holder));
    granted(waiting);
    EXPECT_FALSE(laterWaits.arrived());
    ASSERT_TRUE(release(client));
    granted(laterWaits);
}

TEST_P(MutexFaults, CreatesAgainWhenTheCreateNeverArrived)
{
    LockClient& client = addUnlucky();
    relay->loseRequest(LossyRelay::Op::create);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_EQ(requests(client, Op::create), 2);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

TEST_P(MutexFaults, SurvivesThatTheReplyToTheSearchIsLostToo)
{
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::create);
    relay->stayDownAfterLoss();
    const Acquiring acquiring = acquire(client);
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    relay->loseReplyTo(LossyRelay::Op::list);
    relay->mend();
    const Grant grant = granted(acquiring);
    EXPECT_EQ(relay->losses(), 2);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

TEST_P(MutexFaults, ListsAgainWhenTheReplyToTheListIsLost)
{
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::list);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    EXPECT_EQ(requests(client, Op::create), 1);
}

TEST_P(MutexFaults, MakesTheParentsWhenAReplyIsLostMeanwhile)
{
    options.path = path() + "/a/b";
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::createContainer);
    const Grant grant = acquireNow(client);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_TRUE(world->exists(options.path + "/" + grant.node));
}

TEST_P(MutexFaults, WatchesAgainWhenTheReplyToTheWatchIsLost)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addUnlucky();
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
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::getData);
    const Acquiring waiting = acquire(client);
    world->runUntil([&] { return relay->losses() == 1; }, "the loss");
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::connected));
    waitUntilAsleep(client);
    settle(client);
    ASSERT_EQ(world->remove(world->observer(), path() + "/" + nodeOf(client)), zk::Code::ok);
    LockClient& later = addClient();
    const Acquiring laterWaits = queueUp(later);
    ASSERT_TRUE(release(holder));
    granted(laterWaits);
    settle(client);
    EXPECT_FALSE(waiting.arrived()) << "two hold the lock";
    ASSERT_TRUE(release(later));
    granted(waiting);
}

// ---- giving up while it is not known what happened
// -------------------------------------------------------------

// CURATOR-45: a node that nobody knows of would block the queue for the rest of the session.
TEST_P(MutexFaults, DeletesTheNodeOfACreateThatWasCancelledInFlight)
{
    LockClient& client = addClient();
    client.session->freeze();
    const lock::Cancel cancel;
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
    LockClient& client = addUnlucky();
    relay->loseReplyTo(LossyRelay::Op::create);
    relay->stayDownAfterLoss();
    const lock::Cancel cancel;
    const Acquiring acquiring = acquire(client, OwnerId{0}, std::nullopt, cancel);
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    cancel.request();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled) << "the caller does not wait for the link";
    EXPECT_THAT(queue(), SizeIs(1));
    relay->mend();
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

TEST_P(MutexFaults, TheLimitHoldsWithoutAConnection)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addUnlucky();
    const Acquiring waiting = acquire(client, OwnerId{0}, std::chrono::milliseconds(500));
    waitUntilAsleep(client);
    relay->cut();
    EXPECT_EQ(refused(waiting).code, ErrorCode::timedOut);
    relay->mend();
    EXPECT_TRUE(world->waitForChildren(path(), 1));
    EXPECT_THAT(queue(), ElementsAre(held.node));
}

TEST_P(MutexFaults, AMutexThatGoesWithoutAConnectionCleansUpLater)
{
    LockClient& holder = addUnlucky();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    holder.mutex.reset();
    relay->mend();
    granted(waiting);
}

// ---- release
// -----------------------------------------------------------------------------------------------------

// CURATOR-486, CURATOR-678: a release that fails and is forgotten blocks everybody.
TEST_P(MutexFaults, AReleaseWithoutAConnectionIsDoneWhenItIsBack)
{
    LockClient& holder = addUnlucky();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    const auto releasing = startRelease(holder);
    settle(client);
    EXPECT_FALSE(releasing.arrived()) << "it is not certain yet";
    EXPECT_FALSE(waiting.arrived());
    relay->mend();
    granted(waiting);
    world->runUntil([&] { return releasing.arrived(); }, "the release");
    EXPECT_TRUE(*releasing);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_P(MutexFaults, AReleaseWhileTheServerIsAwayIsDoneWhenItIsBack)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    ASSERT_TRUE(server().killNow());
    const auto releasing = startRelease(holder);
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    ASSERT_TRUE(server().restart());
    world->runUntil([&] { return releasing.arrived(); }, "the release");
    EXPECT_TRUE(*releasing);
    ASSERT_TRUE(world->waitFor(world->observer(), zk::SessionPhase::connected));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_P(MutexFaults, AReleaseWhoseReplyIsLostIsARelease)
{
    LockClient& holder = addUnlucky();
    acquireNow(holder);
    relay->loseReplyTo(LossyRelay::Op::remove);
    EXPECT_TRUE(release(holder));
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_EQ(requests(holder, Op::remove), 2) << "the second one finds no node, and that is as good";
    EXPECT_THAT(queue(), IsEmpty());
    acquireNow(holder);
}

// ---- the connection comes back
// -----------------------------------------------------------------------------------

// kazoo PR 170: a waiter that misses the deletion while it is away would sleep for ever.
TEST_P(MutexFaults, AWaiterLooksAgainAfterEveryReconnect)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addUnlucky();
    const Acquiring waiting = queueUp(client);
    const int lists = requests(client, Op::getChildren);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    relay->mend();
    world->runUntil([&] { return requests(client, Op::getChildren) == lists + 1; }, "another list");
    waitUntilAsleep(client);
    EXPECT_FALSE(waiting.arrived());
    EXPECT_THAT(queue(), SizeIs(2)) << "it keeps its node";
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(MutexFaults, AWaiterLearnsWhatItMissed)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addUnlucky();
    const Acquiring waiting = queueUp(client);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    ASSERT_TRUE(release(holder));
    relay->mend();
    granted(waiting);
}

TEST_P(MutexFaults, AHolderKeepsTheLockOverAReconnect)
{
    LockClient& holder = addUnlucky();
    const Grant held = acquireNow(holder);
    int lost = 0;
    holder.mutex->onLost([&](OwnerId) { ++lost; });
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    relay->mend();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::connected));
    settle(holder);
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 1);
    EXPECT_THAT(queue(), ElementsAre(held.node));
    EXPECT_TRUE(release(holder));
}

TEST_P(MutexFaults, EverybodyGoesOnAfterTheServerWasAway)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& second = addClient();
    const Acquiring secondWaits = queueUp(second);
    LockClient& third = addClient();
    const Acquiring thirdWaits = queueUp(third);
    ASSERT_TRUE(server().restart());
    for (LockClient* client : {&holder, &second, &third})
        ASSERT_TRUE(world->waitFor(*client->session, zk::SessionPhase::connected));
    ASSERT_TRUE(release(holder));
    granted(secondWaits);
    EXPECT_FALSE(thirdWaits.arrived());
    ASSERT_TRUE(release(second));
    granted(thirdWaits);
}

TEST_P(MutexFaults, IsAcquiredAsSoonAsTheSessionIsConnected)
{
    LockClient& client =
        addClient(world->connecting({{}, std::chrono::seconds(30), std::chrono::seconds(25)}));
    const Grant grant = acquireNow(client);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

// ---- sessions end
// ------------------------------------------------------------------------------------------------

TEST_P(MutexFaults, AKilledHolderIsToldAndTheNextOneHasTheLock)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    acquireNow(holder); // two deep
    std::vector<OwnerId> lost;
    holder.mutex->onLost([&](OwnerId owner) {
        lost.push_back(owner);
        EXPECT_EQ(holder.mutex->depth(owner), 0) << "the hold is gone when it is told";
    });
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    ASSERT_TRUE(world->kill(*holder.session));
    EXPECT_GT(granted(waiting).token, held.token);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_THAT(lost, ElementsAre(OwnerId{0}));
    EXPECT_EQ(count<trace::HoldLost>(holder), 1);

    const Result<void> released = release(holder);
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::sessionLost);
    EXPECT_THAT(released.error().message, HasSubstr("lost with the session"));
    EXPECT_EQ(release(holder).error().code, ErrorCode::notOwner) << "it is told once";
}

// etcd's TestMutexWaitsOnCurrentHolder: the one behind a dead waiter still waits for the holder.
TEST_P(MutexFaults, AKilledWaiterDoesNotLetTheOneBehindItIn)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& victim = addClient();
    const Acquiring victimWaits = queueUp(victim);
    LockClient& last = addClient();
    const Acquiring waiting = queueUp(last);
    const int decisions = count<trace::Decided>(last);
    ASSERT_TRUE(world->kill(*victim.session));
    EXPECT_EQ(refused(victimWaits).code, ErrorCode::sessionLost);
    world->runUntil([&] { return count<trace::Decided>(last) > decisions; }, "another look");
    waitUntilAsleep(last);
    EXPECT_FALSE(waiting.arrived());
    EXPECT_THAT(queue(), SizeIs(2));
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(MutexFaults, AFrozenHolderLosesTheLockWithoutKnowing)
{
    LockClient& holder = addClient({}, std::chrono::seconds(1));
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    holder.session->freeze();
    granted(waiting); // after the server has expired the holder
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 1) << "it still believes: the reason for fencing tokens";
    holder.session->thaw();
    world->runUntil([&] { return holder.mutex->depth(OwnerId{0}) == 0; }, "it to learn");
}

TEST_P(MutexFaults, AReleaseUnderWayEndsWithTheSession)
{
    LockClient& holder = addUnlucky();
    acquireNow(holder);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    const auto releasing = startRelease(holder);
    holder.session->close();
    world->runUntil([&] { return releasing.arrived(); }, "the release");
}

TEST_P(MutexFaults, ALostSessionCannotAcquireAndSaysSoAtOnce)
{
    options.retry = lock::RetryPolicy::times(5, std::chrono::hours(1));
    LockClient& client = addClient();
    ASSERT_TRUE(world->kill(*client.session));
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::lost));
    world->runReady();
    const Error error = refused(acquire(client));
    EXPECT_EQ(error.code, ErrorCode::sessionLost);
    EXPECT_THAT(error.message, HasSubstr(path()));
    EXPECT_EQ(requests(client, Op::create), 0);
}

TEST_P(MutexFaults, AClosedSessionCannotAcquireAndSaysSoAtOnce)
{
    options.retry = lock::RetryPolicy::times(5, std::chrono::hours(1));
    LockClient& client = addClient();
    client.session->close();
    world->runReady();
    EXPECT_EQ(refused(acquire(client)).code, ErrorCode::sessionLost);
}

} // namespace
} // namespace lockscope::tests
