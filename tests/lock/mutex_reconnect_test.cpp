// The mutex when connections break and come back, and when sessions end.
#include "tests/lock/over_relay_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MutexReconnect : public OverRelay
{};
INSTANTIATE_TEST_SUITE_P(Handoff, MutexReconnect,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

// ---- release ----

// CURATOR-486, CURATOR-678: a release that fails and is forgotten blocks all clients.
TEST_P(MutexReconnect, AReleaseWithoutAConnectionIsDoneWhenItIsBack)
{
    LockClient& holder = addOverRelay();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    const auto releasing = startRelease(holder);
    settle(client);
    EXPECT_FALSE(releasing.arrived()) << "it is not certain yet";
    EXPECT_FALSE(waiting.arrived());
    relay->heal();
    granted(waiting);
    world->runUntil([&] { return releasing.arrived(); }, "the release");
    EXPECT_TRUE(*releasing);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_P(MutexReconnect, AReleaseWhileTheServerIsAwayIsDoneWhenItIsBack)
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

TEST_P(MutexReconnect, AReleaseWhoseReplyIsLostIsARelease)
{
    LockClient& holder = addOverRelay();
    acquireNow(holder);
    relay->loseReplyTo(LossyRelay::Op::remove);
    EXPECT_TRUE(release(holder));
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_EQ(requests(holder, Operation::remove), 2) << "the second one finds no node, and that is as good";
    EXPECT_THAT(queue(), IsEmpty());
    acquireNow(holder);
}

// ---- the connection comes back ----

// kazoo PR 170: a waiter that misses the deletion while it is away would sleep for ever.
TEST_P(MutexReconnect, AWaiterLooksAgainAfterEveryReconnect)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    const Acquiring waiting = queueUp(client);
    const int lists = requests(client, Operation::getChildren);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    relay->heal();
    world->runUntil([&] { return requests(client, Operation::getChildren) == lists + 1; }, "another list");
    waitUntilAsleep(client);
    EXPECT_FALSE(waiting.arrived());
    EXPECT_THAT(queue(), SizeIs(2)) << "it keeps its node";
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(MutexReconnect, AWaiterLearnsWhatItMissed)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addOverRelay();
    const Acquiring waiting = queueUp(client);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::suspended));
    ASSERT_TRUE(release(holder));
    relay->heal();
    granted(waiting);
}

TEST_P(MutexReconnect, AHolderKeepsTheLockOverAReconnect)
{
    LockClient& holder = addOverRelay();
    const Grant held = acquireNow(holder);
    int lost = 0;
    holder.mutex->onLost([&](OwnerId) { ++lost; });
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    relay->heal();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::connected));
    settle(holder);
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(holder.mutex->depth(OwnerId{0}), 1);
    EXPECT_THAT(queue(), ElementsAre(held.node));
    EXPECT_TRUE(release(holder));
}

TEST_P(MutexReconnect, AllClientsContinueAfterTheServerWasAway)
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

TEST_P(MutexReconnect, IsAcquiredAsSoonAsTheSessionIsConnected)
{
    LockClient& client =
        addClient(world->connecting({{}, std::chrono::seconds(30), std::chrono::seconds(25)}));
    const Grant grant = acquireNow(client);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

// ---- sessions end ----

TEST_P(MutexReconnect, AKilledHolderIsNotifiedAndTheNextOneHasTheLock)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    acquireNow(holder); // two deep
    std::vector<OwnerId> lost;
    holder.mutex->onLost([&](OwnerId owner) {
        lost.push_back(owner);
        EXPECT_EQ(holder.mutex->depth(owner), 0) << "the hold is gone when the listener runs";
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
    EXPECT_THAT(released.error().message.english(), HasSubstr("lost with the session"));
    EXPECT_EQ(release(holder).error().code, ErrorCode::notOwner) << "it is reported once";
}

// etcd's TestMutexWaitsOnCurrentHolder: the one behind a dead waiter still waits for the holder.
TEST_P(MutexReconnect, AKilledWaiterDoesNotLetTheOneBehindItIn)
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

TEST_P(MutexReconnect, AFrozenHolderLosesTheLockWithoutKnowing)
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

TEST_P(MutexReconnect, AReleaseUnderWayEndsWithTheSession)
{
    LockClient& holder = addOverRelay();
    acquireNow(holder);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*holder.session, zk::SessionPhase::suspended));
    const auto releasing = startRelease(holder);
    holder.session->close();
    world->runUntil([&] { return releasing.arrived(); }, "the release");
}

TEST_P(MutexReconnect, ALostSessionCannotAcquireAndSaysSoAtOnce)
{
    options.retry = lock::RetryPolicy::times(5, std::chrono::hours(1));
    LockClient& client = addClient();
    ASSERT_TRUE(world->kill(*client.session));
    ASSERT_TRUE(world->waitFor(*client.session, zk::SessionPhase::lost));
    world->runReady();
    const Error error = refused(acquire(client));
    EXPECT_EQ(error.code, ErrorCode::sessionLost);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_EQ(requests(client, Operation::create), 0);
}

TEST_P(MutexReconnect, AClosedSessionCannotAcquireAndSaysSoAtOnce)
{
    options.retry = lock::RetryPolicy::times(5, std::chrono::hours(1));
    LockClient& client = addClient();
    client.session->close();
    world->runReady();
    EXPECT_EQ(refused(acquire(client)).code, ErrorCode::sessionLost);
}

} // namespace
} // namespace lockscope::tests
