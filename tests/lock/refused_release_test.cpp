// A release that the server refuses for good leaves the lock held: no other client gets it, and its owner can
// still release it, or goes on with it. Every recipe.
#include "core/lock/metrics.h"
#include "core/lock/semaphore.h"
#include "core/lock/with_lock.h"
#include "core/sim/teaching/herd_mutex.h"
#include "tests/lock/multi_lock_test.h"
#include "tests/lock/read_write_test.h"
#include "tests/lock/semaphore_test.h"
#include "tests/support/restricted_node.h"

#include <chrono>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint32_t kNoDelete = createRight | readRight | adminRight;

class RefusedRelease : public AnyLockTest
{
protected:
    void narrow() { ASSERT_TRUE(makeRestrictedNode(server().address(), path(), kNoDelete)); }
    void permit() { ASSERT_TRUE(setRights(server().address(), path(), allRights)); }
    // The release is refused, and the lock is held afterwards.
    void refuse(lock::Lock& lock, OwnerId owner = kOne)
    {
        const Result<void> released = release(lock, owner);
        ASSERT_FALSE(released);
        EXPECT_EQ(released.error().code, ErrorCode::noAuth);
        EXPECT_THAT(released.error().message.english(), HasSubstr(path()));
        EXPECT_EQ(lock.depth(owner), 1);
        EXPECT_THAT(queue(), SizeIs(1));
    }
    // For every lock whose nodes are the path's children.
    void goesThrough(lock::Lock& lock)
    {
        const Grant first = acquireNow(lock);
        refuse(lock);
        refuse(lock); // it tries again
        const Grant again = granted(start(lock, kOne, seconds(20)));
        EXPECT_EQ(again.node, first.node) << "it goes on with what it holds";
        EXPECT_EQ(again.depth, 1);
        EXPECT_EQ(acquireNow(lock).depth, 2);
        EXPECT_TRUE(release(lock)) << "one level, without the server";
        refuse(lock);
        permit();
        EXPECT_TRUE(release(lock));
        EXPECT_EQ(lock.depth(kOne), 0);
        EXPECT_THAT(queue(), IsEmpty());
        EXPECT_EQ(release(lock).error().code, ErrorCode::notOwner);
        EXPECT_NE(acquireNow(lock).node, first.node);
        EXPECT_TRUE(release(lock));
    }
};

TEST_F(RefusedRelease, OfAMutex)
{
    narrow();
    goesThrough(*addClient().mutex);
}

TEST_F(RefusedRelease, OfTheSidesOfAReadWriteLock)
{
    narrow();
    lock::ReadWriteLock both(world->connect(), options);
    goesThrough(both.writeLock());
    ASSERT_TRUE(setRights(server().address(), path(), kNoDelete));
    goesThrough(both.readLock());
}

TEST_F(RefusedRelease, OfAHerdMutex)
{
    narrow();
    lock::HerdMutex mutex(world->connect(), options);
    const Grant first = acquireNow(mutex);
    refuse(mutex);
    refuse(mutex);
    EXPECT_EQ(granted(start(mutex, kOne, seconds(20))).depth, 1);
    EXPECT_EQ(acquireNow(mutex).depth, 2);
    EXPECT_TRUE(release(mutex));
    refuse(mutex);
    permit();
    EXPECT_TRUE(release(mutex));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(RefusedRelease, OfASemaphoreMutex)
{
    world->create(world->observer(), path());
    const std::string leases = path() + "/leases";
    ASSERT_TRUE(makeRestrictedNode(server().address(), leases, kNoDelete));
    lock::SemaphoreMutex mutex(world->connect(), options);
    const Grant first = acquireNow(mutex);
    EXPECT_EQ(release(mutex).error().code, ErrorCode::noAuth);
    EXPECT_EQ(mutex.depth(kOne), 1);
    EXPECT_EQ(release(mutex).error().code, ErrorCode::noAuth);
    EXPECT_EQ(granted(start(mutex, kOne, seconds(20))).node, first.node);
    EXPECT_EQ(refused(start(mutex, kTwo, milliseconds(50))).code, ErrorCode::noAuth)
        << "the lease that it wanted stays, too";
    ASSERT_TRUE(setRights(server().address(), leases, allRights));
    EXPECT_TRUE(release(mutex));
    EXPECT_EQ(mutex.depth(kOne), 0);
    EXPECT_EQ(release(mutex).error().code, ErrorCode::notOwner);
}

TEST_F(RefusedRelease, OfAHoldThatIsLostLater)
{
    narrow();
    LockClient& client = addClient();
    std::vector<OwnerId> lost;
    client.mutex->onLost([&](OwnerId owner) { lost.push_back(owner); });
    acquireNow(*client.mutex);
    refuse(*client.mutex);
    permit();
    deleteNodeOf(client);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_THAT(lost, ElementsAre(kOne));
    EXPECT_EQ(client.mutex->depth(kOne), 0);
    EXPECT_EQ(release(*client.mutex).error().code, ErrorCode::noNode);
}

// The server looks at the rights before it looks for the node.
TEST_F(RefusedRelease, OfANodeThatIsGoneIsALoss)
{
    makePath();
    options.watchHoldAfter = std::chrono::hours(1);
    LockClient& client = addClient();
    int lost = 0;
    client.mutex->onLost([&](OwnerId) { ++lost; });
    acquireNow(*client.mutex);
    deleteNodeOf(client);
    ASSERT_TRUE(setRights(server().address(), path(), kNoDelete));
    EXPECT_EQ(release(*client.mutex).error().code, ErrorCode::noAuth);
    world->runUntil([&] { return lost > 0; }, "the loss");
    EXPECT_EQ(client.mutex->depth(kOne), 0);
}

// Its create would go out behind the delete, and it would wait for its own old node.
TEST_F(RefusedRelease, IsWaitedForByTheNextAcquireOfItsOwner)
{
    narrow();
    LockClient& client = addClient();
    const Grant first = acquireNow(*client.mutex);
    client.session->freeze();
    const auto releasing = startRelease(client, kOne);
    const Acquiring acquiring = start(*client.mutex, kOne, seconds(20));
    EXPECT_EQ(client.mutex->depth(kOne), 0) << "it may be gone already";
    client.session->thaw();
    EXPECT_EQ(granted(acquiring).node, first.node);
    EXPECT_EQ(releasing->error().code, ErrorCode::noAuth);
    EXPECT_EQ(client.mutex->depth(kOne), 1);
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_F(RefusedRelease, IsNotWaitedForByOthers)
{
    makePath();
    LockClient& client = addClient();
    acquireNow(*client.mutex);
    client.session->freeze();
    const auto releasing = startRelease(client, kOne);
    const Acquiring again = start(*client.mutex, kOne);
    const lock::CancelToken cancel;
    const Acquiring cancelled = start(*client.mutex, kOne, std::nullopt, cancel);
    const Acquiring other = start(*client.mutex, kTwo);
    cancel.request();
    EXPECT_EQ(refused(cancelled).code, ErrorCode::cancelled);
    EXPECT_FALSE(again.arrived());
    client.session->thaw();
    granted(other);
    EXPECT_TRUE(*releasing);
    EXPECT_FALSE(again.arrived()) << "it has queued up behind";
    ASSERT_TRUE(release(*client.mutex, kTwo));
    EXPECT_EQ(granted(again).depth, 1);
}

TEST_F(RefusedRelease, EndsAnAcquireThatWaitsForItWithItsLock)
{
    makePath();
    LockClient& client = addClient();
    acquireNow(*client.mutex);
    client.session->freeze();
    const auto releasing = startRelease(client, kOne);
    const Acquiring again = start(*client.mutex, kOne);
    client.mutex.reset();
    EXPECT_EQ(refused(again).code, ErrorCode::closed);
    client.session->thaw();
    world->runUntil([&] { return releasing.arrived(); }, "the release");
    EXPECT_TRUE(*releasing);
}

TEST_F(RefusedRelease, IsTheResultOfAScopedExecution)
{
    narrow();
    lock::Mutex& mutex = *addClient().mutex;
    for (int i = 0; i < 2; ++i) {
        auto work = [] { return 1; };
        const auto done = world->start(lock::withLock(mutex, kOne, {seconds(20)}, work));
        world->runUntil([&] { return done.arrived(); }, "the work to end");
        ASSERT_FALSE(*done);
        EXPECT_EQ(done->error().code, ErrorCode::noAuth) << i;
        EXPECT_EQ(mutex.depth(kOne), 1);
    }
}

// ---- an acquire that gives up ----

// Its node stays in the queue, and its owner's next acquire would wait behind it.
TEST_F(RefusedRelease, OfAWaitersNodeIsItsError)
{
    narrow();
    LockClient& holder = addClient();
    acquireNow(*holder.mutex);
    LockClient& client = addClient();
    for (const std::optional<Duration> limit : {Duration{}, Duration{milliseconds(50)}}) {
        const Error error = refused(start(*client.mutex, kOne, limit));
        EXPECT_EQ(error.code, ErrorCode::noAuth);
        EXPECT_THAT(error.message.english(), HasSubstr("not free in time")) << "what came first";
        EXPECT_THAT(error.message.english(), HasSubstr(nodeOf(client))) << "what stays";
    }
    EXPECT_THAT(queue(), SizeIs(3));
}

// ---- leases ----

TEST_F(Semaphore, ALeaseWhoseReleaseIsRefusedIsStillOut)
{
    world->create(world->observer(), path());
    ASSERT_TRUE(makeRestrictedNode(server().address(), path() + "/leases", kNoDelete));
    SemaphoreClient& client = add(2);
    const Leases held = acquireNow(client, 2);
    EXPECT_EQ(release(client, held).error().code, ErrorCode::noAuth);
    EXPECT_THAT(client.semaphore->held(), SizeIs(2));
    ASSERT_TRUE(setRights(server().address(), path() + "/leases", allRights));
    EXPECT_TRUE(release(client, held));
    EXPECT_THAT(client.semaphore->held(), IsEmpty());
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(Semaphore, AHoldLastsFromItsGrantThoughItsReleaseWasRefused)
{
    world->create(world->observer(), path());
    ASSERT_TRUE(makeRestrictedNode(server().address(), path() + "/leases", kNoDelete));
    const auto metrics = std::make_shared<lock::Metrics>();
    lock::SemaphoreOptions own;
    own.lock = options;
    own.lock.observer = metrics;
    lock::Semaphore semaphore(world->connect(), own);
    const Leases held = granted(world->start(semaphore.acquire(OwnerId{0})));
    const auto since = std::chrono::steady_clock::now();
    const auto releases = [&] {
        const auto releasing = world->start(semaphore.release(held));
        return world->runUntil([&] { return releasing.arrived(); }, "the release to end") && *releasing;
    };
    EXPECT_FALSE(releases());
    ASSERT_TRUE(setRights(server().address(), path() + "/leases", allRights));
    const auto atLeast = std::chrono::steady_clock::now() - since; // with two round trips and more
    EXPECT_TRUE(releases());
    EXPECT_EQ(metrics->snapshot().released, 1U);
    EXPECT_GE(metrics->snapshot().hold.sum, atLeast);
}

// ---- several locks as one ----

class RefusedPart : public MultiLock
{
protected:
    void narrow(const std::string& name)
    {
        ASSERT_TRUE(makeRestrictedNode(server().address(), path() + "/" + name, kNoDelete));
    }
    void permit(const std::string& name)
    {
        ASSERT_TRUE(setRights(server().address(), path() + "/" + name, allRights));
    }
};

TEST_F(RefusedPart, IsReleasedByTheNextRelease)
{
    world->create(world->observer(), path());
    narrow("b");
    lock::MultiLock& multi = add();
    acquireNow(multi);
    EXPECT_EQ(release(multi).error().code, ErrorCode::noAuth);
    EXPECT_EQ(multi.depth(kOne), 0) << "others may have the other parts";
    EXPECT_THAT(in("a"), IsEmpty());
    EXPECT_THAT(in("c"), IsEmpty());
    EXPECT_EQ(release(multi).error().code, ErrorCode::noAuth);
    permit("b");
    EXPECT_TRUE(release(multi));
    EXPECT_THAT(in("b"), IsEmpty());
    EXPECT_EQ(release(multi).error().code, ErrorCode::notOwner);
}

TEST_F(RefusedPart, IsGoneOnWithByTheNextAcquire)
{
    world->create(world->observer(), path());
    narrow("b");
    lock::MultiLock& multi = add();
    acquireNow(multi);
    acquireNow(multi);
    ASSERT_TRUE(release(multi));
    EXPECT_EQ(release(multi).error().code, ErrorCode::noAuth);
    const Acquiring again = start(multi, kOne, seconds(20));
    EXPECT_EQ(granted(again).depth, 1);
    EXPECT_EQ(multi.depth(kOne), 1);
    for (const char* name : {"a", "b", "c"})
        EXPECT_THAT(in(name), SizeIs(1)) << name;
    permit("b");
    EXPECT_TRUE(release(multi)) << "as often as it was acquired";
    for (const char* name : {"a", "b", "c"})
        EXPECT_THAT(in(name), IsEmpty()) << name;
}

TEST_F(RefusedPart, KeepsTheWholeLockHeldWhenAllAreRefused)
{
    world->create(world->observer(), path());
    for (const char* name : {"a", "b"})
        narrow(name);
    lock::MultiLock& multi = add({"a", "b"});
    acquireNow(multi);
    EXPECT_EQ(release(multi).error().code, ErrorCode::noAuth);
    EXPECT_EQ(multi.depth(kOne), 1);
    std::vector<OwnerId> lost;
    multi.onLost([&](OwnerId owner) { lost.push_back(owner); });
    permit("b");
    world->remove(world->observer(), path() + "/b/" + in("b")[0]);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_EQ(multi.depth(kOne), 0);
    EXPECT_EQ(release(multi).error().code, ErrorCode::noAuth) << "of the part that is left";
    permit("a");
    EXPECT_TRUE(release(multi));
    EXPECT_THAT(in("a"), IsEmpty());
}

TEST_F(RefusedPart, OfAnAcquireThatFailsIsItsError)
{
    world->create(world->observer(), path());
    narrow("b");
    const auto c = mutexIn(world->connect(), "c");
    acquireNow(*c);
    lock::MultiLock& multi = add();
    const Error error = refused(start(multi, kOne, milliseconds(1500)));
    EXPECT_EQ(error.code, ErrorCode::noAuth);
    EXPECT_THAT(error.message.english(), HasSubstr(path() + "/c")) << "why it gave up";
    EXPECT_THAT(error.message.english(), HasSubstr(path() + "/b")) << "what stays";
    EXPECT_THAT(in("a"), IsEmpty());
    ASSERT_TRUE(release(*c));
    EXPECT_EQ(granted(start(multi, kOne, seconds(20))).depth, 1) << "it does not wait for its own node";
}

} // namespace
} // namespace lockscope::tests
