// The semaphore as its users see it while nothing breaks.
#include "tests/lock/semaphore_test.h"

#include "tests/support/restricted_node.h"

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

// What a Curator client on the same path reads.
TEST_F(Semaphore, WritesWhatCuratorWrites)
{
    SemaphoreClient& first = add(1);
    const Leases held = acquireNow(first);
    const std::string uuid = "_c_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-";
    ASSERT_THAT(held, SizeIs(1));
    EXPECT_THAT(leases(), ElementsAre(held[0].node));
    EXPECT_THAT(held[0].node, MatchesRegex(uuid + "lease-[0-9]{10}"));
    const zk::Data lease = world->get(world->observer(), path() + "/leases/" + held[0].node);
    EXPECT_EQ(lease.bytes, lock::defaultNodeData());
    EXPECT_EQ(lease.stat.ephemeralOwner, first.client->session->id());
    EXPECT_EQ(lease.stat.czxid, held[0].token);

    const Leasing waiting = waitInside(add(1));
    ASSERT_THAT(acquireMutexNodes(), SizeIs(1));
    EXPECT_THAT(acquireMutexNodes()[0], MatchesRegex(uuid + "lock-[0-9]{10}"));
    ASSERT_TRUE(releaseAll(first));
    granted(waiting);
}

TEST_F(Semaphore, MakesMissingParentsAsContainers)
{
    options.path = path() + "/deep";
    SemaphoreClient& client = addOverRelay(1);
    acquireNow(client);
    // "/<test>", "/<test>/deep", ".../locks", and the same with "leases".
    EXPECT_EQ(relay->requests(LossyRelay::Op::createContainer), 6);
}

TEST_F(Semaphore, TimesOutWhenAllLeasesAreOut)
{
    const Leases held = acquireNow(add(1));
    SemaphoreClient& client = add(1);
    const Error error = refused(acquire(client, 1, milliseconds(50)));
    EXPECT_EQ(error.code, ErrorCode::timedOut);
    EXPECT_THAT(error.message.english(), HasSubstr(path()));
    EXPECT_THAT(leases(), ElementsAre(held[0].node));
    EXPECT_THAT(acquireMutexNodes(), IsEmpty());
}

TEST_F(Semaphore, TheFourthOfThreeWaitsUntilOneIsBack)
{
    SemaphoreClient& client = add(3);
    std::vector<Leases> held;
    for (int i = 0; i < 3; ++i)
        held.push_back(acquireNow(client));
    EXPECT_EQ(refused(acquire(client, 1, milliseconds(50))).code, ErrorCode::timedOut);
    ASSERT_TRUE(release(client, held[1]));
    const Leases fourth = granted(acquire(client, 1, milliseconds(5000)));
    EXPECT_THAT(leases(), SizeIs(3));
    EXPECT_GT(fourth[0].token, held[2][0].token);
}

TEST_F(Semaphore, AClosedClientGivesItsLeaseBack)
{
    SemaphoreClient& first = add(1);
    acquireNow(first);
    const Leasing waiting = waitInside(add(1));
    first.client->session->close();
    granted(waiting);
    EXPECT_THAT(leases(), SizeIs(1));
}

TEST_F(Semaphore, CountsAllLeasesThatAreOut)
{
    std::size_t out = 0;
    SemaphoreClient& client = add(10);
    for (std::uint32_t i = 1; i <= 4; ++i) {
        acquireNow(client, i);
        out += i;
        const auto listed = world->start(client.semaphore->participants());
        world->runUntil([&] { return listed.arrived(); }, "the list");
        EXPECT_THAT(listed->value(), SizeIs(out));
    }
    EXPECT_THAT(client.semaphore->held(), SizeIs(10));
}

TEST_F(Semaphore, ServesInTheOrderOfArrival)
{
    SemaphoreClient& holder = add(1);
    acquireNow(holder);
    waitUntilNoLeaseIsLeft();
    std::vector<SemaphoreClient*> clients;
    std::vector<Leasing> waiting;
    for (std::size_t i = 0; i < 4; ++i) {
        clients.push_back(&add(1));
        waiting.push_back(acquire(*clients.back()));
        world->waitForChildren(path() + "/locks", i + 1);
    }
    ASSERT_TRUE(releaseAll(holder));
    for (std::size_t i = 0; i < 4; ++i) {
        granted(waiting[i]);
        EXPECT_EQ(
            std::count_if(waiting.begin(), waiting.end(), [](const auto& one) { return one.arrived(); }),
            static_cast<std::ptrdiff_t>(i) + 1);
        ASSERT_TRUE(releaseAll(*clients[i]));
    }
}

TEST_F(Semaphore, AWaiterLeavesNoWatchBehind)
{
    options.watchHoldAfter = std::chrono::hours(1); // no watches but those of who waits
    SemaphoreClient& holder = add(1);
    acquireNow(holder);
    EXPECT_EQ(allWatches(), 0U);
    const Leasing waiting = waitInside(add(1));
    EXPECT_EQ(allWatches(), 1U) << "on the leases";
    ASSERT_TRUE(releaseAll(holder));
    granted(waiting);
    EXPECT_EQ(allWatches(), 0U);
}

// ---- one look ----

TEST_F(Semaphore, LooksOnceWithAZeroLimit)
{
    options.watchHoldAfter = std::chrono::hours(1); // no watches but those of who waits
    SemaphoreClient& first = add(2);
    const Leases one = acquireNow(first);
    SemaphoreClient& second = add(2);
    waitUntilNoLeaseIsLeft();
    granted(acquire(second, 1, Duration{}));
    SemaphoreClient& third = add(2);
    waitUntilNoLeaseIsLeft();
    EXPECT_EQ(refused(acquire(third, 1, Duration{})).code, ErrorCode::timedOut);
    EXPECT_THAT(leases(), SizeIs(2));
    EXPECT_THAT(acquireMutexNodes(), IsEmpty());
    EXPECT_EQ(allWatches(), 0U) << "it does not watch";
    ASSERT_TRUE(release(first, one));
    granted(acquire(third, 1, Duration{}));
    EXPECT_THAT(leases(), SizeIs(2));
}

// kazoo 213: those who did not wait looked without the lock, and had more than there were.
TEST_F(Semaphore, TwentyThatTryAtOnceNeverHaveMoreThanTheMost)
{
    std::vector<Leasing> tries;
    for (int i = 0; i < 20; ++i)
        tries.push_back(acquire(add(3), 1, Duration{}));
    int had = 0;
    for (const Leasing& leasing : tries) {
        world->runUntil([&] { return leasing.arrived(); }, "the try to end");
        had += *leasing ? 1 : 0;
    }
    EXPECT_GE(had, 1);
    EXPECT_LE(had, 3);
    EXPECT_THAT(leases(), SizeIs(had));
}

TEST_F(Semaphore, NeedsTwoRoundTripsWhenItIsFree)
{
    options.watchHoldAfter = std::chrono::hours(1);
    SemaphoreClient& client = add(1);
    ASSERT_TRUE(release(client, acquireNow(client))); // the parents are there now
    waitUntilNoLeaseIsLeft();
    const int creates = requests(*client.client, Operation::create);
    const int lists = requests(*client.client, Operation::getChildren);
    acquireNow(client);
    EXPECT_EQ(requests(*client.client, Operation::create), creates + 2) << "in the queue, and the lease";
    EXPECT_EQ(requests(*client.client, Operation::getChildren), lists + 2)
        << "each goes out together with a create";
    EXPECT_EQ(requests(*client.client, Operation::getData), 0);
    EXPECT_EQ(allWatches(), 0U);
}

// ---- several leases at once ----

TEST_F(Semaphore, GivesSeveralLeasesAllOrNone)
{
    SemaphoreClient& holder = add(4);
    const Leases two = acquireNow(holder, 2);
    SemaphoreClient& client = add(4);
    EXPECT_EQ(refused(acquire(client, 3, milliseconds(50))).code, ErrorCode::timedOut);
    EXPECT_THAT(leases(), SizeIs(2));
    EXPECT_THAT(client.semaphore->held(), IsEmpty());
    const Leasing waiting = waitInside(client, 3);
    ASSERT_TRUE(release(holder, {two[0]}));
    EXPECT_THAT(granted(waiting), SizeIs(3));
    EXPECT_THAT(leases(), SizeIs(4));
    ASSERT_TRUE(releaseAll(client));
    EXPECT_THAT(leases(), ElementsAre(two[1].node));
}

// One after the other each would have one lease and wait for the other's.
TEST_F(Semaphore, TwoThatWantAllLeasesDoNotWaitForEachOther)
{
    SemaphoreClient& holder = add(2);
    acquireNow(holder);
    SemaphoreClient& first = add(2);
    SemaphoreClient& second = add(2);
    const Leasing a = waitInside(first, 2);
    const Leasing b = acquire(second, 2);
    ASSERT_TRUE(world->waitForChildren(path() + "/locks", 2));
    ASSERT_TRUE(releaseAll(holder));
    EXPECT_THAT(granted(a), SizeIs(2));
    EXPECT_FALSE(b.arrived());
    ASSERT_TRUE(releaseAll(first));
    EXPECT_THAT(granted(b), SizeIs(2));
}

TEST_F(Semaphore, RefusesToGiveNoLease)
{
    EXPECT_EQ(refused(acquire(add(1), 0)).code, ErrorCode::badUsage);
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(Semaphore, LeavesNothingWhenItGoesWhileWaiting)
{
    const Leases held = acquireNow(add(1));
    SemaphoreClient& inside = add(1);
    const Leasing a = waitInside(inside);
    SemaphoreClient& outside = add(1);
    const Leasing b = acquire(outside);
    world->waitForChildren(path() + "/locks", 2);
    outside.semaphore.reset();
    EXPECT_EQ(refused(b).code, ErrorCode::closed);
    inside.semaphore.reset();
    EXPECT_EQ(refused(a).code, ErrorCode::closed);
    EXPECT_THAT(leases(), ElementsAre(held[0].node));
    EXPECT_TRUE(waitUntilNoLeaseIsLeft());
}

// ---- what cannot work says why, and leaves nothing ----

TEST_F(Semaphore, LeavesNoLeaseWhenItMayNotListThem)
{
    world->create(world->observer(), path());
    ASSERT_TRUE(makeRestrictedNode(server().address(), path() + "/leases", createRight | deleteRight));
    SemaphoreClient& client = add(1);
    const Error error = refused(acquire(client));
    EXPECT_EQ(error.code, ErrorCode::noAuth);
    EXPECT_THAT(error.message.english(), HasSubstr(path() + "/leases"));
    EXPECT_THAT(acquireMutexNodes(), IsEmpty());
    EXPECT_EQ(requests(*client.client, Operation::remove), 2) << "its lease, and its place in the queue";
}

} // namespace
} // namespace lockscope::tests
