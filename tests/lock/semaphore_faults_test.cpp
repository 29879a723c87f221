// The semaphore when nodes are deleted, and when those who wait give up.
#include "tests/lock/semaphore_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ---- deleted nodes ----

TEST_F(SemaphoreFaults, AWaiterWhoseLeaseWasDeletedStartsOver)
{
    SemaphoreClient& holder = add(1);
    acquireNow(holder);
    SemaphoreClient& client = add(1);
    const Leasing waiting = waitInside(client);
    const std::string before = leaseOf(client);
    deleteLease(before);
    world->runUntil([&] { return count<trace::StartedOver>(*client.client) == 1; }, "it to start over");
    ASSERT_TRUE(releaseAll(holder));
    const Leases leased = granted(waiting);
    EXPECT_NE(leased[0].node, before);
    EXPECT_THAT(leases(), ElementsAre(leased[0].node));
    ASSERT_TRUE(releaseAll(client));
    EXPECT_THAT(leases(), IsEmpty());
    EXPECT_TRUE(waitUntilNoLeaseIsLeft());
}

TEST_F(SemaphoreFaults, StartsOverWithAllLeasesWhenOneOfThemWasDeleted)
{
    SemaphoreClient& holder = add(3);
    acquireNow(holder);
    SemaphoreClient& client = add(3);
    const Leasing waiting = waitInside(client, 3);
    const std::vector<std::string> all = leases();
    ASSERT_THAT(all, SizeIs(4));
    for (const std::string& node : all)
        if (node != leaseOf(holder) && node != leaseOf(client)) {
            deleteLease(node); // one of the first two
            break;
        }
    world->runUntil([&] { return count<trace::StartedOver>(*client.client) == 1; }, "it to start over");
    ASSERT_TRUE(releaseAll(holder));
    EXPECT_THAT(granted(waiting), SizeIs(3));
    EXPECT_THAT(leases(), SizeIs(3));
}

TEST_F(SemaphoreFaults, GivesUpAfterItsTriesAndSaysWhy)
{
    options.retry = lock::RetryPolicy::never();
    SemaphoreClient& client = add(1);
    client.client->gate->stopAt(GateStep::decide);
    const Leasing waiting = acquire(client);
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::decide)); // in the queue
    client.client->gate->stopAt(GateStep::list);
    client.client->gate->letPass();
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::list));
    deleteLease(leaseOf(client));
    client.client->gate->openForGood();
    const Error error = refused(waiting);
    EXPECT_EQ(error.code, ErrorCode::internal);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_THAT(error.message.english(), HasSubstr("own leases is missing"));
    EXPECT_THAT(leases(), IsEmpty());
    EXPECT_THAT(acquireMutexNodes(), IsEmpty());
}

// With two inside, each would wait for the other's node although there is room for one.
TEST_F(SemaphoreFaults, AWaiterThatLosesItsPlaceInsideQueuesUpAgain)
{
    SemaphoreClient& holder = add(2);
    const Leases held = acquireNow(holder, 2);
    waitUntilNoLeaseIsLeft();
    SemaphoreClient& client = add(2);
    const Leasing waiting = waitInside(client);
    SemaphoreClient& second = add(2);
    const Leasing secondWaits = acquire(second);
    world->waitForChildren(path() + "/locks", 2);
    const std::string place = recorder->lastNodeOf(client.client->id, LockId{1});
    ASSERT_EQ(world->remove(world->observer(), path() + "/locks/" + place), zk::Code::ok);
    waitUntilAsleep(second);
    world->runUntil([&] { return count<trace::StartedOver>(*client.client) == 1; },
                    "the first to queue up again");
    ASSERT_TRUE(release(holder, {held[0]}));
    granted(secondWaits);
    ASSERT_TRUE(release(holder, {held[1]}));
    granted(waiting);
}

TEST_F(SemaphoreFaults, AHolderWhoseLeaseIsDeletedIsNotified)
{
    SemaphoreClient& holder = add(2);
    const Leases held = acquireNow(holder, 2);
    std::vector<std::string> lost;
    holder.semaphore->onLost([&](const lock::Lease& lease) { lost.push_back(lease.node); });
    deleteLease(held[0].node);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_THAT(lost, ElementsAre(held[0].node));
    EXPECT_THAT(holder.semaphore->held(), SizeIs(1));
    EXPECT_EQ(release(holder, {held[0]}).error().code, ErrorCode::noNode);
    EXPECT_EQ(release(holder, {held[0]}).error().code, ErrorCode::notOwner) << "it is reported once";
    EXPECT_TRUE(release(holder, {held[1]}));
}

TEST_F(SemaphoreFaults, MakesContainersAgainThatTheServerHasRemoved)
{
    SemaphoreClient& client = add(1);
    const Leases first = acquireNow(client);
    ASSERT_TRUE(releaseAll(client));
    waitUntilNoLeaseIsLeft();
    for (const char* container : {"/leases", "/locks", ""})
        ASSERT_EQ(world->remove(world->observer(), path() + container), zk::Code::ok);
    EXPECT_GT(acquireNow(client)[0].token, first[0].token);
}

// ---- giving up ----

// CURATOR-462: an interrupted waiter left its lease behind, and no client ever got it.
TEST_F(SemaphoreFaults, ACancelledWaiterLeavesNoLeaseAndTheNextOneIsServed)
{
    SemaphoreClient& holder = add(1);
    const Leases held = acquireNow(holder);
    const lock::CancelToken cancel;
    const Leasing leaving = waitInside(add(1), 1, cancel);
    SemaphoreClient& next = add(1);
    const Leasing waiting = acquire(next);
    cancel.request();
    EXPECT_EQ(refused(leaving).code, ErrorCode::cancelled);
    waitUntilAsleep(next);
    EXPECT_THAT(leases(), SizeIs(2));
    EXPECT_THAT(acquireMutexNodes(), SizeIs(1));
    ASSERT_TRUE(releaseAll(holder));
    granted(waiting);
}

TEST_F(SemaphoreFaults, CanBeCancelledAtEveryStep)
{
    SemaphoreClient& holder = add(1);
    const Leases held = acquireNow(holder);
    waitUntilNoLeaseIsLeft();
    SemaphoreClient& client = add(1);
    // create, list and decide come twice: in the queue, and before the leases.
    for (const int skipped : {0, 1})
        for (const GateStep step :
             {GateStep::create, GateStep::list, GateStep::decide, GateStep::watch, GateStep::sleep}) {
            if (skipped == 1 && (step == GateStep::watch || step == GateStep::sleep))
                continue;
            client.client->gate->stopAt(step);
            const lock::CancelToken cancel;
            const Leasing waiting = acquire(client, 1, std::nullopt, cancel);
            ASSERT_TRUE(waitUntilStopped(*client.client, step));
            if (skipped == 1) {
                client.client->gate->letPass();
                world->runUntil([&] { return !client.client->gate->isStoppedAt(step); }, "the next step");
                ASSERT_TRUE(waitUntilStopped(*client.client, step));
            }
            cancel.request();
            EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
            EXPECT_THAT(leases(), ElementsAre(held[0].node));
            EXPECT_THAT(acquireMutexNodes(), IsEmpty());
            client.client->gate->openForGood();
        }
    EXPECT_EQ(refused(acquire(client, 1, Duration{})).code, ErrorCode::timedOut) << "as able as before";
}

TEST_F(SemaphoreFaults, DeletesTheLeaseOfACreateThatWasCancelledInFlight)
{
    SemaphoreClient& client = add(1);
    ASSERT_TRUE(release(client, acquireNow(client))); // the parents are there now
    waitUntilNoLeaseIsLeft();
    client.client->gate->stopAt(GateStep::decide);
    const lock::CancelToken cancel;
    const Leasing waiting = acquire(client, 1, std::nullopt, cancel);
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::decide)); // in the queue
    client.client->gate->openForGood();
    client.client->session->freeze(); // the create goes out, and its answer is not heard
    ASSERT_TRUE(world->waitForChildren(path() + "/leases", 1));
    cancel.request();
    world->runReady();
    client.client->session->thaw();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled);
    EXPECT_THAT(leases(), IsEmpty());
    EXPECT_THAT(acquireMutexNodes(), IsEmpty());
}

} // namespace
} // namespace lockscope::tests
