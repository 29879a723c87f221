// A wake-up in the watch chain, and how its cards move on, without a window.
#include "tests/ui/chain/chain_query.h"

#include <gmock/gmock.h>

namespace lockscope::tests {
namespace {

using namespace ui::chain;
using testing::HasSubstr;

// The deletion of the node of this number woke this client.
void wake(LockStateBuilder& builder, std::uint32_t deleted, ClientId from, ClientId to)
{
    replay::WakeUp& wake = builder.lock().lastWakeUp;
    wake.event = EventIndex{500};
    wake.at = builder.state.now;
    wake.node = builder.keep(LockStateBuilder::nameOf(deleted));
    wake.from = from;
    wake.to = to;
    wake.woken = 1;
}

class ChainWakeTest : public testing::Test
{
protected:
    ChainWakeTest()
        : builder(3, 1)
    {
        wake(builder, 184, ClientId{3}, ClientId{0});
        builder.node(0).phase = replay::NodePhase::waits;
    }
    LockStateBuilder builder;
};

TEST_F(ChainWakeTest, EndsAtTheWokenCardAndSaysHowManyWoke)
{
    ChainQuery query = queryOf(builder);
    query.wakeAge = 0.1;
    ChainScene scene = layOutChain(query);
    ASSERT_TRUE(scene.wake.shown);
    EXPECT_NEAR(scene.wake.end.y(), scene.nodes[0].rect.top(), 4);
    EXPECT_GE(scene.wake.end.x(), scene.nodes[0].rect.left());
    EXPECT_LE(scene.wake.end.x(), scene.nodes[0].rect.right());
    EXPECT_EQ(scene.wake.text.toStdString(), "NodeDeleted → wakes exactly one client");
    EXPECT_THAT(scene.wake.stub.toStdString(), HasSubstr("184"));

    builder.lock().lastWakeUp.woken = 49;
    scene = layOutChain(query);
    EXPECT_EQ(scene.wake.text.toStdString(), "NodeDeleted → wakes 49 clients");

    query.explainsNext = false; // as before a bet on it
    EXPECT_EQ(layOutChain(query).wake.text.toStdString(), "NodeDeleted");

    query.wakeKind = trace::WatchKind::changed;
    EXPECT_THAT(layOutChain(query).wake.text.toStdString(), HasSubstr("NodeDataChanged"));
    EXPECT_EQ(layOutChain(query).wake.stub.toStdString(), "node 184 written");
}

TEST_F(ChainWakeTest, TheNodeThatWentKeepsItsPlaceUntilItsSuccessorHolds)
{
    ChainQuery query = queryOf(builder);
    query.wakeAge = 0.1;
    query.ghosts = true;
    ChainScene scene = layOutChain(query);
    ASSERT_EQ(scene.nodes.size(), 4u);
    EXPECT_EQ(scene.nodes[0].state, NodeState::gone);
    EXPECT_EQ(scene.nodes[0].number.toStdString(), "184");
    EXPECT_EQ(scene.nodes[1].place, 0);
    EXPECT_TRUE(scene.wake.stub.isEmpty());
    EXPECT_NEAR(scene.wake.begin.x(), scene.nodes[0].rect.center().x(), 1);
    EXPECT_NEAR(scene.wake.end.x(), scene.nodes[1].rect.center().x(), 1);

    builder.node(0).phase = replay::NodePhase::holds;
    scene = layOutChain(query);
    EXPECT_EQ(scene.nodes.size(), 3u);
}

// In the chain as in the table: who is first and not asleep was woken.
TEST(WokenCard, IsTheFirstAloneAndNotWhileItSleeps)
{
    LockStateBuilder builder(3);
    builder.lock().queue.erase(builder.lock().queue.begin());
    const auto states = [&] {
        std::vector<NodeState> all;
        for (const ChainNode& card : layOutChain(queryOf(builder)).nodes)
            all.push_back(card.state);
        return all;
    };
    EXPECT_EQ(states(), (std::vector{NodeState::waits, NodeState::waits}));
    for (const std::size_t index : {1, 2}) // of which the second has yet to ask for its watch
        builder.client(index).watches = {};
    EXPECT_EQ(states(), (std::vector{NodeState::woken, NodeState::waits}));
    EXPECT_EQ(layOutChain(queryOf(builder)).nodes[0].pill, "woken");
    builder.node(0).ownerFrozen = true;
    EXPECT_EQ(states(), (std::vector{NodeState::waits, NodeState::waits}));
}

// A waiter in the middle, whose predecessor gave up; it lists again.
TEST(WokenCard, IsBehindOthersOneThatADeletionWoke)
{
    LockStateBuilder builder(3);
    builder.lock().queue.erase(builder.lock().queue.begin() + 1);
    replay::ClientRow& cyd = builder.client(2);
    cyd.watches = {};
    cyd.wokenBy = EventIndex{500};
    const auto state = [&] { return layOutChain(queryOf(builder)).nodes[1].state; };
    cyd.step = replay::Step::watch; // for a change of the node: it sets its watch again
    EXPECT_EQ(state(), NodeState::waits);
    cyd.step = replay::Step::list;
    EXPECT_EQ(state(), NodeState::woken);
}

} // namespace
} // namespace lockscope::tests
