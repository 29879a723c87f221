// The blocking locks as the standard's mutexes: what std::unique_lock, std::shared_lock and std::scoped_lock
// rely on.
#include "tests/lock/blocking_test.h"

#include <concepts>
#include <mutex>
#include <shared_mutex>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class M>
concept TimedLockable = requires(M m, std::chrono::duration<double> limit,
                                 std::chrono::steady_clock::time_point steady,
                                 std::chrono::system_clock::time_point system)
{
    {
        m.lock()
        } -> std::same_as<void>;
    {
        m.try_lock()
        } -> std::same_as<bool>;
    {
        m.try_lock_for(limit)
        } -> std::same_as<bool>;
    {
        m.try_lock_for(std::chrono::hours(1))
        } -> std::same_as<bool>;
    {
        m.try_lock_until(steady)
        } -> std::same_as<bool>;
    {
        m.try_lock_until(system)
        } -> std::same_as<bool>;
    {
        m.unlock()
    }
    noexcept->std::same_as<void>;
}
&&!std::copyable<M> && std::movable<M>;

template <class M>
concept SharedTimedLockable = TimedLockable<M> &&
    requires(M m, std::chrono::steady_clock::time_point steady, std::chrono::system_clock::time_point system)
{
    {
        m.lock_shared()
        } -> std::same_as<void>;
    {
        m.try_lock_shared()
        } -> std::same_as<bool>;
    {
        m.try_lock_shared_for(milliseconds(1))
        } -> std::same_as<bool>;
    {
        m.try_lock_shared_until(steady)
        } -> std::same_as<bool>;
    {
        m.try_lock_shared_until(system)
        } -> std::same_as<bool>;
    {
        m.unlock_shared()
    }
    noexcept->std::same_as<void>;
};

static_assert(TimedLockable<BlockingMutex>);
static_assert(SharedTimedLockable<BlockingSharedMutex>);

class Blocking : public BlockingTest
{};

TEST_F(Blocking, ThreadsOfTwoProcessesCountTogether)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    BlockingMutex here(*one, path());
    BlockingMutex there(*other, path());
    int counter = 0; // guarded by the lock alone
    const auto count = [&counter](BlockingMutex& mutex) {
        for (int i = 0; i < 10; ++i) {
            const std::lock_guard guard(mutex);
            ++counter;
        }
    };
    std::vector<std::future<void>> threads;
    for (BlockingMutex* mutex : {&here, &here, &there, &there})
        threads.push_back(elsewhere([&count, mutex] { count(*mutex); }));
    for (const auto& thread : threads)
        ASSERT_TRUE(ends(thread));
    EXPECT_EQ(counter, 40);
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(Blocking, ScopedLockTakesTwoInAnyOrder)
{
    const ClientPtr client = connect();
    BlockingMutex left(*client, path() + "/left");
    BlockingSharedMutex right(*client, path() + "/right");
    int counter = 0;
    const auto count = [&counter](auto& first, auto& second) {
        for (int i = 0; i < 5; ++i) {
            const std::scoped_lock both(first, second);
            ++counter;
        }
    };
    const auto one = elsewhere([&] { count(left, right); });
    const auto other = elsewhere([&] { count(right, left); });
    ASSERT_TRUE(ends(one) && ends(other));
    EXPECT_EQ(counter, 10);
    EXPECT_THAT(world->children(path() + "/left"), IsEmpty());
    EXPECT_THAT(world->children(path() + "/right"), IsEmpty());
}

TEST_F(Blocking, AThreadMayLockAgainAndAnotherMayNot)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.lock();
    mutex.lock();
    EXPECT_TRUE(mutex.try_lock());
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_FALSE(elsewhere([&] { return mutex.try_lock(); }).get());
    mutex.unlock();
    mutex.unlock();
    EXPECT_FALSE(elsewhere([&] { return mutex.try_lock(); }).get())
        << "it is held until the outermost unlock";
    EXPECT_TRUE(mutex.isHeld());
    mutex.unlock();
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_TRUE(elsewhere([&] {
                    const std::unique_lock lock(mutex, std::try_to_lock);
                    return lock.owns_lock();
                }).get());
}

TEST_F(Blocking, ATryThatTimesOutLeavesNoNode)
{
    const ClientPtr client = connect();
    const ClientPtr other = connect();
    BlockingMutex mutex(*client, path());
    BlockingMutex held(*other, path());
    const std::lock_guard guard(held);
    EXPECT_FALSE(mutex.try_lock());
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_FALSE(mutex.try_lock_for(milliseconds(20)));
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_FALSE(mutex.try_lock_for(seconds(-1)));
    const std::unique_lock lock(mutex, milliseconds(20));
    EXPECT_FALSE(lock.owns_lock());
}

TEST_F(Blocking, ATimedTryWaitsForTheLockUnderAnyClock)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    const auto whenFree = [&](auto tryIt) {
        std::unique_lock holder(mutex);
        auto waiting = elsewhere([&] {
            const bool locked = tryIt();
            if (locked)
                mutex.unlock();
            return locked;
        });
        world->waitForChildren(path(), 2);
        holder.unlock();
        return waiting.get();
    };
    EXPECT_TRUE(whenFree([&] { return mutex.try_lock_for(std::chrono::hours::max()); }));
    EXPECT_TRUE(
        whenFree([&] { return mutex.try_lock_until(std::chrono::steady_clock::now() + seconds(60)); }));
    EXPECT_TRUE(
        whenFree([&] { return mutex.try_lock_until(std::chrono::system_clock::now() + seconds(60)); }));
    EXPECT_TRUE(whenFree([&] { return mutex.try_lock_until(std::chrono::system_clock::time_point::max()); }));
}

TEST_F(Blocking, ADeadlineOfAnyClockIsKept)
{
    const ClientPtr client = connect();
    BlockingSharedMutex mutex(*client, path());
    const std::lock_guard guard(mutex);
    auto other = elsewhere([&] {
        const auto steady = std::chrono::steady_clock::now() + milliseconds(30);
        EXPECT_FALSE(mutex.try_lock_until(steady));
        EXPECT_GE(std::chrono::steady_clock::now(), steady);
        const auto system = std::chrono::system_clock::now() + milliseconds(30);
        EXPECT_FALSE(mutex.try_lock_shared_until(system));
        EXPECT_GE(std::chrono::system_clock::now(), system);
        EXPECT_FALSE(mutex.try_lock_until(std::chrono::system_clock::time_point{}));
    });
    ASSERT_TRUE(ends(other));
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_F(Blocking, TheTokenGrowsWithEveryHold)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    EXPECT_EQ(mutex.token(), std::nullopt);
    Zxid last{0};
    for (int i = 0; i < 3; ++i) {
        const std::lock_guard guard(mutex);
        EXPECT_GT(mutex.token(), last);
        last = mutex.token().value();
        EXPECT_EQ(elsewhere([&] { return mutex.token(); }).get(), std::nullopt) << "it is the holder's alone";
    }
    EXPECT_EQ(mutex.token(), std::nullopt);
}

TEST_F(Blocking, UnlockingWhatIsNotHeldDoesNothing)
{
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.unlock();
    const std::lock_guard guard(mutex);
    elsewhere([&] { mutex.unlock(); }).get();
    EXPECT_TRUE(mutex.isHeld());
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_F(Blocking, ALockThatGoesAwayLetsGo)
{
    const ClientPtr client = connect();
    auto mutex = std::make_unique<BlockingMutex>(*client, path());
    mutex->lock();
    mutex.reset();
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

// ---- shared ----

TEST_F(Blocking, ReadersHoldTogetherAndAWriterAlone)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    BlockingSharedMutex here(*one, path());
    BlockingSharedMutex there(*other, path());
    std::shared_lock first(here);
    std::shared_lock second(there, seconds(30));
    ASSERT_TRUE(second.owns_lock());
    EXPECT_TRUE(here.isHeldShared());
    EXPECT_FALSE(here.isHeld());
    EXPECT_TRUE(there.sharedToken());
    EXPECT_FALSE(elsewhere([&] { return there.try_lock(); }).get());
    auto writing = elsewhere([&] {
        const std::unique_lock writer(there);
        return there.isHeld();
    });
    world->waitForChildren(path(), 3);
    EXPECT_FALSE(elsewhere([&] { return here.try_lock_shared(); }).get())
        << "a reader waits for a writer before it";
    first.unlock();
    second.unlock();
    EXPECT_TRUE(ends(writing) && writing.get());
}

TEST_F(Blocking, AWriterMayBecomeAReaderButNotTheOtherWayRound)
{
    const ClientPtr client = connect();
    BlockingSharedMutex mutex(*client, path());
    mutex.lock();
    mutex.lock_shared();
    mutex.unlock();
    EXPECT_TRUE(mutex.isHeldShared());
    EXPECT_TRUE(elsewhere([&] { return std::shared_lock(mutex, std::try_to_lock).owns_lock(); }).get());
    EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::resource_deadlock_would_occur));
    EXPECT_FALSE(mutex.try_lock());
    EXPECT_FALSE(mutex.try_lock_for(milliseconds(20)));
    mutex.unlock_shared();
    EXPECT_THAT(queue(), IsEmpty());
    mutex.lock();
    mutex.unlock();
}

} // namespace
} // namespace lockscope::tests
