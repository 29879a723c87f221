// The blocking semaphore and multi-lock, and that the blocking handles move.
#include "core/lock/blocking/blocking_mutex.h"
#include "core/lock/blocking/blocking_semaphore.h"
#include "core/lock/multi_lock.h"
#include "core/lock/shared_count.h"
#include "tests/lock/blocking_test.h"
#include "tests/support/restricted_node.h"

#include <mutex>
#include <stdexcept>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class BlockingMultiLock : public BlockingTest
{
protected:
    std::vector<std::string> parts() const { return {path() + "/b", path() + "/a"}; }
    std::vector<std::string> in(const std::string& name) { return world->children(path() + "/" + name); }
};

TEST_F(BlockingMultiLock, HoldsAllPartsOrNone)
{
    const ClientPtr client = connect();
    lock::BlockingMultiLock both(*client, parts());
    {
        const std::unique_lock guard(both);
        EXPECT_TRUE(both.isHeld());
        const std::vector<lock::PartToken> tokens = both.tokens();
        ASSERT_THAT(tokens, SizeIs(2));
        EXPECT_EQ(tokens[0].path, path() + "/a");
        EXPECT_GT(*tokens[1].token, *tokens[0].token);
        EXPECT_THAT(in("a"), SizeIs(1));
        EXPECT_THAT(in("b"), SizeIs(1));
    }
    EXPECT_FALSE(both.isHeld());
    EXPECT_THAT(both.tokens(), IsEmpty());
    EXPECT_THAT(in("a"), IsEmpty());

    const ClientPtr other = connect();
    BlockingMutex second(*other, path() + "/b");
    const std::unique_lock held(second);
    EXPECT_FALSE(both.try_lock());
    EXPECT_THAT(in("a"), IsEmpty()) << "none without all";
}

TEST_F(BlockingMultiLock, ALostPartIsTheLossOfAll)
{
    const ClientPtr client = connect();
    lock::BlockingMultiLock both(*client, parts());
    std::promise<std::size_t> lost;
    both.onLost([&](const lock::LostHold& hold) { lost.set_value(hold.parts.size()); });
    both.lock();
    const std::string node = in("b").front();
    ASSERT_EQ(world->remove(world->observer(), path() + "/b/" + node), zk::Code::ok);
    std::future<std::size_t> parts = lost.get_future();
    ASSERT_TRUE(ends(parts));
    EXPECT_EQ(parts.get(), 2U);
    EXPECT_FALSE(both.isHeld());
    EXPECT_THAT(both.tokens(), IsEmpty());
    both.unlock();
    EXPECT_TRUE(world->waitForChildren(path() + "/a", 0)) << "the part that was not lost is released";
    EXPECT_TRUE(both.try_lock_for(seconds(20)));
    both.unlock();
}

TEST_F(BlockingMultiLock, RefusesAPathThatIsThereTwice)
{
    const ClientPtr client = connect();
    lock::BlockingMultiLock twice(*client, std::vector<std::string>{path(), path()});
    EXPECT_EQ(thrownBy([&] { twice.lock(); }), is(std::errc::invalid_argument));
}

TEST_F(BlockingMultiLock, TakesPathsThatAreWrittenOut)
{
    const ClientPtr client = connect();
    const std::string b = path() + "/b", a = path() + "/a";
    lock::BlockingMultiLock both(*client, {b.c_str(), a.c_str()});
    ASSERT_TRUE(both.try_lock_for(seconds(20)));
    const std::vector<lock::PartToken> parts = both.tokens();
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].path, path() + "/a");
    both.unlock();
}

TEST_F(BlockingMultiLock, RefusesToHaveNoPath)
{
    const ClientPtr client = connect();
    EXPECT_EQ(thrownBy([&] { lock::BlockingMultiLock none(*client, std::vector<std::string>{}); }),
              is(std::errc::invalid_argument));
    EXPECT_THROW(lock::MultiLock({}), std::invalid_argument);
    EXPECT_THROW(lock::MultiLock({nullptr}), std::invalid_argument);
}

class BlockingAtAMissingRoot : public BlockingTest
{};

TEST_F(BlockingAtAMissingRoot, SaysThatTheChrootOfItsAddressDoesNotExist)
{
    const ClientPtr client = connect(server().address() + path() + "/missing");
    lock::BlockingMutex mutex(*client, "/a");
    EXPECT_EQ(thrownBy([&] { mutex.lock(); }), is(std::errc::invalid_argument));
    EXPECT_EQ(thrownBy([&] { static_cast<void>(mutex.try_lock()); }), is(std::errc::invalid_argument));
    lock::BlockingSemaphore semaphore(*client, "/b", 1);
    EXPECT_EQ(thrownBy([&] { semaphore.acquire(); }), is(std::errc::invalid_argument));
    const Result<std::int32_t> count =
        client->run([](zk::SessionPtr session) -> zk::Awaitable<Result<std::int32_t>> {
            lock::SharedCount leases(session, "/c/leases", 1);
            co_return co_await leases.start().asResult();
        });
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().code, ErrorCode::badUsage);
}

class BlockingSemaphore : public BlockingTest
{
protected:
    std::vector<std::string> leases() { return world->children(path() + "/leases"); }
};

TEST_F(BlockingSemaphore, GivesAsManyLeasesAsThereAre)
{
    const ClientPtr client = connect();
    lock::BlockingSemaphore semaphore(*client, path(), 2);
    lock::HeldLeases one = semaphore.acquire();
    ASSERT_TRUE(one);
    lock::HeldLeases two = semaphore.try_acquire();
    ASSERT_TRUE(two);
    EXPECT_GT(two.tokens().front(), one.tokens().front());
    EXPECT_FALSE(semaphore.try_acquire());
    EXPECT_FALSE(semaphore.try_acquire_for(milliseconds(20)));
    EXPECT_FALSE(semaphore.try_acquire_until(std::chrono::system_clock::now()));
    EXPECT_TRUE(one.release());
    EXPECT_FALSE(one);
    EXPECT_TRUE(semaphore.try_acquire_for(seconds(20)));
    EXPECT_EQ(thrownBy([&] { semaphore.acquire(3); }), is(std::errc::state_not_recoverable));
}

TEST_F(BlockingSemaphore, ALeaseOfAnotherThreadEndsAWait)
{
    const ClientPtr client = connect();
    lock::BlockingSemaphore semaphore(*client, path(), 3);
    std::optional<lock::HeldLeases> held = semaphore.acquire(3);
    EXPECT_EQ(held->size(), 3U);
    auto waiting = elsewhere([&] { return semaphore.acquire(2).tokens().size(); });
    ASSERT_TRUE(world->waitForChildren(path() + "/leases", 5)) << "it waits";
    held.reset();
    ASSERT_TRUE(ends(waiting));
    EXPECT_EQ(waiting.get(), 2U);
    EXPECT_THAT(leases(), IsEmpty()) << "a handle releases at its end";
}

TEST_F(BlockingSemaphore, ALostLeaseIsNotHeldAndTheOthersAreReleased)
{
    const ClientPtr client = connect();
    lock::BlockingSemaphore semaphore(*client, path(), 2);
    std::promise<std::string> lost;
    semaphore.onLost([&](const lock::Lease& lease) { lost.set_value(lease.node); });
    lock::HeldLeases both = semaphore.acquire(2);
    EXPECT_TRUE(both.isHeld());
    const std::string node = leases().front();
    ASSERT_EQ(world->remove(world->observer(), path() + "/leases/" + node), zk::Code::ok);
    std::future<std::string> gone = lost.get_future();
    ASSERT_TRUE(ends(gone));
    EXPECT_EQ(gone.get(), node);
    EXPECT_FALSE(both.isHeld());
    EXPECT_THAT(both.tokens(), SizeIs(1));
    const Result<void> released = both.release();
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::noNode);
    EXPECT_THAT(leases(), IsEmpty());
}

TEST_F(BlockingSemaphore, LeasesGoWithTheirSessionAndTheNextAcquireUsesTheNextOne)
{
    const ClientPtr client = connect();
    lock::BlockingSemaphore semaphore(*client, path(), 1);
    lock::HeldLeases lost = semaphore.acquire();
    ASSERT_TRUE(client->run(killSession));
    lock::HeldLeases next = semaphore.acquire();
    EXPECT_TRUE(next.isHeld());
    EXPECT_FALSE(lost.isHeld());
    const Result<void> released = lost.release();
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::sessionLost);
    EXPECT_TRUE(next.isHeld()) << "the late release touches it not";
    EXPECT_THAT(leases(), SizeIs(1));
}

TEST_F(BlockingSemaphore, FollowsACountThatAllClientsShare)
{
    const ClientPtr client = connect();
    lock::BlockingSemaphoreOptions own;
    own.lock.path = path();
    own.countPath = path() + "-count";
    lock::BlockingSemaphore semaphore(*client, own);
    const lock::HeldLeases one = semaphore.acquire();
    auto waiting = elsewhere([&] { return semaphore.acquire().isHeld(); });
    ASSERT_TRUE(world->waitForChildren(path() + "/leases", 2));
    ASSERT_EQ(world->set(world->observer(), own.countPath, lock::encodeCount(2)).code, zk::Code::ok);
    ASSERT_TRUE(ends(waiting));
    EXPECT_TRUE(waiting.get());
}

TEST_F(BlockingSemaphore, MayBeDestroyedBeforeItsLeases)
{
    const ClientPtr client = connect();
    std::optional<lock::BlockingSemaphore> semaphore(std::in_place, *client, path(), 1);
    lock::HeldLeases lease = semaphore->acquire();
    semaphore.reset();
    EXPECT_FALSE(lease.isHeld());
    const Result<void> released = lease.release();
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().code, ErrorCode::closed);
    EXPECT_TRUE(world->waitForChildren(path() + "/leases", 0));
}

TEST_F(BlockingSemaphore, LeasesOutliveTheirClient)
{
    ClientPtr client = connect();
    lock::BlockingSemaphore semaphore(*client, path(), 1);
    lock::HeldLeases lease = semaphore.acquire();
    client.reset();
    EXPECT_FALSE(lease.isHeld());
    EXPECT_FALSE(lease.release());
    EXPECT_EQ(thrownBy([&] { semaphore.acquire(); }), is(std::errc::operation_canceled));
}

TEST_F(BlockingSemaphore, MovesWithItsLeases)
{
    const ClientPtr client = connect();
    lock::BlockingSemaphore first(*client, path(), 1);
    lock::HeldLeases lease = first.acquire();
    lock::BlockingSemaphore second(std::move(first));
    lock::HeldLeases moved(std::move(lease));
    EXPECT_TRUE(moved.isHeld());
    EXPECT_FALSE(second.try_acquire());
    moved = lock::HeldLeases();
    EXPECT_TRUE(second.try_acquire_for(seconds(20)));
}

TEST_F(BlockingClient, AMutexMovesWithItsHold)
{
    const ClientPtr client = connect();
    BlockingMutex first(*client, path());
    first.lock();
    BlockingMutex second(std::move(first));
    EXPECT_TRUE(second.isHeld());
    second.unlock();
    EXPECT_THAT(queue(), IsEmpty());
    second.lock();
    second = BlockingMutex(*client, path() + "-other");
    EXPECT_TRUE(world->waitForChildren(path(), 0)) << "what it held is released";
}

} // namespace
} // namespace lockscope::tests
