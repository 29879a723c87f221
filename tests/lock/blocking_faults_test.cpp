// What a thread notices when the server refuses, when it says nothing, and when a callback throws.
#include "core/lock/blocking/blocking_semaphore.h"
#include "tests/lock/blocking_test.h"
#include "tests/support/lossy_relay.h"
#include "tests/support/restricted_node.h"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint32_t kNoDelete = createRight | readRight | adminRight;

class BlockingTrouble : public BlockingTest
{
protected:
    void narrow() { ASSERT_TRUE(makeRestrictedNode(server().address(), path(), kNoDelete)); }
    void permit() { ASSERT_TRUE(setRights(server().address(), path(), allRights)); }
    // A session that is suspended late.
    ClientPtr connectPatiently(const std::string& hosts = {})
    {
        zk::ConnectOptions options{hosts.empty() ? server().address() : hosts, seconds(30), seconds(20)};
        ClientPtr client = lock::Client::connect(options).value();
        client->onPhase(
            [this](zk::SessionPhase phase) { suspensions += phase == zk::SessionPhase::suspended ? 1 : 0; });
        return client;
    }
    // Keeps what the client reports.
    void listenTo(lock::Client& client)
    {
        client.onError([this](const Error& error) {
            const std::lock_guard guard(gate);
            reported.push_back(error.code);
        });
    }
    std::vector<ErrorCode> takeReported()
    {
        const std::lock_guard guard(gate);
        return std::exchange(reported, {});
    }
    void waitForReport()
    {
        world->runUntil(
            [this] {
                const std::lock_guard guard(gate);
                return !reported.empty();
            },
            "the report");
    }

    std::atomic<int> suspensions = 0;
    std::mutex gate;
    std::vector<ErrorCode> reported;
};

// ---- a server that refuses ----

TEST_F(BlockingTrouble, AnUnlockThatIsRefusedLeavesItHeld)
{
    narrow();
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.lock();
    mutex.unlock();
    EXPECT_TRUE(mutex.isHeld());
    EXPECT_THAT(queue(), SizeIs(1));
    EXPECT_TRUE(mutex.try_lock_for(seconds(20))) << "it does not wait for its own node";
    EXPECT_THAT(queue(), SizeIs(1));
    permit();
    mutex.unlock();
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(BlockingTrouble, ARefusedUnlockIsReportedAndARefusedReleaseReturned)
{
    narrow();
    const ClientPtr client = connect();
    listenTo(*client);
    BlockingSharedMutex mutex(*client, path());
    mutex.lock();
    mutex.unlock();
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::noAuth));
    EXPECT_EQ(mutex.release().error().code, ErrorCode::noAuth) << "it tries again";
    EXPECT_TRUE(mutex.isHeld());
    mutex.lock_shared();
    EXPECT_EQ(mutex.releaseShared().error().code, ErrorCode::noAuth);
    EXPECT_TRUE(mutex.isHeldShared());
    EXPECT_THAT(takeReported(), IsEmpty());
    permit();
    EXPECT_TRUE(mutex.release());
    EXPECT_TRUE(mutex.releaseShared());
    EXPECT_FALSE(mutex.isHeld() || mutex.isHeldShared());
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(BlockingTrouble, WithoutACallbackALineGoesToStandardError)
{
    narrow();
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    mutex.lock();
    ::testing::internal::CaptureStderr();
    mutex.unlock();
    const std::string line = ::testing::internal::GetCapturedStderr();
    EXPECT_THAT(line, HasSubstr(path()));
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
}

TEST_F(BlockingTrouble, ATryWhoseNodeMayNotBeDeletedThrows)
{
    narrow();
    const ClientPtr one = connect();
    const ClientPtr other = connect();
    BlockingMutex held(*one, path());
    BlockingMutex mutex(*other, path());
    held.lock();
    EXPECT_EQ(thrownBy([&] { mutex.try_lock(); }), is(std::errc::permission_denied));
    EXPECT_EQ(thrownBy([&] { mutex.try_lock_for(milliseconds(20)); }), is(std::errc::permission_denied));
    EXPECT_THAT(queue(), SizeIs(3));
    permit();
}

TEST_F(BlockingTrouble, ALockThatIsDestroyedReportsWhatStays)
{
    narrow();
    const ClientPtr client = connect();
    listenTo(*client);
    {
        BlockingMutex mutex(*client, path());
        mutex.lock();
    }
    waitForReport();
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::noAuth));
    EXPECT_THAT(queue(), SizeIs(1));
}

TEST_F(BlockingTrouble, ARefusedHoldThatIsLostLaterNeedsNoUnlock)
{
    narrow();
    const ClientPtr client = connect();
    BlockingMutex mutex(*client, path());
    std::promise<void> lost;
    const ListenerId listener = mutex.onLost([&](const lock::LostHold&) { lost.set_value(); });
    mutex.lock();
    mutex.unlock();
    ASSERT_TRUE(client->run(killSession));
    ASSERT_TRUE(ends(lost.get_future()));
    EXPECT_FALSE(mutex.isHeld());
    EXPECT_TRUE(mutex.try_lock_for(seconds(30)));
    mutex.removeLostListener(listener);
    permit();
    EXPECT_TRUE(mutex.release());
}

TEST_F(BlockingTrouble, UnlockingOnAnotherThreadIsReported)
{
    const ClientPtr client = connect();
    listenTo(*client);
    BlockingMutex mutex(*client, path());
    const std::lock_guard guard(mutex);
    elsewhere([&] { mutex.unlock(); }).get();
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::notOwner));
    EXPECT_EQ(elsewhere([&] { return mutex.release(); }).get().error().code, ErrorCode::notOwner);
    EXPECT_THAT(takeReported(), IsEmpty());
    EXPECT_TRUE(mutex.isHeld());
}

TEST_F(BlockingTrouble, UnlockingOnTheIoThreadIsReported)
{
    const ClientPtr client = connect();
    listenTo(*client);
    BlockingMutex mutex(*client, path());
    ASSERT_TRUE(client->run([&](zk::SessionPtr) -> zk::Awaitable<void> {
        mutex.unlock();
        co_return;
    }));
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::busy));
}

TEST_F(BlockingTrouble, ALockThatIsDestroyedEndsWhoWaitsInIt)
{
    const ClientPtr holding = connect();
    const ClientPtr client = connect();
    BlockingMutex held(*holding, path());
    held.lock();
    auto mutex = std::make_unique<BlockingMutex>(*client, path());
    const auto waiting = elsewhere([inner = mutex.get()] {
        EXPECT_EQ(thrownBy([&] { inner->lock(); }), is(std::errc::operation_canceled));
    });
    const auto trying = elsewhere([inner = mutex.get()] {
        EXPECT_EQ(thrownBy([&] { inner->try_lock_for(seconds(100)); }), is(std::errc::operation_canceled));
    });
    world->waitForChildren(path(), 3);
    mutex.reset();
    EXPECT_TRUE(ends(waiting) && ends(trying));
    EXPECT_TRUE(world->waitForChildren(path(), 1));
}

// ---- a server that says nothing ----

TEST_F(BlockingTrouble, NothingButLockWaitsForASilentServer)
{
    world->create(world->observer(), path());
    const ClientPtr client = connectPatiently();
    BlockingMutex mutex(*client, path() + "/a");
    BlockingMutex other(*client, path() + "/b");
    mutex.lock();
    ASSERT_TRUE(server().suspend());
    EXPECT_FALSE(other.try_lock_for(milliseconds(100)));
    EXPECT_EQ(suspensions, 0) << "after try_lock_for()";
    EXPECT_FALSE(other.try_lock());
    EXPECT_EQ(suspensions, 0) << "after try_lock()";
    mutex.unlock();
    EXPECT_EQ(suspensions, 0) << "after unlock()";
    EXPECT_FALSE(mutex.isHeld());
    ASSERT_TRUE(server().resume());
    mutex.lock();
    EXPECT_TRUE(mutex.isHeld());
    EXPECT_TRUE(world->waitForChildren(path() + "/a", 1)) << "not behind its own old node";
    mutex.unlock();
    EXPECT_TRUE(world->waitForChildren(path() + "/b", 0));
}

// The first acquire of a session starts the count.
class BlockingSharedCount : public BlockingTrouble
{
protected:
    lock::BlockingSemaphoreOptions options() const
    {
        lock::BlockingSemaphoreOptions own;
        own.lock.path = path();
        own.countPath = path() + "-count";
        return own;
    }
    // It must end before `relay` recovers, and finds a lease afterwards.
    void triesInVain(const std::function<bool(lock::BlockingSemaphore&)>& work)
    {
        const ClientPtr client = connectPatiently(relay.address());
        lock::BlockingSemaphore semaphore(*client, options());
        breakIt();
        auto trying = elsewhere([&] { return work(semaphore); });
        EXPECT_EQ(trying.wait_for(seconds(8)), std::future_status::ready) << "it waits for ever";
        relay.cut();
        relay.heal();
        EXPECT_FALSE(trying.get());
        EXPECT_TRUE(semaphore.try_acquire_for(seconds(20)));
    }

    LossyRelay relay{server().address()};
    std::function<void()> breakIt;
};

TEST_F(BlockingSharedCount, ATryKeepsItsLimitThoughTheServerIsSilent)
{
    breakIt = [this] { relay.muteConnection(relay.connections()); };
    triesInVain([this](lock::BlockingSemaphore& semaphore) {
        const bool got = semaphore.try_acquire_for(milliseconds(100)) || semaphore.try_acquire();
        EXPECT_EQ(suspensions, 0);
        return got;
    });
}

TEST_F(BlockingSharedCount, ATryKeepsItsLimitThoughTheConnectionBreaks)
{
    breakIt = [this] {
        relay.stayDownAfterLoss();
        relay.loseRequest(LossyRelay::Op::create);
    };
    triesInVain([](lock::BlockingSemaphore& semaphore) {
        return bool(semaphore.try_acquire_for(milliseconds(100)));
    });
}

TEST_F(BlockingSharedCount, ASingleTryDoesNotWaitForAReconnect)
{
    breakIt = [this] {
        relay.stayDownAfterLoss();
        relay.loseRequest(LossyRelay::Op::create);
    };
    triesInVain([](lock::BlockingSemaphore& semaphore) { return bool(semaphore.try_acquire()); });
}

// Neither the delete nor the connection it went out on arrives: it is sent again on the next one.
TEST_F(BlockingTrouble, TheNextLockAfterAReconnectIsNotBehindItsOwnOldNode)
{
    LossyRelay relay(server().address());
    const ClientPtr client = connectPatiently(relay.address());
    BlockingMutex mutex(*client, path());
    mutex.lock();
    const std::optional<Zxid> before = mutex.token();
    relay.muteConnection(relay.connections());
    mutex.unlock();
    EXPECT_EQ(suspensions, 0) << "after unlock()";
    EXPECT_FALSE(mutex.try_lock_for(milliseconds(100)));
    EXPECT_EQ(suspensions, 0) << "after try_lock_for()";
    EXPECT_THAT(queue(), SizeIs(1)) << "the old one";
    const auto locking = elsewhere([&] {
        mutex.lock();
        EXPECT_GT(mutex.token(), before) << "not the old one";
        mutex.unlock();
    });
    mutex.onLost([](const lock::LostHold&) { ADD_FAILURE() << "nothing was held"; });
    relay.cut();
    relay.heal();
    mutex.lock();
    EXPECT_GT(mutex.token(), before);
    mutex.unlock();
    ASSERT_TRUE(ends(locking));
    EXPECT_TRUE(world->waitForChildren(path(), 0));
}

// One release gives up, as it does by default; the other one, which may take an hour, gets its answer.
TEST_F(BlockingTrouble, AReleaseWaitsAsLongAsItsOptionsSay)
{
    const ClientPtr client = connectPatiently();
    BlockingMutex hasty(*client, path() + "/a");
    lock::LockOptions options = lock::LockOptions::at(path() + "/b");
    options.timeouts.unlock = std::chrono::hours(1);
    BlockingMutex patient(*client, options);
    hasty.lock();
    std::promise<void> locked, silent;
    auto releasing = elsewhere([&] {
        patient.lock();
        locked.set_value();
        silent.get_future().wait();
        return patient.release();
    });
    ASSERT_TRUE(ends(locked.get_future()));
    ASSERT_TRUE(server().suspend());
    silent.set_value();
    const Result<void> released = hasty.release();
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::timedOut);
    ASSERT_TRUE(server().resume());
    ASSERT_TRUE(ends(releasing));
    EXPECT_TRUE(releasing.get());
}

TEST_F(BlockingTrouble, ARefusalThatComesLateIsReported)
{
    narrow();
    const ClientPtr client = connectPatiently();
    listenTo(*client);
    BlockingMutex mutex(*client, path());
    mutex.lock();
    ASSERT_TRUE(server().suspend());
    const Result<void> released = mutex.release();
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::timedOut);
    EXPECT_FALSE(mutex.isHeld()) << "it may be free already";
    ASSERT_TRUE(server().resume());
    waitForReport();
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::noAuth));
    EXPECT_TRUE(mutex.isHeld());
    EXPECT_EQ(suspensions, 0);
    permit();
    EXPECT_TRUE(mutex.release());
}

// The thread's place is not given to another one, which would go on with its hold.
TEST_F(BlockingTrouble, AReleaseUnderWayIsNoOtherThreads)
{
    narrow();
    const ClientPtr client = connectPatiently();
    listenTo(*client);
    BlockingMutex mutex(*client, path());
    mutex.lock();
    ASSERT_TRUE(server().suspend());
    mutex.unlock();
    auto other = elsewhere([&] { return thrownBy([&] { mutex.try_lock_for(seconds(3)); }); });
    EXPECT_FALSE(elsewhere([&] { return mutex.isHeld(); }).get());
    ASSERT_TRUE(server().resume());
    waitForReport();
    EXPECT_TRUE(mutex.isHeld());
    ASSERT_TRUE(ends(other));
    EXPECT_EQ(other.get(), is(std::errc::permission_denied)) << "it has queued up";
    EXPECT_THAT(queue(), SizeIs(2));
}

// ---- callbacks that throw ----

TEST_F(BlockingTrouble, ACallbackThatThrowsEndsNothing)
{
    const ClientPtr client = connect();
    BlockingMutex one(*client, path() + "/one");
    BlockingMutex two(*client, path() + "/two");
    std::promise<void> lost;
    one.onLost([](const lock::LostHold&) { throw std::runtime_error("lost one"); });
    two.onLost([&](const lock::LostHold&) { lost.set_value(); });
    client->onPhase([](zk::SessionPhase) { throw std::runtime_error("phase"); });
    one.lock();
    two.lock();
    ASSERT_TRUE(client->run(killSession));
    EXPECT_TRUE(ends(lost.get_future()));
    one.unlock();
    two.unlock();
    EXPECT_TRUE(one.try_lock_for(seconds(30)));
    EXPECT_TRUE(two.try_lock_for(seconds(30)));
}

TEST_F(BlockingTrouble, WhatACallbackThrowsIsReported)
{
    const ClientPtr client = connect();
    listenTo(*client);
    BlockingMutex mutex(*client, path());
    mutex.onLost([](const lock::LostHold&) { throw 1; });
    mutex.lock();
    ASSERT_TRUE(client->run(killSession));
    waitForReport();
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::internal));
}

zk::Awaitable<void> leaveAHandlerThatThrows()
{
    boost::asio::post(co_await boost::asio::this_coro::executor, [] { throw std::runtime_error("handler"); });
}

TEST_F(BlockingTrouble, WhatAHandlerThrowsIsReported)
{
    const ClientPtr client = connect();
    listenTo(*client);
    ASSERT_TRUE(client->run(leaveAHandlerThatThrows()));
    waitForReport();
    EXPECT_THAT(takeReported(), ElementsAre(ErrorCode::internal));
    BlockingMutex mutex(*client, path());
    EXPECT_TRUE(mutex.try_lock());
}

TEST_F(BlockingTrouble, WorkThatThrowsBeforeItsCoroutineBeginsThrowsHere)
{
    const ClientPtr client = connect();
    const auto work = [](zk::SessionPtr) -> zk::Awaitable<void> { throw std::domain_error("on purpose"); };
    EXPECT_THROW(static_cast<void>(client->run(work)), std::domain_error);
    EXPECT_TRUE(BlockingMutex(*client, path()).try_lock());
}

TEST_F(BlockingTrouble, AReportThatThrowsEndsNothing)
{
    narrow();
    const ClientPtr client = connect();
    client->onError([](const Error&) { throw std::runtime_error("no"); });
    BlockingMutex mutex(*client, path());
    mutex.lock();
    mutex.unlock();
    EXPECT_TRUE(mutex.try_lock());
}

} // namespace
} // namespace lockscope::tests
