// What a session does for its user while all is well.
#include "core/queue/number.h"
#include "core/zk/guarded_remove.h"
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

// The number of children made so far stands for the node that was seen: another one of its name was made.
TEST_F(Requests, RemovesOnlyTheNodeThatWasSeen)
{
    const auto session = world->connect();
    const auto other = world->connect();
    const std::string node = path() + "/holder";
    world->create(*session, path(), "");
    world->create(*other, path() + "/n-", "", CreateMode::ephemeralSequential);
    world->create(*other, node, "", CreateMode::ephemeral);
    const auto remove = [&](std::int32_t creations, const std::string& which) {
        Later<zk::GuardedReply> removed;
        zk::removeWhile(*session, creations, which, removed.handler());
        world->runUntil([&] { return removed.arrived(); }, "the removal");
        return *removed;
    };
    world->remove(*other, node);
    const zk::Created now = world->create(*other, node, "", CreateMode::ephemeral);
    const zk::GuardedReply late = remove(2, node); // as it was before
    EXPECT_EQ(late.code, Code::noNode);
    EXPECT_TRUE(late.guardFailed);
    EXPECT_EQ(world->get(*session, node).stat.czxid, now.stat.czxid);
    const zk::GuardedReply missing = remove(3, path() + "/nobody");
    EXPECT_EQ(missing.code, Code::noNode);
    EXPECT_FALSE(missing.guardFailed);
    EXPECT_TRUE(remove(0, path() + "/none/at-all").guardFailed) << "its parent is not there";
    EXPECT_EQ(remove(0, "no path").code, Code::badArguments);
    EXPECT_EQ(remove(0, path() + '/' + std::string(400, 'x')).code, Code::badArguments);
    EXPECT_EQ(remove(3, node).code, Code::ok) << "failed ones have made no child";
    EXPECT_FALSE(world->exists(node));
    EXPECT_THAT(world->children(path()), testing::ElementsAre("n-0000000000")) << "nothing is left behind";
    const std::string longest = path() + '/' + std::string(379 - path().size(), 'x');
    world->create(*other, longest, "");
    EXPECT_EQ(remove(5, longest).code, Code::ok) << "4 others, and the child of the removal before";
    const zk::StatReply root = [&] {
        Later<zk::StatReply> seen;
        const auto watch = session->exists(
            "/", [](zk::WatchKind) {}, seen.handler());
        world->runUntil([&] { return seen.arrived(); }, "the root");
        return *seen;
    }();
    EXPECT_EQ(remove(queue::creationsFrom(root.stat.cversion, root.stat.numChildren), path()).code,
              Code::notEmpty);
}

} // namespace
} // namespace lockscope::tests
