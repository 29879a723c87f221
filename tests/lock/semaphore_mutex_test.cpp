// The mutex that cannot be re-entered, made of a semaphore with one lease.
#include "core/lock/semaphore.h"
#include "tests/lock/any_lock_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SemaphoreMutex : public AnyLockTest
{
protected:
    void TearDown() override
    {
        locks.clear();
        AnyLockTest::TearDown();
    }
    lock::SemaphoreMutex& add(HubSessionPtr session)
    {
        locks.push_back(std::make_unique<lock::SemaphoreMutex>(std::move(session), options));
        return *locks.back();
    }
    lock::SemaphoreMutex& add() { return add(world->connect()); }
    bool canHave(lock::Lock& lock, OwnerId owner) // with a limit that is over soon
    {
        const Acquiring trying = start(lock, owner, std::chrono::milliseconds(50));
        world->runUntil([&] { return trying.arrived(); }, "the try");
        return bool(*trying);
    }
    bool waitForLeases(std::size_t count) { return world->waitForChildren(path() + "/leases", count); }

    std::vector<std::unique_ptr<lock::SemaphoreMutex>> locks;
};

TEST_F(SemaphoreMutex, IsNotReentered)
{
    lock::SemaphoreMutex& mutex = add();
    const Grant grant = acquireNow(mutex);
    EXPECT_EQ(grant.depth, 1);
    EXPECT_FALSE(canHave(mutex, kOne)) << "the owner waits for itself";
    EXPECT_EQ(mutex.depth(kOne), 1);
    ASSERT_TRUE(release(mutex));
    EXPECT_EQ(mutex.depth(kOne), 0);
    EXPECT_GT(acquireNow(mutex).token, grant.token);
}

TEST_F(SemaphoreMutex, ExcludesOtherClients)
{
    lock::SemaphoreMutex& first = add();
    const HubSessionPtr theirs = world->connect();
    lock::SemaphoreMutex& second = add(theirs);
    acquireNow(first);
    const Acquiring waiting = start(second);
    ASSERT_TRUE(waitForLeases(2));
    world->settle(*theirs); // a wrong grant would have come by now
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(release(first));
    granted(waiting);
    EXPECT_FALSE(canHave(first, kOne));
}

// CURATOR-376: two threads of one client were inside together.
TEST_F(SemaphoreMutex, ExcludesTheOwnersOfOneClientFromEachOther)
{
    const HubSessionPtr session = world->connect();
    lock::SemaphoreMutex& mutex = add(session);
    acquireNow(mutex, kOne);
    const Acquiring waiting = start(mutex, kTwo);
    ASSERT_TRUE(waitForLeases(2));
    world->settle(*session);
    EXPECT_FALSE(waiting.arrived());
    EXPECT_EQ(mutex.depth(kTwo), 0);
    ASSERT_TRUE(release(mutex, kOne));
    granted(waiting);
    EXPECT_EQ(mutex.depth(kOne), 0);
    EXPECT_EQ(mutex.depth(kTwo), 1);
}

TEST_F(SemaphoreMutex, AnyOwnerMayReleaseIt)
{
    lock::SemaphoreMutex& mutex = add();
    acquireNow(mutex, kOne);
    ASSERT_TRUE(release(mutex, kTwo));
    EXPECT_EQ(mutex.depth(kOne), 0);
    EXPECT_TRUE(waitForLeases(0));
    EXPECT_EQ(release(mutex, kOne).error().code, ErrorCode::notOwner);
}

// CURATOR-337: a release without an acquire did harm.
TEST_F(SemaphoreMutex, RefusesAReleaseWithoutAnAcquire)
{
    lock::SemaphoreMutex& holder = add();
    acquireNow(holder);
    lock::SemaphoreMutex& mutex = add();
    const Result<void> released = release(mutex, kTwo);
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::notOwner);
    EXPECT_THAT(released.error().message.english(), HasSubstr(path()));
    EXPECT_THAT(released.error().message.english(), HasSubstr("thread 2"));
    EXPECT_FALSE(canHave(mutex, kTwo));
}

TEST_F(SemaphoreMutex, AKilledHolderIsNotifiedAndTheNextOneHasTheLock)
{
    const HubSessionPtr session = world->connect();
    lock::SemaphoreMutex& holder = add(session);
    acquireNow(holder);
    std::vector<OwnerId> lost;
    holder.onLost([&](OwnerId owner) {
        lost.push_back(owner);
        EXPECT_EQ(holder.depth(owner), 0) << "the hold is gone when the listener runs";
    });
    lock::SemaphoreMutex& next = add();
    const Acquiring waiting = start(next);
    ASSERT_TRUE(waitForLeases(2));
    ASSERT_TRUE(world->kill(*session));
    granted(waiting);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_THAT(lost, ElementsAre(kOne));
    EXPECT_EQ(release(holder).error().code, ErrorCode::sessionLost);
    EXPECT_EQ(release(holder).error().code, ErrorCode::notOwner) << "it is reported once";
}

// Interleaving: the holder's node is deleted, the next owner is granted, and only then the holder hears of
// it.
TEST_F(SemaphoreMutex, WhoHasLostItDoesNotReleaseTheNextOwnersHold)
{
    options.watchHoldAfter = std::chrono::hours(1); // it never hears of it
    lock::SemaphoreMutex& mutex = add();
    const Grant first = acquireNow(mutex, kOne);
    const Acquiring waiting = start(mutex, kTwo);
    ASSERT_TRUE(waitForLeases(2));
    ASSERT_EQ(world->remove(world->observer(), path() + "/leases/" + first.node), zk::Code::ok);
    const Grant second = granted(waiting);
    EXPECT_TRUE(release(mutex, kOne)) << "its node is gone, as it wants";
    EXPECT_EQ(mutex.depth(kTwo), 1);
    EXPECT_THAT(world->children(path() + "/leases"), ElementsAre(second.node));
}

TEST_F(SemaphoreMutex, GoesOnAfterTheServerWasAway)
{
    lock::SemaphoreMutex& holder = add();
    lock::SemaphoreMutex& next = add();
    acquireNow(holder);
    const Acquiring waiting = start(next);
    ASSERT_TRUE(waitForLeases(2));
    ASSERT_TRUE(server().restart());
    ASSERT_TRUE(release(holder));
    granted(waiting);
}

TEST_F(SemaphoreMutex, IsReleasedWhenItGoes)
{
    acquireNow(add());
    const Acquiring waiting = start(add());
    ASSERT_TRUE(waitForLeases(2));
    locks.front().reset();
    granted(waiting);
}

} // namespace
} // namespace lockscope::tests
