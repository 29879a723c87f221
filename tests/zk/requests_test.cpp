// What a session does for its user while all is well.
#include "tests/support/zk_world.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using zk::Code;
using zk::CreateMode;
using zk::SessionPhase;

class Requests : public ZkTest
{};

TEST_F(Requests, AListenerMayLeaveWhileItIsNotified)
{
    const auto session = world->connecting({{}, std::chrono::seconds(20), std::chrono::seconds(25)});
    int first = 0;
    int second = 0;
    zk::Session::ListenerId firstId = 0;
    zk::Session::ListenerId secondId = 0;
    firstId = session->addListener([&](SessionPhase) {
        ++first;
        session->removeListener(firstId);
        session->removeListener(secondId);
    });
    secondId = session->addListener([&](SessionPhase) { ++second; });
    ASSERT_TRUE(world->waitFor(*session, SessionPhase::connected));
    world->settle(*session);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 0);
}

TEST_F(Requests, StoresAndGivesBackData)
{
    const auto session = world->connect();
    const zk::Created created = world->create(*session, path(), "first");
    EXPECT_EQ(created.code, Code::ok);
    EXPECT_EQ(created.path, path());
    EXPECT_TRUE(created.stat.czxid.valid());
    EXPECT_FALSE(created.stat.ephemeralOwner.valid());

    EXPECT_EQ(world->get(*session, path()).bytes, "first");
    EXPECT_EQ(world->set(*session, path(), "second").stat.version, 1);
    const zk::Data data = world->get(*session, path());
    EXPECT_EQ(data.bytes, "second");
    EXPECT_EQ(data.stat.czxid, created.stat.czxid);
    EXPECT_GT(data.stat.mzxid, data.stat.czxid);

    EXPECT_EQ(world->remove(*session, path()), Code::ok);
    EXPECT_EQ(world->get(*session, path()).code, Code::noNode);
}

TEST_F(Requests, SaysWhyItWasNotDone)
{
    const auto session = world->connect();
    world->create(*session, path(), "");
    EXPECT_EQ(world->create(*session, path(), "").code, Code::nodeExists);
    EXPECT_EQ(world->create(*session, path() + "/a/b", "").code, Code::noNode);
    EXPECT_EQ(world->create(*session, "not absolute", "").code, Code::badArguments);
    EXPECT_EQ(world->create(*session, path() + "//a", "").code, Code::badArguments);
    EXPECT_EQ(world->remove(*session, path() + "/missing"), Code::noNode);
    EXPECT_EQ(world->set(*session, path() + "/missing", "x").code, Code::noNode);
    EXPECT_EQ(world->children(*session, path() + "/missing").code, Code::noNode);
    world->create(*session, path() + "/child", "", CreateMode::ephemeral);
    EXPECT_EQ(world->remove(*session, path()), Code::notEmpty);
    EXPECT_EQ(world->create(*session, path() + "/child/grandchild", "").code, Code::noChildrenForEphemerals);
}

TEST_F(Requests, NumbersSequentialNodesAndOwnsEphemeralOnes)
{
    const auto session = world->connect();
    EXPECT_EQ(world->create(*session, path(), "", CreateMode::container).code, Code::ok);
    const auto first = world->create(*session, path() + "/n-", "", CreateMode::ephemeralSequential);
    const auto second = world->create(*session, path() + "/n-", "", CreateMode::persistentSequential);
    EXPECT_EQ(first.path, path() + "/n-0000000000");
    EXPECT_EQ(first.stat.ephemeralOwner, session->id());
    EXPECT_EQ(second.path, path() + "/n-0000000001");
    EXPECT_FALSE(second.stat.ephemeralOwner.valid());
    EXPECT_GT(second.stat.czxid, first.stat.czxid);
}

// One round trip for both: a list sent after a create contains the node.
TEST_F(Requests, AreCarriedOutInTheOrderTheyWereAsked)
{
    const auto session = world->connect();
    world->create(*session, path(), "");
    for (int i = 0; i < 50; ++i) {
        Later<zk::Created> created;
        Later<Children> listed;
        Later<Code> removed;
        session->create(path() + "/node", "", CreateMode::ephemeral, created.handler());
        requestChildren(*session, path(), listed);
        session->remove(path() + "/node", removed.handler());
        world->runUntil([&] { return created.arrived() && listed.arrived() && removed.arrived(); },
                        "all three");
        ASSERT_EQ(created->code, Code::ok);
        ASSERT_THAT(listed->names, ::testing::ElementsAre("node"));
        ASSERT_EQ(*removed, Code::ok);
    }
}

// The library would cut the path there, and work on another node.
TEST_F(Requests, RefuseAPathWithANul)
{
    const auto session = world->connect();
    const std::string cut = path() + std::string("\0b", 2);
    EXPECT_EQ(world->create(*session, cut, "").code, Code::badArguments);
    EXPECT_EQ(world->get(*session, cut).code, Code::badArguments);
    EXPECT_EQ(world->children(*session, cut).code, Code::badArguments);
    EXPECT_FALSE(world->exists(path()));
}

} // namespace
} // namespace lockscope::tests
