// The lock's path is made from where it is missing, and only while the acquire goes on.
#include "core/sim/teaching/herd_read_write_lock.h"
#include "tests/lock/lock_test.h"
#include "tests/support/restricted_node.h"

namespace lockscope::tests {
namespace {

class ParentsTest : public LockTest
{};

// A client may have a corner of the tree for itself and no right to create anything nearer to the root.
TEST_F(ParentsTest, WhatExistsNeedsNoRight)
{
    ASSERT_EQ(world->create(world->observer(), path()).code, zk::Code::ok);
    ASSERT_EQ(world->create(world->observer(), path() + "/ours").code, zk::Code::ok);
    ASSERT_TRUE(setRights(server().address(), path(), readRight));
    options.path = path() + "/ours/deep/lock";
    acquireNow(addClient());
    EXPECT_TRUE(world->exists(path() + "/ours/deep/lock"));
}

TEST_F(ParentsTest, ARefusalNamesTheNodeAndTheRight)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), readRight));
    options.path = path() + "/deep/lock";
    const Error error = refused(acquire(addClient()));
    EXPECT_EQ(error.code, ErrorCode::noAuth);
    EXPECT_EQ(error.right, "create");
    EXPECT_EQ(error.path, path());
}

TEST_F(ParentsTest, ARefusedListNamesTheNodeAndTheRight)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), createRight | deleteRight));
    const Error error = refused(acquire(addClient()));
    EXPECT_EQ(error.right, "read");
    EXPECT_EQ(error.path, path());
}

// Cancelled as soon as the first part is there: nothing of the rest is made any more.
TEST_F(ParentsTest, ACancelEndsTheMakingOfADeepPath)
{
    constexpr int kLevels = 400;
    options.path = path();
    for (int level = 1; level < kLevels; ++level)
        options.path += "/a";
    LockClient& client = addClient();
    world->observer();
    lock::CancelToken cancel;
    const Acquiring acquiring = acquire(client, OwnerId{0}, std::nullopt, cancel);
    bool made = false;
    const zk::WatchPtr watch = world->observer().exists(
        path(), [&made](zk::WatchKind) { made = true; }, [](const zk::StatReply&) {});
    ASSERT_TRUE(world->runUntil([&] { return made; }, "the first part"));
    cancel.request();
    EXPECT_EQ(refused(acquiring).code, ErrorCode::cancelled);
    world->settle(*client.session);
    EXPECT_FALSE(world->exists(options.path));
}

// A list that may not be read is no reason to make another node.
TEST_F(ParentsTest, TheHerdOfTwoSidesEndsAtARefusedList)
{
    ASSERT_TRUE(makeRestrictedNode(server().address(), path(), createRight | deleteRight));
    LockClient& client = addClient();
    lock::LockOptions given;
    given.path = path();
    given.observer = observe(client.id);
    lock::HerdReadWriteLock herd(client.session, given, "ada");
    const Acquiring acquiring = world->start(herd.writeLock().acquire(OwnerId{0}, std::chrono::seconds(10)));
    EXPECT_EQ(refused(acquiring).code, ErrorCode::noAuth);
    EXPECT_EQ(requests(client, Operation::create), 1);
}

} // namespace
} // namespace lockscope::tests
