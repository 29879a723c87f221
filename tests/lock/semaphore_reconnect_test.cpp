// The semaphore when replies are lost, connections break and sessions end.
#include "tests/lock/semaphore_test.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// ---- lost replies and connections ----

// CURATOR-315, CURATOR-595: a lease whose maker does not know of it is never given back.
TEST_F(SemaphoreFaults, FindsItsLeaseWhenTheReplyToTheCreateIsLost)
{
    acquireNow(add(3)); // the parents are there now
    SemaphoreClient& client = addOverRelay(3);
    client.client->gate->stopAt(GateStep::decide);
    const Leasing waiting = acquire(client);
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::decide)); // in the queue
    relay->loseReplyTo(LossyRelay::Op::create);
    client.client->gate->openForGood();
    const Leases leased = granted(waiting);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(leases(), SizeIs(2));
    EXPECT_EQ(leased[0].token,
              world->get(world->observer(), path() + "/leases/" + leased[0].node).stat.czxid);
    ASSERT_TRUE(releaseAll(client));
    EXPECT_THAT(leases(), SizeIs(1));
}

TEST_F(SemaphoreFaults, ListsAgainWhenTheReplyToTheListIsLost)
{
    SemaphoreClient& client = addOverRelay(1);
    ASSERT_TRUE(release(client, acquireNow(client)));
    waitUntilNoLeaseIsLeft();
    client.client->gate->stopAt(GateStep::decide);
    const Leasing waiting = acquire(client);
    ASSERT_TRUE(waitUntilStopped(*client.client, GateStep::decide)); // in the queue
    relay->loseReplyTo(LossyRelay::Op::list);
    client.client->gate->openForGood();
    granted(waiting);
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(leases(), SizeIs(1));
}

TEST_F(SemaphoreFaults, DeletesTheLeaseLaterWhenItGaveUpWithoutAConnection)
{
    const Leases held = acquireNow(add(1));
    SemaphoreClient& client = addOverRelay(1);
    const lock::CancelToken cancel;
    const Leasing waiting = waitInside(client, 1, cancel);
    relay->cut();
    ASSERT_TRUE(world->waitFor(*client.client->session, zk::SessionPhase::suspended));
    cancel.request();
    EXPECT_EQ(refused(waiting).code, ErrorCode::cancelled) << "the caller does not wait for the link";
    EXPECT_THAT(leases(), SizeIs(2));
    relay->heal();
    EXPECT_TRUE(world->waitForChildren(path() + "/leases", 1));
    EXPECT_TRUE(waitUntilNoLeaseIsLeft());
}

TEST_F(SemaphoreFaults, TheLimitHoldsWithoutAConnection)
{
    acquireNow(add(1));
    SemaphoreClient& client = addOverRelay(1);
    const Leasing waiting = acquire(client, 1, milliseconds(500));
    waitUntilAsleep(client);
    relay->cut();
    EXPECT_EQ(refused(waiting).code, ErrorCode::timedOut);
    relay->heal();
    EXPECT_TRUE(world->waitForChildren(path() + "/leases", 1));
}

// kazoo PR 170: a waiter that misses the change while it is away would sleep for ever.
TEST_F(SemaphoreFaults, AWaiterLooksAgainAfterEveryReconnect)
{
    SemaphoreClient& holder = add(1);
    acquireNow(holder);
    SemaphoreClient& client = addOverRelay(1);
    const Leasing waiting = waitInside(client);
    const int lists = requests(*client.client, Operation::getChildren);
    const auto beAway = [&] {
        relay->cut();
        ASSERT_TRUE(world->waitFor(*client.client->session, zk::SessionPhase::suspended));
    };
    beAway();
    relay->heal();
    world->runUntil([&] { return requests(*client.client, Operation::getChildren) > lists; }, "another look");
    waitUntilAsleep(client);
    EXPECT_FALSE(waiting.arrived());
    beAway();
    ASSERT_TRUE(releaseAll(holder));
    relay->heal();
    granted(waiting);
}

// CURATOR-335: the server goes after the lease was made and before it was listed.
TEST_F(SemaphoreFaults, AcquiresAgainAfterTheServerWasAway)
{
    std::vector<SemaphoreClient*> clients;
    std::vector<Leasing> waiting;
    for (int i = 0; i < 5; ++i) {
        clients.push_back(&add(1));
        clients.back()->client->gate->stopAt(GateStep::list);
        waiting.push_back(acquire(*clients.back()));
        ASSERT_TRUE(waitUntilStopped(*clients.back()->client, GateStep::list)); // of the queue
    }
    clients[0]->client->gate->letPass();
    ASSERT_TRUE(waitUntilStopped(*clients[0]->client, GateStep::list)); // of the leases
    ASSERT_TRUE(server().killNow());
    for (SemaphoreClient* one : clients)
        ASSERT_TRUE(world->waitFor(*one->client->session, zk::SessionPhase::suspended));
    for (SemaphoreClient* one : clients)
        one->client->gate->openForGood();
    world->runReady();
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(world->waitFor(world->observer(), zk::SessionPhase::connected));
    for (std::size_t i = 0; i < clients.size(); ++i) {
        granted(waiting[i]);
        ASSERT_TRUE(releaseAll(*clients[i]));
    }
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(SemaphoreFaults, AReleaseWhoseReplyIsLostIsARelease)
{
    SemaphoreClient& client = addOverRelay(1);
    const Leases held = acquireNow(client);
    waitUntilNoLeaseIsLeft();
    relay->loseReplyTo(LossyRelay::Op::remove);
    EXPECT_TRUE(release(client, held));
    EXPECT_EQ(relay->losses(), 1);
    EXPECT_THAT(leases(), IsEmpty());
}

// ---- sessions end ----

TEST_F(SemaphoreFaults, AKilledHolderIsNotifiedAndTheNextOneIsServed)
{
    SemaphoreClient& holder = add(2);
    const Leases held = acquireNow(holder, 2);
    std::vector<std::string> lost;
    holder.semaphore->onLost([&](const lock::Lease& lease) { lost.push_back(lease.node); });
    const Leasing waiting = waitInside(add(2), 2);
    ASSERT_TRUE(world->kill(*holder.client->session));
    granted(waiting);
    world->runUntil([&] { return lost.size() == 2; }, "both to be notified");
    EXPECT_THAT(holder.semaphore->held(), IsEmpty());
    EXPECT_EQ(release(holder, {held[0]}).error().code, ErrorCode::sessionLost);
}

TEST_F(SemaphoreFaults, AKilledWaiterIsNotifiedAndTheNextOneIsServed)
{
    SemaphoreClient& holder = add(1);
    acquireNow(holder);
    SemaphoreClient& victim = add(1);
    const Leasing victimWaits = waitInside(victim);
    SemaphoreClient& next = add(1);
    const Leasing waiting = acquire(next);
    ASSERT_TRUE(world->kill(*victim.client->session));
    EXPECT_EQ(refused(victimWaits).code, ErrorCode::sessionLost);
    waitUntilAsleep(next);
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(releaseAll(holder));
    granted(waiting);
    EXPECT_EQ(refused(acquire(victim)).code, ErrorCode::sessionLost);
}

} // namespace
} // namespace lockscope::tests
