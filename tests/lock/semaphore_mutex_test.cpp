// The mutex that cannot be re-entered, made of a semaphore with one lease; and the scoped execution under a
// lock.
#include "core/lock/semaphore_mutex.h"
#include "core/lock/with_lock.h"
#include "tests/lock/lock_test.h"

#include <stdexcept>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr OwnerId kOne{1};
constexpr OwnerId kTwo{2};

class AnyLockTest : public LockTest
{
protected:
    Acquiring start(lock::Lock& lock, OwnerId owner = kOne, std::optional<Duration> limit = std::nullopt,
                    lock::Cancel cancel = lock::Cancel::never())
    {
        const Acquiring acquiring = world->start(lock.acquire(owner, limit, std::move(cancel)));
        world->runReady();
        return acquiring;
    }
    Grant acquireNow(lock::Lock& lock, OwnerId owner = kOne) { return granted(start(lock, owner)); }
    Result<void> release(lock::Lock& lock, OwnerId owner = kOne)
    {
        const auto releasing = world->start(lock.release(owner));
        world->runUntil([&] { return releasing.arrived(); }, "the release");
        return *releasing;
    }
    bool canHave(lock::Lock& lock, OwnerId owner) // with a limit that is over soon
    {
        const Acquiring trying = start(lock, owner, milliseconds(50));
        world->runUntil([&] { return trying.arrived(); }, "the try");
        return bool(*trying);
    }
};

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
    lock::SemaphoreMutex& second = add();
    acquireNow(first);
    const Acquiring waiting = start(second);
    ASSERT_TRUE(waitForLeases(2));
    EXPECT_FALSE(waiting.arrived());
    ASSERT_TRUE(release(first));
    granted(waiting);
    EXPECT_FALSE(canHave(first, kOne));
}

// CURATOR-376: two threads of one client were inside together.
TEST_F(SemaphoreMutex, ExcludesTheOwnersOfOneClientFromEachOther)
{
    lock::SemaphoreMutex& mutex = add();
    acquireNow(mutex, kOne);
    const Acquiring waiting = start(mutex, kTwo);
    ASSERT_TRUE(waitForLeases(2));
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
    EXPECT_THAT(released.error().message, HasSubstr(path()));
    EXPECT_THAT(released.error().message, HasSubstr("thread 2"));
    EXPECT_FALSE(canHave(mutex, kTwo));
}

TEST_F(SemaphoreMutex, AKilledHolderIsToldAndTheNextOneHasTheLock)
{
    const HubSessionPtr session = world->connect();
    lock::SemaphoreMutex& holder = add(session);
    acquireNow(holder);
    std::vector<OwnerId> lost;
    holder.onLost([&](OwnerId owner) {
        lost.push_back(owner);
        EXPECT_EQ(holder.depth(owner), 0) << "the hold is gone when it is told";
    });
    lock::SemaphoreMutex& next = add();
    const Acquiring waiting = start(next);
    ASSERT_TRUE(waitForLeases(2));
    ASSERT_TRUE(world->kill(*session));
    granted(waiting);
    world->runUntil([&] { return !lost.empty(); }, "the loss");
    EXPECT_THAT(lost, ElementsAre(kOne));
    EXPECT_EQ(release(holder).error().code, ErrorCode::sessionLost);
    EXPECT_EQ(release(holder).error().code, ErrorCode::notOwner) << "it is told once";
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

// ---- withLock ----

class WithLock : public AnyLockTest
{
protected:
    lock::Mutex& mutex() { return m_client ? *m_client->mutex : *(m_client = &addClient())->mutex; }
    // Another client holds it.
    LockClient& hold()
    {
        LockClient& holder = addClient();
        LockTest::acquireNow(holder);
        return holder;
    }
    template <class Fn>
    auto run(Fn fn, lock::WithLockOptions how = {})
    {
        const auto done = world->start(lock::withLock(mutex(), kOne, std::move(how), std::move(fn)));
        world->runUntil([&] { return done.arrived(); }, "the work to end");
        return *done;
    }
    int failures() { return count<trace::AcquireFailed>(*m_client); }
    void expectFree()
    {
        EXPECT_EQ(mutex().depth(kOne), 0);
        EXPECT_THAT(queue(), IsEmpty());
    }

private:
    LockClient* m_client = nullptr;
};

TEST_F(WithLock, RunsUnderTheLockAndReturnsTheResult)
{
    Zxid token = Zxid::none();
    std::uint16_t depth = 0;
    const Result<int> result = run([&](const Grant& grant) {
        token = grant.token;
        depth = mutex().depth(kOne);
        return 42;
    });
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, 42);
    EXPECT_TRUE(token.valid());
    EXPECT_EQ(depth, 1);
    expectFree();
}

TEST_F(WithLock, TakesAFunctionThatReturnsNothing)
{
    bool ran = false;
    const Result<void> result = run([&] { ran = true; });
    EXPECT_TRUE(result);
    EXPECT_TRUE(ran);
    expectFree();
}

zk::Awaitable<std::string> readNode(zk::Session* session, std::string node, lock::Mutex* mutex)
{
    zk::Pending<zk::Data> read;
    session->getData(node, read.handler());
    const zk::Data data = co_await read.get();
    EXPECT_EQ(mutex->depth(kOne), 1) << "the coroutine has not ended";
    co_return data.bytes;
}

TEST_F(WithLock, WaitsForACoroutine)
{
    zk::Session* session = &world->observer();
    const Result<std::string> result =
        run([=, this](const Grant& grant) { return readNode(session, path() + "/" + grant.node, &mutex()); });
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, "127.0.0.1");
    expectFree();
}

TEST_F(WithLock, PassesAnErrorOfTheFunctionOn)
{
    const Result<int> result = run([]() -> Result<int> { return Error{ErrorCode::badInput, "No.", ""}; });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::badInput);
    expectFree();
}

zk::Awaitable<bool> catches(lock::Lock* lock)
{
    auto fails = []() -> int { throw std::runtime_error("the work failed"); };
    const lock::WithLockOptions once;
    try {
        co_await lock::withLock(*lock, kOne, once, fails);
    } catch (const std::runtime_error&) {
        co_return true;
    }
    co_return false;
}

TEST_F(WithLock, ReleasesWhenTheFunctionThrows)
{
    const auto done = world->start(catches(&mutex()));
    world->runUntil([&] { return done.arrived(); }, "the work to end");
    EXPECT_TRUE(*done);
    expectFree();
}

TEST_F(WithLock, SaysBusyAfterItsTries)
{
    hold();
    bool ran = false;
    const Result<void> result = run([&] { ran = true; }, {milliseconds(20), 3});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::busy);
    EXPECT_THAT(result.error().message, HasSubstr(path()));
    EXPECT_THAT(result.error().message, HasSubstr("3 tries"));
    EXPECT_FALSE(ran);
    EXPECT_THAT(queue(), SizeIs(1)) << "the holder's";
    EXPECT_EQ(failures(), 3);
}

TEST_F(WithLock, HasItInALaterTry)
{
    LockClient& holder = hold();
    int ran = 0;
    auto work = [&] { ++ran; };
    const auto done = world->start(lock::withLock(mutex(), kOne, {milliseconds(20), 1000}, work));
    world->runUntil([&] { return failures() >= 2; }, "two tries");
    ASSERT_TRUE(LockTest::release(holder));
    world->runUntil([&] { return done.arrived(); }, "the work to end");
    EXPECT_TRUE(*done);
    EXPECT_EQ(ran, 1);
    expectFree();
}

TEST_F(WithLock, PassesAnErrorOfTheAcquireOnAtOnce)
{
    hold();
    lock::WithLockOptions how{std::nullopt, 1000};
    how.cancel.request();
    EXPECT_EQ(run([] {}, how).error().code, ErrorCode::cancelled);
    EXPECT_THAT(queue(), SizeIs(1));
}

zk::Awaitable<int> deleteNode(zk::Session* session, std::string node, lock::Mutex* mutex)
{
    zk::Pending<bool> lost;
    mutex->onLost([tell = lost.handler()](OwnerId) { tell(true); });
    session->remove(node, [](zk::Code) {});
    co_await lost.get();
    co_return 1;
}

TEST_F(WithLock, SaysThatTheLockWasLostMeanwhile)
{
    zk::Session* session = &world->observer();
    const Result<int> result = run(
        [=, this](const Grant& grant) { return deleteNode(session, path() + "/" + grant.node, &mutex()); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::noNode);
    EXPECT_THAT(queue(), IsEmpty());
}

} // namespace
} // namespace lockscope::tests
