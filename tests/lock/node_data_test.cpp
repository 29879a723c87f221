// What contenders write into their nodes, and who reads it.
#include "core/lock/participants.h"
#include "tests/lock/lock_test.h"

#include <unistd.h>

namespace lockscope::tests {
namespace {

using lock::Participant;

class NodeData : public EitherPolicy
{
protected:
    std::vector<Participant> participants(LockClient& client)
    {
        const auto read = world->start(client.mutex->participantDetails());
        world->runUntil([&] { return read.arrived(); }, "the participants");
        return read->value();
    }
};
INSTANTIATE_TEST_SUITE_P(Handoff, NodeData,
                         ::testing::Values(HandoffPolicy::curator, HandoffPolicy::announced), policyName);

TEST_P(NodeData, NamesHostProcessAndProgramByDefault)
{
    const std::string data = lock::defaultNodeData();
    EXPECT_EQ(std::count(data.begin(), data.end(), ' '), 2);
    EXPECT_THAT(data, ::testing::HasSubstr(" " + std::to_string(getpid()) + " "));
    EXPECT_THAT(data, ::testing::EndsWith(program_invocation_short_name));
}

TEST_P(NodeData, SaysWhoHoldsAndWhoWaitsAlsoAfterAHandoff)
{
    options.nodeData = "ada";
    LockClient& ada = addClient();
    acquireNow(ada);
    options.nodeData = "bo";
    LockClient& bo = addClient();
    const Acquiring boWaits = queueUp(bo);
    options.nodeData = "cyd";
    LockClient& cyd = addClient();
    const Acquiring cydWaits = queueUp(cyd);
    ASSERT_TRUE(release(ada));
    const Grant held = granted(boWaits);
    const bool announces = GetParam() == HandoffPolicy::announced;
    ASSERT_TRUE(world->runUntil([&] { return participants(ada).front().announced == announces; },
                                "the announcement"));
    const std::vector<Participant> all = participants(ada);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].node, held.node);
    EXPECT_EQ(all[0].data, "bo");
    EXPECT_EQ(all[0].session, bo.session->id());
    EXPECT_EQ(all[0].token, held.token);
    EXPECT_EQ(all[1].data, "cyd");
    EXPECT_EQ(all[1].session, cyd.session->id());
    EXPECT_FALSE(all[1].announced);
    ASSERT_TRUE(release(bo));
    granted(cydWaits);
}

TEST_P(NodeData, ThatLooksLikeAnAnnouncementIsRefused)
{
    options.nodeData = "mine __HOLDS__";
    LockClient& client = addClient();
    EXPECT_EQ(refused(acquire(client)).code, ErrorCode::badUsage);
    EXPECT_FALSE(world->exists(path())) << "before anything is sent";
    options.nodeData = "__HOLDS__ is not at the end";
    acquireNow(addClient());
}

// The server would close the connection of a client that writes more than it takes, again and again.
TEST_P(NodeData, ThatIsTooLongIsRefused)
{
    options.nodeData = std::string(lock::kMaxNodeData + 1, 'x');
    EXPECT_EQ(refused(acquire(addClient())).code, ErrorCode::badUsage);
    options.nodeData.pop_back();
    acquireNow(addClient());
}

// Of a client of ours that announces without data of its own, as all did once.
TEST_P(NodeData, AnAnnouncementAloneLeavesNoData)
{
    options.nodeData = {};
    LockClient& client = addClient();
    const Grant held = acquireNow(client);
    world->set(world->observer(), path() + "/" + held.node, "__HOLDS__");
    const std::vector<Participant> all = participants(client);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].data, "");
    EXPECT_TRUE(all[0].announced);
}

TEST_P(NodeData, OfManyIsReadInTheOrderOfTheQueue)
{
    constexpr int kNodes = 250; // more than are read at a time
    LockClient& client = addClient();
    acquireNow(client);
    for (int i = 1; i < kNodes; ++i)
        world->create(world->observer(), path() + "/x-lock-", std::to_string(i),
                      zk::CreateMode::ephemeralSequential);
    const std::vector<Participant> all = participants(client);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(kNodes));
    for (std::size_t i = 1; i < all.size(); ++i)
        ASSERT_EQ(all[i].data, std::to_string(i));
}

} // namespace
} // namespace lockscope::tests
