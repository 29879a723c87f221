// A node is deleted if it is the one that was shown, and no other, whatever happens beside it.
#include "core/engine/free_node.h"
#include "tests/support/zk_world.h"

#include <gtest/gtest.h>

namespace lockscope::tests {
namespace {

using engine::FreedNode;
using zk::CreateMode;

class FreeNode : public ZkTest
{
protected:
    Result<FreedNode> freed(const HubSessionPtr& session, const std::string& node, Zxid czxid)
    {
        const Later<Result<FreedNode>> outcome = world->start(engine::freeNode(session, node, czxid));
        world->runUntil([&] { return outcome.arrived(); }, "the outcome");
        return *outcome;
    }
};

TEST_F(FreeNode, TheOneThatWasShownAndNoOther)
{
    const HubSessionPtr session = world->connect();
    const HubSessionPtr owner = world->connect();
    world->create(*owner, path(), "");
    const std::string node = path() + "/holder";
    const Zxid shown = world->create(*owner, node, "", CreateMode::ephemeral).stat.czxid;
    EXPECT_EQ(freed(session, path() + "/nobody", shown)->kind, FreedNode::Kind::gone);
    world->remove(*owner, node);
    const Zxid now = world->create(*owner, node, "", CreateMode::ephemeral).stat.czxid;
    const Result<FreedNode> another = freed(session, node, shown);
    ASSERT_TRUE(another);
    EXPECT_EQ(another->kind, FreedNode::Kind::another);
    EXPECT_EQ(another->now.czxid, now);
    EXPECT_EQ(another->now.ephemeralOwner, owner->id());
    const Result<FreedNode> done = freed(session, node, now);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->kind, FreedNode::Kind::deleted);
    EXPECT_TRUE(done->proven);
    EXPECT_FALSE(world->exists(node));
}

// The node changes hands at a different step of the removal each time.
TEST_F(FreeNode, ItChangesHandsMeanwhile)
{
    const HubSessionPtr session = world->connect();
    const HubSessionPtr owner = world->connect();
    const HubSessionPtr next = world->connect();
    world->create(*owner, path(), "");
    const std::string node = path() + "/holder";
    int kept = 0;
    for (int round = 0; round < 60; ++round) {
        const Zxid shown = world->create(*owner, node, "", CreateMode::ephemeral).stat.czxid;
        const Later<Result<FreedNode>> outcome = world->start(engine::freeNode(session, node, shown));
        for (int step = 0; step < round % 12; ++step)
            world->settle(*next); // a round trip, beside those of the removal
        Later<zk::Created> taken;
        owner->remove(node, [&](zk::Code) { // gone by now, whoever has deleted it
            next->create(node, "", CreateMode::ephemeral, taken.handler());
        });
        world->runUntil([&] { return outcome.arrived() && taken.arrived(); }, "both");
        ASSERT_TRUE(*outcome) << outcome->error().text();
        ASSERT_EQ(taken->code, zk::Code::ok);
        EXPECT_EQ(world->get(*next, node).stat.czxid, taken->stat.czxid)
            << "round " << round << ": the next owner's node was deleted";
        kept += (*outcome)->kind != FreedNode::Kind::deleted ? 1 : 0;
        world->remove(*next, node);
    }
    EXPECT_GT(kept, 0) << "in no round it changed hands before it was deleted";
    EXPECT_TRUE(world->children(path()).empty());
}

TEST_F(FreeNode, OthersComeAllTheTime)
{
    const HubSessionPtr session = world->connect();
    const HubSessionPtr owner = world->connect();
    world->create(*owner, path(), "");
    const zk::Created held = world->create(*owner, path() + "/n-", "", CreateMode::ephemeralSequential);
    for (int i = 0; i < 200; ++i)
        owner->create(path() + "/n-", "", CreateMode::ephemeralSequential, [](zk::Created) {});
    const Result<FreedNode> done = freed(session, held.path, held.stat.czxid);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(done->kind, FreedNode::Kind::deleted) << "as soon as nobody comes between two looks";
    EXPECT_EQ(world->children(path()).size(), 200U);
}

TEST_F(FreeNode, WhatMayNotBeDeleted)
{
    zk::ConnectOptions options{server().address(), std::chrono::seconds(30)};
    options.acl = zk::creatorAllAcl();
    options.credentials = {zk::Credential::digest([] { return Result<std::string>("owner:secret"); })};
    const HubSessionPtr owner = world->hub().connect(options);
    ASSERT_TRUE(world->waitFor(*owner, zk::SessionPhase::connected));
    world->create(*owner, path(), "");
    const zk::Created held = world->create(*owner, path() + "/holder", "", CreateMode::ephemeral);
    const Result<FreedNode> refused = freed(world->connect(), held.path, held.stat.czxid);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::noAuth);
    // For the child that proves it; servers of 3.9 want the right to read first.
    EXPECT_TRUE(refused.error().right == "create" || refused.error().right == "read")
        << refused.error().right;
    EXPECT_EQ(refused.error().path, path());
    EXPECT_EQ(world->get(*owner, held.path).code, zk::Code::ok);
}

// Then the answer would not be understood.
TEST_F(FreeNode, APathThatIsTooLongWithItsChrootIsNotDeleted)
{
    const HubSessionPtr owner = world->connect();
    const std::string chroot = path() + '-' + std::string(150, 'c');
    const std::string folder = '/' + std::string(340, 'f'), node = folder + "/n";
    for (const std::string& made : {chroot, chroot + folder})
        world->create(*owner, made, "");
    const zk::Created held = world->create(*owner, chroot + node, "", CreateMode::ephemeral);
    const HubSessionPtr session =
        world->hub().connect({server().address() + chroot, std::chrono::seconds(30)});
    ASSERT_TRUE(world->waitFor(*session, zk::SessionPhase::connected));
    const Result<FreedNode> refused = freed(session, node, held.stat.czxid);
    ASSERT_FALSE(refused) << static_cast<int>(refused->kind);
    EXPECT_EQ(refused.error().code, ErrorCode::badUsage);
    EXPECT_TRUE(world->exists(held.path));
    EXPECT_EQ(freed(owner, path() + "-none", held.stat.czxid)->kind, FreedNode::Kind::gone);
}

TEST_F(FreeNode, WhoMayMakeChildrenButNotDeleteThem)
{
    zk::ConnectOptions options{server().address(), std::chrono::seconds(30)};
    options.acl = {{zk::kReadPermission | zk::kCreatePermission, "world", "anyone"}};
    const HubSessionPtr owner = world->hub().connect(options);
    ASSERT_TRUE(world->waitFor(*owner, zk::SessionPhase::connected));
    world->create(*owner, path(), "");
    const zk::Created held = world->create(*owner, path() + "/holder", "", CreateMode::ephemeral);
    const Result<FreedNode> refused = freed(world->connect(), held.path, held.stat.czxid);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::noAuth);
    EXPECT_EQ(refused.error().right, "delete");
    EXPECT_EQ(refused.error().path, path());
    EXPECT_EQ(world->children(path()).size(), 1U);
}

} // namespace
} // namespace lockscope::tests
