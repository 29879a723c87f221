// What a thread notices when the server refuses, when it says nothing, and when a callback throws.
#include "tests/lock/blocking_test.h"
#include "tests/lock/narrow_node.h"

#include <atomic>
#include <mutex>

namespace lockscope::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint32_t kNoDelete = createRight | readRight | adminRight;

class BlockingTrouble : public BlockingTest
{
protected:
    void narrow() { ASSERT_TRUE(makeNarrowNode(server().address(), path(), kNoDelete)); }
    void permit() { ASSERT_TRUE(setRights(server().address(), path(), allRights)); }
    // A session that is suspended late.
    ClientPtr connectPatiently()
    {
        zk::ConnectOptions options{server().address(), seconds(30), seconds(20)};
        ClientPtr client = lock::Client::connect(options).value();
        client->onPhase([this](zk::SessionPhase phase) {
            suspensions += phase == zk::SessionPhase::suspended ? 1 : 0;
        });
        return client;
    }
    std::atomic<int> suspensions = 0;
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

// ---- callbacks that throw ----

TEST_F(BlockingTrouble, ACallbackThatThrowsEndsNothing)
{
    const ClientPtr client = connect();
    BlockingMutex one(*client, path() + "/one");
    BlockingMutex two(*client, path() + "/two");
    std::promise<void> told;
    one.onLost([](const lock::LostHold&) { throw std::runtime_error("lost one"); });
    two.onLost([&](const lock::LostHold&) { told.set_value(); });
    client->onPhase([](zk::SessionPhase) { throw std::runtime_error("phase"); });
    one.lock();
    two.lock();
    ASSERT_TRUE(client->run(killSession));
    EXPECT_TRUE(ends(told.get_future()));
    one.unlock();
    two.unlock();
    EXPECT_TRUE(one.try_lock_for(seconds(30)));
    EXPECT_TRUE(two.try_lock_for(seconds(30)));
}

} // namespace
} // namespace lockscope::tests
