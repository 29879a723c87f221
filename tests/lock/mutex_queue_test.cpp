// Interleavings in the queue, forced step by step, and nodes that another client created, changed or deleted.
#include "tests/lock/lock_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MutexQueue : public EitherPolicy
{
protected:
    void addForeignNode(const std::string& name)
    {
        ASSERT_EQ(world->create(world->observer(), path() + "/" + name, "foreign").code, zk::Code::ok);
    }
    void removeForeignNode(const std::string& name) { world->remove(world->observer(), path() + "/" + name); }
};
INSTANTIATE_TEST_SUITE_P(Handoff, MutexQueue,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

// ---- between two steps ----

// The one in front goes after the list was read and before the watch is set: no watch would ever tell.
TEST_P(MutexQueue, ThePredecessorMayGoBetweenListAndWatch)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    client.gate->stopAt(GateStep::watch);
    const Acquiring waiting = acquire(client);
    ASSERT_TRUE(waitUntilStopped(client, GateStep::watch));
    ASSERT_TRUE(release(holder));
    client.gate->openForGood();
    const Grant grant = granted(waiting);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    ASSERT_TRUE(release(client));
    EXPECT_EQ(world->watchesUnder(path()), 0U);
}

TEST_P(MutexQueue, ThePredecessorMayGoBeforeTheSleepBegins)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    client.gate->stopAt(GateStep::sleep);
    const Acquiring waiting = acquire(client);
    ASSERT_TRUE(waitUntilStopped(client, GateStep::sleep));
    ASSERT_TRUE(release(holder));
    settle(client);
    client.gate->openForGood();
    granted(waiting);
}

// A node may be deleted after it was listed as first and before its owner knows that it holds.
TEST_P(MutexQueue, EveryStepCanBeStoppedAt)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    for (const GateStep step :
         {GateStep::create, GateStep::list, GateStep::decide, GateStep::watch, GateStep::sleep})
        client.gate->stopAt(step);
    const Acquiring waiting = acquire(client);
    for (const GateStep step :
         {GateStep::create, GateStep::list, GateStep::decide, GateStep::watch, GateStep::sleep}) {
        ASSERT_TRUE(waitUntilStopped(client, step));
        settle(client);
        EXPECT_TRUE(client.gate->isStoppedAt(step));
        client.gate->letPass();
    }
    EXPECT_EQ(requests(client, Operation::create), 1);
    EXPECT_EQ(requests(client, Operation::getChildren), 1);
    client.gate->openForGood();
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_P(MutexQueue, CanBeCancelledAtEveryStep)
{
    LockClient& holder = addClient();
    const Grant held = acquireNow(holder);
    LockClient& client = addClient();
    for (const GateStep step :
         {GateStep::create, GateStep::list, GateStep::decide, GateStep::watch, GateStep::sleep}) {
        client.gate->stopAt(step);
        const lock::CancelToken cancel;
        const Acquiring waiting = acquire(client, OwnerId{0}, std::nullopt, cancel);
        ASSERT_TRUE(waitUntilStopped(client, step));
        cancel.request();
        EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
        EXPECT_THAT(queue(), ElementsAre(held.node));
        client.gate->openForGood();
    }
}

TEST_P(MutexQueue, AWaiterInTheMiddleMayLeave)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& middle = addClient();
    const lock::CancelToken cancel;
    const Acquiring leaving = acquire(middle, OwnerId{0}, std::nullopt, cancel);
    waitUntilAsleep(middle);
    LockClient& last = addClient();
    const Acquiring waiting = queueUp(last);
    const int lists = requests(last, Operation::getChildren);
    cancel.request();
    EXPECT_EQ(refused(leaving).code, ErrorCode::cancelled);
    settle(last);
    waitUntilAsleep(last);
    EXPECT_EQ(requests(last, Operation::getChildren), lists + 1)
        << "who is in front now is not known without a list";
    EXPECT_FALSE(waiting.arrived()) << "the holder still holds";
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

// ---- foreign hands ----

TEST_P(MutexQueue, AForeignNodeThatSortsLaterDoesNotBlock)
{
    makePath();
    addForeignNode("hello");
    LockClient& client = addClient();
    acquireNow(client);
    LockClient& next = addClient();
    const Acquiring waiting = queueUp(next);
    ASSERT_TRUE(release(client));
    granted(waiting);
}

TEST_P(MutexQueue, AForeignNodeThatSortsFirstBlocksUntilItGoes)
{
    makePath();
    addForeignNode("!first");
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    settle(client);
    EXPECT_FALSE(waiting.arrived());
    removeForeignNode("!first");
    granted(waiting);
}

TEST_P(MutexQueue, AForeignNodeInBetweenIsWaitedFor)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    addForeignNode("0000000000-between");
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    ASSERT_TRUE(release(holder));
    settle(client);
    EXPECT_FALSE(waiting.arrived());
    removeForeignNode("0000000000-between");
    granted(waiting);
}

// An announcement is for the one who wrote it; other words on a node change nothing.
TEST_P(MutexQueue, WordsOnThePredecessorDoNotMislead)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& middle = addClient();
    const Acquiring middleWaits = queueUp(middle);
    LockClient& last = addClient();
    const Acquiring lastWaits = queueUp(last);
    for (int i = 0; i < 3; ++i) {
        world->set(world->observer(), path() + "/" + nodeOf(middle), "word " + std::to_string(i));
        settle(last);
        waitUntilAsleep(last);
    }
    deleteNodeOf(middle);
    settle(last);
    EXPECT_FALSE(lastWaits.arrived());
    ASSERT_TRUE(release(holder));
    granted(lastWaits);
    ASSERT_TRUE(release(last));
    granted(middleWaits);
}

TEST_P(MutexQueue, AWaiterWhoseNodeWasDeletedStartsOver)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    const std::string before = nodeOf(client);
    deleteNodeOf(client);
    settle(client);
    ASSERT_TRUE(release(holder));
    const Grant grant = granted(waiting);
    EXPECT_NE(grant.node, before);
    EXPECT_EQ(count<trace::StartedOver>(client), 1);
    EXPECT_THAT(queue(), ElementsAre(grant.node));
}

// Interleaving: own node deleted, a later client queues up and gets the lock when the holder goes. The waiter
// hears of both deletions in that order and must not take the lock it has no node for.
TEST_P(MutexQueue, AWaiterWithoutANodeNeverTakesTheLock)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    client.session->freeze(); // it hears of everything at once
    deleteNodeOf(client);
    LockClient& later = addClient();
    const Acquiring laterWaits = queueUp(later);
    ASSERT_TRUE(release(holder));
    granted(laterWaits);
    client.session->thaw();
    settle(client);
    EXPECT_FALSE(waiting.arrived()) << "two hold the lock";
    ASSERT_TRUE(release(later));
    granted(waiting);
}

// The same after the waiter's node was written to: that has used up the watch on it.
TEST_P(MutexQueue, AWaiterWithoutANodeNeverTakesTheLockThoughItsWatchWasUsedUp)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    world->set(world->observer(), path() + "/" + nodeOf(client), "a word to the waiter");
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

TEST_P(MutexQueue, GivesUpAfterItsTriesAndSaysWhy)
{
    options.retry = lock::RetryPolicy::never();
    LockClient& client = addClient();
    makePath();
    client.gate->stopAt(GateStep::list);
    const Acquiring waiting = acquire(client);
    ASSERT_TRUE(waitUntilStopped(client, GateStep::list));
    deleteNodeOf(client);
    client.gate->openForGood();
    const Error error = refused(waiting);
    EXPECT_EQ(error.code, ErrorCode::internal);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_THAT(error.message.english(), HasSubstr("the own node is missing"));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_P(MutexQueue, CanBeCancelledWhileItPausesBeforeAnotherTry)
{
    options.retry = lock::RetryPolicy::times(5, std::chrono::hours(1));
    LockClient& client = addClient();
    makePath();
    client.gate->stopAt(GateStep::list);
    const lock::CancelToken cancel;
    const Acquiring waiting = acquire(client, OwnerId{0}, std::nullopt, cancel);
    ASSERT_TRUE(waitUntilStopped(client, GateStep::list));
    deleteNodeOf(client);
    client.gate->openForGood();
    world->runUntil([&] { return count<trace::StartedOver>(client) == 1; }, "the pause");
    settle(client);
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
}

TEST_P(MutexQueue, AHoldersNodeThatIsDeletedLetsTheNextOneIn)
{
    options.watchHoldAfter = std::chrono::hours(1); // it does not notice
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Acquiring waiting = queueUp(client);
    deleteNodeOf(holder);
    granted(waiting);
    EXPECT_TRUE(release(holder)) << "its node is gone, as it wants";
}

} // namespace
} // namespace lockscope::tests
