// The mutex as its user sees it while nothing breaks, under both handoff policies.
#include "tests/lock/lock_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Mutex : public EitherPolicy
{};
INSTANTIATE_TEST_SUITE_P(Handoff, Mutex, ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced),
                         policyName);

TEST_P(Mutex, IsGrantedInTheOrderOfArrival)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    std::vector<LockClient*> waiters;
    std::vector<Acquiring> waiting;
    for (int i = 0; i < 5; ++i) {
        waiters.push_back(&addClient());
        waiting.push_back(queueUp(*waiters.back()));
    }
    ASSERT_TRUE(release(holder));
    Zxid last = Zxid{0};
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        const Grant grant = granted(waiting[i]);
        EXPECT_GT(grant.token, last);
        last = grant.token.value();
        for (std::size_t behind = i + 1; behind < waiters.size(); ++behind)
            EXPECT_FALSE(waiting[behind].arrived());
        ASSERT_TRUE(release(*waiters[i]));
    }
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_P(Mutex, ReentersAndIsHeldUntilTheOutermostRelease)
{
    LockClient& client = addClient();
    LockClient& other = addClient();
    const Grant outer = acquireNow(client);
    EXPECT_EQ(acquireNow(client).depth, 2);
    const Grant inner = acquireNow(client);
    EXPECT_EQ(inner.depth, 3);
    EXPECT_EQ(inner.node, outer.node);
    EXPECT_EQ(inner.token, outer.token);
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 3);
    EXPECT_THAT(queue(), SizeIs(1));
    const Acquiring waiting = queueUp(other);
    ASSERT_TRUE(release(client));
    ASSERT_TRUE(release(client));
    settle(other);
    EXPECT_FALSE(waiting.arrived());
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 1);
    ASSERT_TRUE(release(client));
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 0);
    granted(waiting);
}

TEST_P(Mutex, SaysWhoReleasedWhatItDoesNotHold)
{
    LockClient& client = addClient();
    const Result<void> released = release(client, OwnerId{7});
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::notOwner);
    EXPECT_THAT(released.error().message.english(), HasSubstr(path()));
    EXPECT_THAT(released.error().message.english(), HasSubstr("client 1, thread 7"));

    acquireNow(client, OwnerId{1});
    EXPECT_FALSE(release(client, OwnerId{7})) << "another owner holds it";
    ASSERT_TRUE(release(client, OwnerId{1}));
    EXPECT_FALSE(release(client, OwnerId{1})) << "once too often";
}

TEST_P(Mutex, KeepsTwoOwnersOfOneClientApart)
{
    LockClient& client = addClient();
    acquireNow(client, OwnerId{1});
    const Acquiring second = acquire(client, OwnerId{2});
    waitUntilAsleep(client);
    EXPECT_FALSE(second.arrived());
    EXPECT_THAT(queue(), SizeIs(2));
    ASSERT_TRUE(release(client, OwnerId{1}));
    granted(second);
    EXPECT_EQ(client.mutex->depth(OwnerId{1}), 0);
    EXPECT_EQ(client.mutex->depth(OwnerId{2}), 1);
}

TEST_P(Mutex, RefusesAnOwnerThatIsWaitingAlready)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    const Error error = refused(acquire(client));
    EXPECT_EQ(error.code, ErrorCode::busy);
    EXPECT_THAT(error.message.english(), HasSubstr("client 2, thread 0"));
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(Mutex, GivesUpAfterTheLimitAndLeavesNoNode)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    const Error error = refused(acquire(client, OwnerId{0}, milliseconds(50)));
    EXPECT_EQ(error.code, ErrorCode::timedOut);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_THAT(queue(), ElementsAre(held.node));
    ASSERT_TRUE(release(holder));
    acquireNow(client);
}

// The end of such a limit is beyond the clock's last moment.
TEST_P(Mutex, WaitsWithTheLongestLimitThereIs)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = acquire(client, OwnerId{0}, kForever);
    waitUntilAsleep(client);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(Mutex, LooksOnceWithAZeroLimit)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    EXPECT_EQ(refused(acquire(client, OwnerId{0}, Duration{})).code, ErrorCode::timedOut);
    EXPECT_THAT(queue(), ElementsAre(held.node));
    EXPECT_EQ(requests(client, Operation::getData), 0) << "it does not watch";
    ASSERT_TRUE(release(holder));
    granted(acquire(client, OwnerId{0}, Duration{}));
}

TEST_P(Mutex, AZeroLimitIsEnoughToReenter)
{
    LockClient& client = addClient();
    acquireNow(client);
    EXPECT_EQ(granted(acquire(client, OwnerId{0}, Duration{})).depth, 2);
}

TEST_P(Mutex, OneOfTwentyThatTryAtOnceHasIt)
{
    std::vector<Acquiring> tries;
    for (int i = 0; i < 20; ++i)
        tries.push_back(acquire(addClient(), OwnerId{0}, Duration{}));
    int had = 0;
    for (const Acquiring& acquiring : tries) {
        world->runUntil([&] { return acquiring.arrived(); }, "the try to end");
        had += *acquiring ? 1 : 0;
    }
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_EQ(had, 1);
}

TEST_P(Mutex, CanBeCancelledWhileItWaits)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    const lock::CancelToken cancel;
    const Acquiring waiting = acquire(client, OwnerId{0}, std::nullopt, cancel);
    waitUntilAsleep(client);
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), ElementsAre(held.node));
    ASSERT_TRUE(release(holder));
    acquireNow(client);
}

TEST_P(Mutex, IsNotEvenAskedForWhenCancelledBefore)
{
    LockClient& client = addClient();
    const lock::CancelToken cancel;
    cancel.request();
    EXPECT_EQ(refused(acquire(client, OwnerId{0}, std::nullopt, cancel)).code, ErrorCode::cancelled);
    EXPECT_EQ(requests(client, Operation::create), 0);
}

TEST_P(Mutex, OneCancelEndsSeveralAcquires)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const lock::CancelToken cancel;
    std::vector<Acquiring> waiting;
    for (std::uint32_t owner = 0; owner < 3; ++owner)
        waiting.push_back(acquire(client, OwnerId{owner}, std::nullopt, cancel));
    world->waitForChildren(path(), 4);
    cancel.request();
    for (const Acquiring& acquiring : waiting)
        EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_P(Mutex, CanBeHeldAgainAndAgain)
{
    LockClient& client = addClient();
    Zxid last = Zxid{0};
    for (int i = 0; i < 10; ++i) {
        const Grant grant = acquireNow(client);
        EXPECT_GT(grant.token, last) << "a fencing token grows with every grant";
        last = grant.token.value();
        ASSERT_TRUE(release(client));
    }
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

TEST_P(Mutex, NeedsOneRoundTripWhenItIsFree)
{
    makePath();
    LockClient& client = addClient();
    acquireNow(client);
    EXPECT_EQ(requests(client, Operation::create), 1);
    EXPECT_EQ(requests(client, Operation::getChildren), 1);
    EXPECT_EQ(requests(client, Operation::getData), 0);
    EXPECT_EQ(requests(client, Operation::setData), 0) << "there is no successor to notify";
    ASSERT_TRUE(release(client));
    EXPECT_EQ(requests(client, Operation::remove), 1);
}

} // namespace
} // namespace lockscope::tests
