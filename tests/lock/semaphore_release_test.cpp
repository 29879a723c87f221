// How leases are given back: by their holder, by the semaphore that goes, and what cannot be.
#include "tests/lock/semaphore_test.h"

#include "tests/support/restricted_node.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(Semaphore, CanBeHadAgainAndAgain)
{
    SemaphoreClient& client = add(1);
    Zxid last = Zxid{0};
    for (int i = 0; i < 5; ++i) {
        const Leases held = acquireNow(client);
        EXPECT_GT(held[0].token, last) << "a fencing token grows with every grant";
        last = held[0].token.value();
        ASSERT_TRUE(release(client, held));
    }
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(Semaphore, RefusesToReleaseWhatIsNotOut)
{
    SemaphoreClient& client = add(2);
    const Leases held = acquireNow(client);
    SemaphoreClient& other = add(2);
    EXPECT_EQ(release(other, held).error().code, ErrorCode::notOwner);
    EXPECT_THAT(leases(), SizeIs(1));
    ASSERT_TRUE(release(client, held));
    const Result<void> again = release(client, held);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::notOwner);
    EXPECT_THAT(again.error().message.english(), HasSubstr(held[0].node));
    EXPECT_THAT(again.error().message.english(), HasSubstr(path()));
}

TEST_F(Semaphore, OfTwoReleasesOfOneLeaseAtOnceOneIsWrong)
{
    SemaphoreClient& client = add(2);
    const Leases held = acquireNow(client, 2);
    const auto first = world->start(client.semaphore->release(held));
    const auto second = world->start(client.semaphore->release(held[1]));
    world->runUntil([&] { return first.arrived() && second.arrived(); }, "both releases");
    EXPECT_TRUE(*first);
    EXPECT_EQ(second->error().code, ErrorCode::notOwner);
    EXPECT_THAT(leases(), IsEmpty());
    const Leases again = acquireNow(client);
    EXPECT_EQ(release(client, {again[0], again[0]}).error().code, ErrorCode::notOwner);
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(Semaphore, ReleasesTheOthersWhenOneCannotBe)
{
    SemaphoreClient& client = add(3);
    Leases held = acquireNow(client, 3);
    held.insert(held.begin() + 1, lock::Lease{"never-out"});
    EXPECT_EQ(release(client, held).error().code, ErrorCode::notOwner);
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(Semaphore, ReturnsItsLeasesWhenItGoes)
{
    SemaphoreClient& holder = add(2);
    acquireNow(holder, 2);
    const Leasing waiting = waitInside(add(2), 2);
    holder.semaphore.reset();
    granted(waiting);
    EXPECT_THAT(leases(), SizeIs(2));
}

TEST_F(Semaphore, SaysThatItMayNotDeleteALease)
{
    world->create(world->observer(), path());
    ASSERT_TRUE(makeRestrictedNode(server().address(), path() + "/leases", createRight | readRight));
    SemaphoreClient& client = add(1);
    const Leases held = acquireNow(client);
    EXPECT_EQ(release(client, held).error().code, ErrorCode::noAuth);
    EXPECT_THAT(leases(), SizeIs(1));
}

} // namespace
} // namespace lockscope::tests
