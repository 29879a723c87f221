// Asio's cancellation: `acquire || timer` leaves no node behind, whatever the recipe.
#include "core/lock/multi_lock.h"
#include "core/lock/semaphore.h"
#include "core/lock/with_lock.h"
#include "tests/lock/lock_test.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>

namespace lockscope::tests {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// 0: acquired first, 1: stopped first.
template <class T>
zk::Awaitable<std::size_t> either(zk::Task<Result<T>> task, zk::Awaitable<void> stop)
{
    using namespace boost::asio::experimental::awaitable_operators;
    zk::Awaitable<T> acquiring = std::move(task)(boost::asio::use_awaitable);
    const auto first = co_await (std::move(acquiring) || std::move(stop));
    co_return first.index();
}

zk::Awaitable<void> arrival(zk::Pending<bool> pending) { co_await pending.get(); }

class Cancellation : public LockTest
{
protected:
    // A timer that is due when the test says so.
    struct Stop
    {
        zk::Pending<bool> pending;
        zk::Pending<bool>::Handler now = pending.handler();
    };
    zk::Awaitable<void> inAnHour() { return hour->async_wait(boost::asio::use_awaitable); }
    void SetUp() override
    {
        LockTest::SetUp();
        hour = std::make_unique<boost::asio::steady_timer>(world->hub().executor(), std::chrono::hours(1));
    }
    void TearDown() override
    {
        hour.reset();
        LockTest::TearDown();
    }
    std::unique_ptr<boost::asio::steady_timer> hour;
};

TEST_F(Cancellation, ATimerThatIsFirstLeavesNoNode)
{
    LockClient& holder = addClient();
    acquireNow(holder);
    LockClient& client = addClient();
    const Stop stop;
    const auto first = world->start(either(client.mutex->acquire(OwnerId{0}), arrival(stop.pending)));
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    stop.now(true);
    ASSERT_TRUE(world->runUntil([&] { return first.arrived(); }, "the end of both"));
    EXPECT_EQ(*first, 1U);
    EXPECT_THAT(queue(), SizeIs(1)) << "its node was gone when both had ended";
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 0);
    ASSERT_TRUE(release(holder));
    acquireNow(client);
}

TEST_F(Cancellation, AnAcquireThatIsFirstIsKept)
{
    LockClient& client = addClient();
    const auto first = world->start(either(client.mutex->acquire(OwnerId{0}), inAnHour()));
    ASSERT_TRUE(world->runUntil([&] { return first.arrived(); }, "the end of both"));
    EXPECT_EQ(*first, 0U);
    EXPECT_EQ(client.mutex->depth(OwnerId{0}), 1);
    EXPECT_TRUE(release(client));
}

// Both come at once, in either order: what the caller learns is what holds.
TEST_F(Cancellation, TheCallerLearnsWhatHolds)
{
    LockClient& holder = addClient();
    LockClient& client = addClient();
    for (int i = 0; i < 40; ++i) {
        acquireNow(holder);
        const Stop stop;
        const auto first = world->start(either(client.mutex->acquire(OwnerId{0}), arrival(stop.pending)));
        ASSERT_TRUE(world->waitForChildren(path(), 2));
        const auto releasing = startRelease(holder);
        for (int turn = 0; turn < i; ++turn)
            world->runReady();
        if (i % 2 == 0) {
            ASSERT_TRUE(world->runUntil([&] { return releasing.arrived(); }, "the release"));
        }
        stop.now(true);
        ASSERT_TRUE(
            world->runUntil([&] { return first.arrived() && releasing.arrived(); }, "the end of both"));
        EXPECT_EQ(client.mutex->depth(OwnerId{0}), *first == 0 ? 1 : 0);
        EXPECT_THAT(queue(), SizeIs(*first == 0 ? 1U : 0U));
        if (*first == 0) {
            ASSERT_TRUE(release(client));
        }
    }
}

TEST_F(Cancellation, OtherRecipesLeaveNoNodeEither)
{
    const HubSessionPtr session = world->connect();
    const auto optionsAt = [&](const std::string& name) {
        return lock::LockOptions::at(path() + "/" + name);
    };
    const auto stopped = [&](auto task, const std::string& where, std::size_t nodes) {
        const Stop stop;
        const auto first = world->start(either(std::move(task), arrival(stop.pending)));
        ASSERT_TRUE(world->waitForChildren(path() + "/" + where, nodes + 1)) << where;
        stop.now(true);
        ASSERT_TRUE(world->runUntil([&] { return first.arrived(); }, "the end of both"));
        EXPECT_EQ(*first, 1U);
        EXPECT_THAT(world->children(path() + "/" + where), SizeIs(nodes)) << where;
    };
    const auto done = [&](auto task) {
        const auto acquired = world->start(std::move(task));
        ASSERT_TRUE(world->runUntil([&] { return acquired.arrived(); }, "the acquire"));
        ASSERT_TRUE(*acquired);
    };
    lock::SemaphoreOptions one;
    one.lock = optionsAt("semaphore");
    lock::Semaphore semaphore(session, one);
    done(semaphore.acquire(OwnerId{0}));
    stopped(semaphore.acquire(OwnerId{1}), "semaphore/leases", 1);
    EXPECT_THAT(world->children(path() + "/semaphore/locks"), IsEmpty());

    lock::SemaphoreMutex plain(session, optionsAt("plain"));
    done(plain.acquire(OwnerId{0}));
    stopped(plain.acquire(OwnerId{1}), "plain/leases", 1);

    lock::MultiLock multi({std::make_shared<lock::Mutex>(session, optionsAt("a")),
                           std::make_shared<lock::Mutex>(session, optionsAt("b"))});
    lock::Mutex second(session, optionsAt("b"));
    done(second.acquire(OwnerId{0}));
    stopped(multi.acquire(OwnerId{1}), "b", 1);
    EXPECT_THAT(world->children(path() + "/a"), IsEmpty());
}

zk::Awaitable<Result<void>> holdForAnHour(lock::Lock* lock, boost::asio::steady_timer* hour)
{
    const auto wait = [hour]() -> zk::Awaitable<void> {
        co_await hour->async_wait(boost::asio::use_awaitable);
    };
    const lock::WithLockOptions options;
    Result<void> done = co_await lock::withLock(*lock, OwnerId{0}, options, wait);
    co_return done;
}

zk::Awaitable<std::size_t> holdOr(lock::Lock* lock, boost::asio::steady_timer* hour, zk::Awaitable<void> stop)
{
    using namespace boost::asio::experimental::awaitable_operators;
    zk::Awaitable<Result<void>> holding = holdForAnHour(lock, hour);
    const auto first = co_await (std::move(holding) || std::move(stop));
    co_return first.index();
}

TEST_F(Cancellation, WithLockReleasesWhenItsFunctionIsCancelled)
{
    LockClient& client = addClient();
    const Stop stop;
    const auto first = world->start(holdOr(client.mutex.get(), hour.get(), arrival(stop.pending)));
    ASSERT_TRUE(world->runUntil([&] { return client.mutex->depth(OwnerId{0}) == 1; }, "the grant"));
    stop.now(true);
    ASSERT_TRUE(world->runUntil([&] { return first.arrived(); }, "the end of both"));
    EXPECT_EQ(*first, 1U);
    EXPECT_THAT(queue(), IsEmpty());
}

// ---- handles move ----

TEST_F(Cancellation, RecipesMoveWithTheirHolds)
{
    const HubSessionPtr session = world->connect();
    lock::Mutex first(session, lock::LockOptions::at(path()));
    const auto acquired = world->start(first.acquire(OwnerId{0}));
    ASSERT_TRUE(world->runUntil([&] { return acquired.arrived(); }, "the acquire"));
    lock::Mutex second(std::move(first));
    EXPECT_EQ(second.depth(OwnerId{0}), 1);
    EXPECT_THAT(queue(), SizeIs(1));
    second = lock::Mutex(session, lock::LockOptions::at(path() + "-other"));
    EXPECT_TRUE(world->waitForChildren(path(), 0)) << "what it held is released";
}

} // namespace
} // namespace lockscope::tests
