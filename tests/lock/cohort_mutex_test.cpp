// Threads of a process that share one node: within the budget the lock passes between them without the
// server, and then to the other processes; losses, limits and the end are as of a BlockingMutex.
#include "core/lock/blocking/cohort_mutex.h"

#include "tests/lock/blocking_test.h"
#include "tests/support/lossy_relay.h"
#include "tests/support/restricted_node.h"

#include <thread>

namespace lockscope::tests {
namespace {

using lock::CohortMutex;
using lock::LocalHandoffs;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr LocalHandoffs kNoEnd{1'000'000, hours(1)};

class CohortMutexTest : public BlockingTest
{
protected:
    bool waitForWaiting(const CohortMutex& mutex, std::size_t count)
    {
        return world->runUntil([&] { return mutex.waiting() == count; }, "the threads to wait");
    }
    // A thread that locks, says so, and unlocks.
    std::future<std::optional<Zxid>> locking(CohortMutex& mutex)
    {
        const std::size_t before = mutex.waiting();
        auto thread = elsewhere([&mutex] {
            const std::lock_guard guard(mutex);
            return mutex.token();
        });
        EXPECT_TRUE(waitForWaiting(mutex, before + 1));
        return thread;
    }
    // Nodes that were ever made under the path, and those that are there.
    std::pair<int, std::size_t> nodes()
    {
        const auto made =
            world->create(world->observer(), path() + "/n-", {}, zk::CreateMode::ephemeralSequential);
        world->remove(world->observer(), made.path);
        return {std::stoi(made.path.substr(made.path.size() - 10)), queue().size()};
    }
};

TEST_F(CohortMutexTest, ThreadsShareANodeAndItsToken)
{
    const ClientPtr client = connect();
    CohortMutex mutex(*client, path(), kNoEnd);
    mutex.lock();
    EXPECT_TRUE(mutex.isHeld());
    const auto token = mutex.token();
    auto one = locking(mutex);
    auto two = locking(mutex);
    EXPECT_THAT(queue(), SizeIs(1));
    mutex.unlock();
    ASSERT_TRUE(ends(one) && ends(two));
    EXPECT_EQ(one.get(), token);
    EXPECT_EQ(two.get(), token);
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_TRUE(world->waitForChildren(path(), 0)) << "at once, when nobody waits";
    mutex.lock();
    EXPECT_GT(mutex.token(), token);
    mutex.unlock();
}

// Two processes count together, and no more than two nodes are there.
TEST_F(CohortMutexTest, ExcludesThreadsAndProcesses)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    CohortMutex here(*one, path(), {3, hours(1)});
    CohortMutex there(*other, path(), {0, hours(1)});
    BlockingMutex plain(*other, path());
    constexpr int kTimes = 12;
    int counter = 0; // guarded by the lock alone
    const auto count = [&counter](auto& mutex) {
        for (int i = 0; i < kTimes; ++i) {
            const std::lock_guard guard(mutex);
            ++counter;
        }
    };
    std::vector<std::future<void>> threads;
    for (int i = 0; i < 3; ++i) {
        threads.push_back(elsewhere([&] { count(here); }));
        threads.push_back(elsewhere([&] { count(there); }));
    }
    threads.push_back(elsewhere([&] { count(plain); }));
    for (const auto& thread : threads)
        ASSERT_TRUE(ends(thread));
    EXPECT_EQ(counter, 7 * kTimes);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

// Two writes for each budget, and the other process is next when it is used up.
TEST_F(CohortMutexTest, OtherProcessesAreServedAfterTheBudget)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    CohortMutex mutex(*one, path(), {2, hours(1)});
    BlockingMutex foreign(*other, path());
    std::mutex gate;
    std::vector<std::string> order;
    const auto note = [&](const char* who) {
        const std::lock_guard guard(gate);
        order.push_back(who);
    };
    mutex.lock();
    const auto waiting = elsewhere([&] {
        const std::lock_guard guard(foreign);
        note("other");
    });
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    std::vector<std::future<void>> threads;
    for (std::size_t i = 0; i < 4; ++i) {
        threads.push_back(elsewhere([&] {
            const std::lock_guard guard(mutex);
            note("thread");
        }));
        ASSERT_TRUE(waitForWaiting(mutex, i + 1));
    }
    mutex.unlock();
    for (const auto& thread : threads)
        ASSERT_TRUE(ends(thread));
    ASSERT_TRUE(ends(waiting));
    EXPECT_THAT(order, ElementsAre("thread", "thread", "other", "thread", "thread"));
    EXPECT_THAT(nodes(), ::testing::Pair(3, 0U)) << "two of five holders, and the other's";
}

TEST_F(CohortMutexTest, OtherProcessesAreServedWhenItsTimeIsOver)
{
    const ClientPtr client = connect();
    CohortMutex mutex(*client, path(), {100, Duration(1)});
    mutex.lock();
    const auto token = mutex.token();
    auto next = locking(mutex);
    mutex.unlock();
    ASSERT_TRUE(ends(next));
    EXPECT_GT(next.get(), token);
}

TEST_F(CohortMutexTest, AThreadMayLockAgain)
{
    const ClientPtr client = connect();
    CohortMutex mutex(*client, path(), kNoEnd);
    mutex.lock();
    mutex.lock();
    auto next = locking(mutex);
    mutex.unlock();
    EXPECT_TRUE(mutex.isHeld());
    EXPECT_EQ(mutex.waiting(), 1U);
    mutex.unlock();
    ASSERT_TRUE(ends(next));
    EXPECT_EQ(mutex.release().error().code, ErrorCode::notOwner);
}

// ---- limits ----

TEST_F(CohortMutexTest, ATryFailsAndLeavesNothing)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    CohortMutex mutex(*one, path());
    EXPECT_TRUE(mutex.try_lock());
    EXPECT_FALSE(elsewhere([&] { return mutex.try_lock(); }).get());
    EXPECT_FALSE(elsewhere([&] { return mutex.try_lock_for(milliseconds(1)); }).get());
    EXPECT_EQ(mutex.waiting(), 0U);
    CohortMutex outside(*other, path());
    EXPECT_FALSE(outside.try_lock());
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_FALSE(outside.try_lock_until(std::chrono::steady_clock::now() + milliseconds(1)));
    EXPECT_THAT(queue(), SizeIs(1)) << "its node is gone";
    mutex.unlock();
    EXPECT_TRUE(outside.try_lock_for(seconds(20)));
    outside.unlock();
    EXPECT_THAT(queue(), IsEmpty());
}

// The one with the limit began the acquire; the other one goes on with it, at the same place in the queue.
TEST_F(CohortMutexTest, ALimitOfOneThreadIsNotThatOfTheNext)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    BlockingMutex foreign(*one, path());
    foreign.lock();
    CohortMutex mutex(*other, path());
    auto limited = elsewhere([&] { return mutex.try_lock_for(seconds(1)); });
    ASSERT_TRUE(waitForWaiting(mutex, 1));
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    const std::vector<std::string> before = queue();
    auto next = locking(mutex);
    ASSERT_TRUE(ends(limited));
    EXPECT_FALSE(limited.get());
    EXPECT_EQ(queue(), before);
    foreign.unlock();
    ASSERT_TRUE(ends(next));
    EXPECT_TRUE(next.get());
}

TEST_F(CohortMutexTest, ATryThatFailedSaysWhoHoldsIt)
{
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    lock::LockOptions options = lock::LockOptions::at(path());
    options.nodeData = "billing";
    CohortMutex mutex(*one, options);
    mutex.lock();
    const auto refused = [](CohortMutex& each, Duration limit) {
        return elsewhere([&each, limit] {
                   lock::Refusal refusal;
                   EXPECT_FALSE(each.try_lock_for(limit, refusal));
                   return refusal;
               })
            .get();
    };
    CohortMutex outside(*other, path());
    for (CohortMutex* each : {&mutex, &outside})
        for (const Duration limit : {Duration{}, Duration(milliseconds(20))}) {
            const lock::Refusal refusal = refused(*each, limit);
            ASSERT_TRUE(refusal.holder);
            EXPECT_EQ(refusal.holder->data, "billing");
            EXPECT_EQ(refusal.holder->token, mutex.token());
            EXPECT_GE(refusal.ahead, 1U);
        }
    mutex.unlock();
}

TEST_F(CohortMutexTest, NothingButLockWaitsForASilentServer)
{
    const ClientPtr client = connect();
    CohortMutex mutex(*client, path());
    CohortMutex other(*client, path() + "-other");
    mutex.lock();
    ASSERT_TRUE(server().suspend());
    EXPECT_FALSE(other.try_lock_for(milliseconds(50)));
    EXPECT_FALSE(other.try_lock());
    EXPECT_FALSE(mutex.release());
    EXPECT_FALSE(mutex.isHeld());
    ASSERT_TRUE(server().resume());
    mutex.lock();
    EXPECT_TRUE(world->waitForChildren(path(), 1)) << "not behind its own old node";
    mutex.unlock();
    EXPECT_TRUE(world->waitForChildren(path() + "-other", 0));
}

// ---- losses ----

// By the end of its session, or of its node: the holder knows, and those that wait get another node.
TEST_F(CohortMutexTest, ALossIsTheHoldersAndTheOthersGoOn)
{
    const ClientPtr client = connect();
    CohortMutex mutex(*client, path(), kNoEnd);
    std::mutex gate;
    std::vector<std::pair<std::thread::id, std::optional<Zxid>>> lost;
    mutex.onLost([&](const lock::LostHold& hold) {
        const std::lock_guard guard(gate);
        lost.emplace_back(hold.thread, hold.token);
    });
    for (const bool session : {true, false}) {
        mutex.lock();
        const auto token = mutex.token();
        auto next = locking(mutex);
        if (session)
            ASSERT_TRUE(client->run(killSession));
        else
            world->remove(world->observer(), path() + "/" + queue().front());
        ASSERT_TRUE(ends(next));
        EXPECT_GT(next.get(), token);
        EXPECT_FALSE(mutex.isHeld());
        EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::not_connected)) << "it has not unlocked";
        EXPECT_EQ(mutex.release().error().code, ErrorCode::sessionLost);
        const std::lock_guard guard(gate);
        EXPECT_THAT(lost, ElementsAre(std::pair(std::this_thread::get_id(), token)));
        lost.clear();
    }
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

// Forced: the session is suspended when the holder leaves. The next one has asked the server.
TEST_F(CohortMutexTest, PassesNothingOnWithoutAConnection)
{
    LossyRelay relay(server().address());
    const ClientPtr client = connect(relay.address());
    std::atomic<bool> suspended = false;
    const ListenerId listener =
        client->onPhase([&](zk::SessionPhase phase) { suspended = phase == zk::SessionPhase::suspended; });
    CohortMutex mutex(*client, path(), kNoEnd);
    mutex.lock();
    const auto token = mutex.token();
    auto next = locking(mutex);
    relay.cut();
    ASSERT_TRUE(world->runUntil([&] { return suspended.load(); }, "the suspension"));
    client->removePhaseListener(listener); // the I/O thread has told everybody
    EXPECT_EQ(mutex.release().error().code, ErrorCode::connectionLost) << "in the background";
    EXPECT_EQ(mutex.waiting(), 1U);
    relay.heal();
    ASSERT_TRUE(ends(next));
    EXPECT_GT(next.get(), token);
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

// The node stays, so the next thread gets it.
TEST_F(CohortMutexTest, ANodeThatMayNotBeDeletedIsForTheNextThread)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), createRight | readRight | adminRight));
    const ClientPtr client = connect();
    std::atomic<int> reported = 0;
    client->onError([&](const Error& error) { reported += error.code == ErrorCode::noAuth ? 1 : 0; });
    CohortMutex mutex(*client, path());
    mutex.lock();
    const auto token = mutex.token();
    EXPECT_EQ(mutex.release().error().code, ErrorCode::noAuth);
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_EQ(reported, 0) << "it was returned";
    mutex.lock();
    EXPECT_EQ(mutex.token(), token);
    mutex.unlock();
    EXPECT_EQ(reported, 1);
    ASSERT_TRUE(setRights(server().address(), path(), allRights));
    mutex.lock();
    mutex.unlock();
    EXPECT_THAT(queue(), IsEmpty());
}

// ---- its end ----

TEST_F(CohortMutexTest, EndsWhoWaitsInItAndLetsGo)
{
    ClientPtr client = connect();
    for (const bool withClient : {false, true}) {
        std::optional<CohortMutex> mutex(std::in_place, *client, path(), kNoEnd);
        mutex->lock();
        std::vector<std::future<void>> threads;
        for (const std::optional<Duration> limit :
             {std::optional<Duration>(), std::optional<Duration>(hours(1))})
            threads.push_back(elsewhere([&, limit] {
                EXPECT_EQ(
                    thrownBy([&] { limit ? static_cast<void>(mutex->try_lock_for(*limit)) : mutex->lock(); }),
                    is(std::errc::operation_canceled));
            }));
        ASSERT_TRUE(waitForWaiting(*mutex, 2));
        if (withClient)
            client.reset();
        else
            mutex.reset();
        for (const auto& thread : threads)
            EXPECT_TRUE(ends(thread));
        EXPECT_TRUE(world->waitForChildren(path(), 0));
        if (!withClient)
            continue;
        EXPECT_FALSE(mutex->isHeld());
        EXPECT_EQ(mutex->release().error().code, ErrorCode::sessionLost);
        EXPECT_EQ(thrownBy([&] { mutex->lock(); }), is(std::errc::operation_canceled));
    }
}

TEST_F(CohortMutexTest, RefusesTheIoThreadAndAPathThatIsNone)
{
    const ClientPtr client = connect();
    CohortMutex mutex(*client, path());
    ASSERT_TRUE(client->run([&](zk::SessionPtr) -> zk::Awaitable<void> {
        EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::resource_deadlock_would_occur));
        EXPECT_EQ(thrownBy([&] { mutex.try_lock(); }), is(std::errc::resource_deadlock_would_occur));
        co_return;
    }));
    CohortMutex wrong(*client, "no path");
    EXPECT_EQ(thrownBy([&] { wrong.lock(); }), is(std::errc::invalid_argument));
    EXPECT_EQ(thrownBy([&] { wrong.try_lock(); }), is(std::errc::invalid_argument));
    CohortMutex moved(std::move(mutex));
    moved.lock();
    mutex = std::move(moved);
    EXPECT_TRUE(mutex.isHeld());
    mutex.unlock();
    EXPECT_THAT(queue(), IsEmpty());
}

} // namespace
} // namespace lockscope::tests
