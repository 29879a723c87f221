// A try that failed says who held the lock, since when, and how many were ahead; a try that succeeds costs no
// request more, and so does one that nobody wants explained.
#include "core/lock/blocking/blocking_semaphore.h"
#include "tests/lock/blocking_test.h"
#include "tests/lock/multi_lock_test.h"
#include "tests/lock/read_write_test.h"
#include "tests/lock/semaphore_test.h"
#include "tests/support/lossy_relay.h"

namespace lockscope::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class RefusalTest : public LockTest
{
protected:
    void SetUp() override
    {
        LockTest::SetUp();
        makePath();
        options.nodeData = "billing\n7";
    }
    LockClient& addCurious(const std::string& hosts = {})
    {
        LockClient& client = addClient(hosts);
        client.mutex->explainTimeouts();
        return client;
    }
    int allRequests(const LockClient& client) const { return count<trace::Request>(client); }
};

TEST_F(RefusalTest, NamesTheHolderAndHowManyAreAhead)
{
    LockClient& holder = addClient();
    const Grant grant = acquireNow(holder);
    LockClient& second = addClient();
    const Acquiring waiting = queueUp(second);
    LockClient& third = addCurious();
    const Error error = refused(acquire(third, OwnerId{0}, Duration{}));
    EXPECT_EQ(error.code, ErrorCode::timedOut);
    EXPECT_THAT(error.text(), HasSubstr("\"billing?7\""));
    EXPECT_THAT(error.text(), HasSubstr(grant.node));
    EXPECT_THAT(error.text(), HasSubstr("ahead of this acquire: 2"));
    EXPECT_THAT(error.text(), Not(HasSubstr("1970")));

    const std::optional<lock::Refusal> refusal = third.mutex->takeRefusal(OwnerId{0});
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->ahead, 2U);
    EXPECT_EQ(refusal->holder->node, grant.node);
    EXPECT_EQ(refusal->holder->data, options.nodeData);
    EXPECT_EQ(refusal->holder->session, holder.session->id());
    EXPECT_EQ(refusal->holder->token, *grant.token);
    EXPECT_GT(refusal->holder->since.time_since_epoch(), std::chrono::hours(24 * 365 * 50));
    EXPECT_FALSE(third.mutex->takeRefusal(OwnerId{0})) << "once";
    EXPECT_THAT(queue(), SizeIs(2));
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

// The queue has changed while it waited: what counts is who is ahead when it gives up.
TEST_F(RefusalTest, IsOfTheMomentAtWhichTheLimitEnded)
{
    LockClient& first = addClient();
    acquireNow(first);
    LockClient& second = addClient();
    const Acquiring waiting = queueUp(second);
    LockClient& third = addCurious();
    third.gate->stopAt(GateStep::sleep);
    const Acquiring limited = acquire(third, OwnerId{0}, std::chrono::seconds(2));
    ASSERT_TRUE(waitUntilStopped(third, GateStep::sleep));
    ASSERT_TRUE(release(first));
    const Grant now = granted(waiting);
    third.gate->openForGood();
    EXPECT_EQ(refused(limited).code, ErrorCode::timedOut);
    const std::optional<lock::Refusal> refusal = third.mutex->takeRefusal(OwnerId{0});
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->ahead, 1U);
    EXPECT_EQ(refusal->holder->node, now.node);
}

TEST_F(RefusalTest, AGrantCostsNoRequestMore)
{
    options.watchHoldAfter = std::chrono::hours(1); // else a slow machine asks for a watch
    const auto cost = [this](bool curious) {
        LockClient& client = curious ? addCurious() : addClient();
        for (int i = 0; i < 3; ++i) {
            granted(acquire(client, OwnerId{0}, Duration{}));
            EXPECT_TRUE(release(client));
        }
        return allRequests(client);
    };
    EXPECT_EQ(cost(true), cost(false));
}

TEST_F(RefusalTest, NothingIsAskedUnlessItIsWanted)
{
    acquireNow(addClient());
    LockClient& other = addClient();
    const Error error = refused(acquire(other, OwnerId{0}, Duration{}));
    EXPECT_THAT(error.text(), Not(HasSubstr("ahead")));
    EXPECT_FALSE(other.mutex->takeRefusal(OwnerId{0}));
    EXPECT_EQ(requests(other, Operation::getChildren), 1) << "the list of the try itself";
    EXPECT_EQ(requests(other, Operation::getData), 0);
}

// Its node is deleted between the list and the read: only its name is known.
TEST_F(RefusalTest, AHolderThatIsGoneMeanwhileIsKnownByName)
{
    constexpr std::int32_t kNoNode = -101;
    const Grant grant = acquireNow(addClient());
    LossyRelay relay(server().address());
    LockClient& other = addCurious(relay.address());
    relay.refuse(LossyRelay::Op::getData, kNoNode);
    const Error error = refused(acquire(other, OwnerId{0}, Duration{}));
    EXPECT_THAT(error.text(), HasSubstr(grant.node));
    const std::optional<lock::Refusal> refusal = other.mutex->takeRefusal(OwnerId{0});
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->ahead, 1U);
    EXPECT_FALSE(refusal->holder->token.valid());
    EXPECT_EQ(refusal->holder->data, "");
    other.session->close();
}

// What the server does not say in time is not known, and the limits of the call are kept.
TEST_F(RefusalTest, OfASilentServerNothingIsKnown)
{
    acquireNow(addClient());
    LossyRelay relay(server().address());
    options.timeouts.cleanUp = std::chrono::milliseconds(100);
    LockClient& other = addCurious(relay.address());
    const Acquiring limited = acquire(other, OwnerId{0}, std::chrono::milliseconds(300));
    waitUntilAsleep(other);
    relay.muteConnection(relay.connections());
    const Error error = refused(limited);
    EXPECT_EQ(error.code, ErrorCode::timedOut);
    EXPECT_THAT(error.text(), Not(HasSubstr("ahead")));
    EXPECT_FALSE(other.mutex->takeRefusal(OwnerId{0}));
    EXPECT_EQ(other.session->phase(), zk::SessionPhase::connected);
    relay.cut();
    relay.heal();
    world->waitForChildren(path(), 1);
    other.session->close();
}

class RefusalOfReaders : public ReadWriteTest
{};

// It waits for the writer, but who holds the lock is the reader in front of that one.
TEST_F(RefusalOfReaders, NamesTheFirstInTheQueue)
{
    RwClient& reader = add();
    const Grant reading = acquireNow(reader.read());
    RwClient& writer = add();
    const Acquiring writing = queueUp(writer, writer.write());
    RwClient& other = add();
    other.read().explainTimeouts();
    EXPECT_EQ(refused(start(other.read(), kOne, Duration{})).code, ErrorCode::timedOut);
    const std::optional<lock::Refusal> refusal = other.read().takeRefusal(kOne);
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->holder->node, reading.node);
    EXPECT_EQ(refusal->ahead, 1U);
    ASSERT_TRUE(release(reader.read()));
    granted(writing);
}

class RefusalOfSeveral : public MultiLock
{};

TEST_F(RefusalOfSeveral, NamesTheHolderOfThePartThatWasNotFree)
{
    const auto b = mutexIn(world->connect(), "b");
    const Grant grant = acquireNow(*b);
    lock::MultiLock& all = add();
    all.explainTimeouts();
    EXPECT_THAT(refused(start(all, kOne, Duration{})).text(), HasSubstr(grant.node));
    const std::optional<lock::Refusal> refusal = all.takeRefusal(kOne);
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->holder->node, grant.node);
}

// A lock over a semaphore explains as any other.
TEST_F(RefusalOfSeveral, NamesTheHolderOfASemaphoreOfOne)
{
    lock::LockOptions own = options;
    own.path = path() + "/s";
    lock::SemaphoreMutex holder(world->connect(), own);
    lock::SemaphoreMutex other(world->connect(), own);
    const Grant grant = acquireNow(holder);
    other.explainTimeouts();
    EXPECT_THAT(refused(start(other, kOne, Duration{})).text(), HasSubstr(grant.node));
    const std::optional<lock::Refusal> refusal = other.takeRefusal(kOne);
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->ahead, 1U);
    EXPECT_EQ(refusal->holder->token, *grant.token);
    EXPECT_FALSE(other.takeRefusal(kOne)) << "once";
}

class RefusalOfLeases : public SemaphoreTest
{
protected:
    void SetUp() override
    {
        SemaphoreTest::SetUp();
        options.nodeData = "billing 7";
    }
    SemaphoreClient& addCurious(std::uint32_t maxLeases)
    {
        SemaphoreClient& one = add(maxLeases);
        one.semaphore->explainTimeouts();
        return one;
    }
    std::optional<lock::Refusal> refusalOf(SemaphoreClient& one)
    {
        return one.semaphore->takeRefusal(OwnerId{0});
    }
};

TEST_F(RefusalOfLeases, NamesTheOldestLeaseAndHowManyHaveToComeBack)
{
    SemaphoreClient& holder = add(3);
    const Leases oldest = acquireNow(holder);
    acquireNow(add(3));
    acquireNow(add(3));
    EXPECT_TRUE(waitUntilNoLeaseIsLeft()); // nobody is in the queue
    SemaphoreClient& other = addCurious(3);
    const Error error = refused(acquire(other, 2, Duration{}));
    EXPECT_EQ(error.code, ErrorCode::timedOut);
    EXPECT_THAT(error.text(), HasSubstr("\"billing 7\""));
    EXPECT_THAT(error.text(), HasSubstr(oldest.front().node));
    EXPECT_THAT(error.text(), HasSubstr("ahead of this acquire: 2"));
    const std::optional<lock::Refusal> refusal = refusalOf(other);
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->ahead, 2U) << "it wants two, and none is free";
    EXPECT_EQ(refusal->holder->node, oldest.front().node);
    EXPECT_EQ(refusal->holder->session, holder.client->session->id());
    EXPECT_EQ(refusal->holder->token, *oldest.front().token);
    EXPECT_FALSE(refusalOf(other)) << "once";
    EXPECT_THAT(leases(), SizeIs(3));
    EXPECT_TRUE(waitUntilNoLeaseIsLeft());
}

TEST_F(RefusalOfLeases, CountsThoseInFrontOfItInTheQueue)
{
    SemaphoreClient& holder = add(1);
    const Leases oldest = acquireNow(holder);
    SemaphoreClient& next = add(1);
    const Leasing waiting = waitInside(next);
    SemaphoreClient& other = addCurious(1);
    EXPECT_THAT(refused(acquire(other, 1, Duration{})).text(), HasSubstr(oldest.front().node));
    const std::optional<lock::Refusal> refusal = refusalOf(other);
    ASSERT_TRUE(refusal && refusal->holder);
    EXPECT_EQ(refusal->ahead, 1U) << "who waits for the lease";
    EXPECT_EQ(refusal->holder->token, *oldest.front().token) << "not who waits for it";
    EXPECT_TRUE(releaseAll(holder));
    granted(waiting);
}

TEST_F(RefusalOfLeases, CostsNothingOnTheWayToALease)
{
    options.watchHoldAfter = std::chrono::hours(1); // as above
    const auto cost = [this](SemaphoreClient& one) {
        for (int i = 0; i < 3; ++i) {
            granted(acquire(one, 1, std::chrono::seconds(30)));
            EXPECT_TRUE(releaseAll(one));
            EXPECT_TRUE(waitUntilNoLeaseIsLeft());
            settle(one); // it knows that its node is gone
        }
        return count<trace::Request>(*one.client);
    };
    cost(add(2)); // makes the nodes above
    EXPECT_EQ(cost(addCurious(2)), cost(add(2)));
}

class RefusalOfThreads : public BlockingTest
{};

TEST_F(RefusalOfThreads, ATryThatFailedTellsItsThread)
{
    const ClientPtr one = connect();
    const ClientPtr two = connect();
    BlockingMutex ours(*one, path());
    BlockingMutex theirs(*two, path());
    lock::Refusal refusal;
    ASSERT_TRUE(ours.try_lock(refusal));
    EXPECT_FALSE(refusal.holder);
    EXPECT_FALSE(theirs.try_lock(refusal));
    ASSERT_TRUE(refusal.holder);
    EXPECT_EQ(refusal.ahead, 1U);
    EXPECT_EQ(refusal.holder->token, *ours.token());
    EXPECT_FALSE(theirs.try_lock());
    ours.unlock();
    ASSERT_TRUE(theirs.try_lock_for(std::chrono::seconds(10), refusal));
    EXPECT_FALSE(refusal.holder) << "it was not refused";
    theirs.unlock();
}

TEST_F(RefusalOfThreads, SoDoesATryForALease)
{
    const ClientPtr one = connect();
    const ClientPtr two = connect();
    lock::BlockingSemaphore ours(*one, path(), 1);
    lock::BlockingSemaphore theirs(*two, path(), 1);
    lock::Refusal refusal;
    lock::HeldLeases held = ours.try_acquire(refusal);
    ASSERT_TRUE(held);
    EXPECT_FALSE(refusal.holder);
    EXPECT_FALSE(theirs.try_acquire(refusal));
    ASSERT_TRUE(refusal.holder);
    EXPECT_EQ(refusal.ahead, 1U);
    EXPECT_EQ(refusal.holder->token, held.tokens().front());
    EXPECT_FALSE(theirs.try_acquire());
    ASSERT_TRUE(held.release());
    EXPECT_TRUE(theirs.try_acquire_for(std::chrono::seconds(10), refusal));
    EXPECT_FALSE(refusal.holder) << "it was not refused";
}

} // namespace
} // namespace lockscope::tests
