// Our leader latch and Curator's on one path: one leads, the others wait for their turn, and each side lists
// all of them.
#include "core/lock/blocking/client.h"
#include "core/lock/blocking/leader_latch.h"
#include "tests/interop/interop_test.h"

namespace lockscope::tests {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class LeaderLatchBesideCurator : public InteropTest
{
protected:
    void SetUp() override
    {
        InteropTest::SetUp();
        const auto command = PeerProcess::curatorCommand(server().address());
        if (!command)
            GTEST_SKIP() << "needs libcurator-recipes-java, ecj: " << command.error().text();
        peer = startPeer(command, 2);
        ASSERT_TRUE(peer);
        client = lock::Client::connect({server().address()}).value();
    }
    void TearDown() override
    {
        client.reset();
        peer.reset();
        InteropTest::TearDown();
    }
    // The peer's client takes part behind those that do.
    void theyJoin(int number, const std::string& id)
    {
        const std::size_t before = queue().size();
        peer->writeLine("elect " + std::to_string(number) + " " + path() + " " + id);
        world->waitForChildren(path(), before + 1);
    }
    void weJoin(lock::LeaderLatch& latch)
    {
        const std::size_t before = queue().size();
        latch.start();
        world->waitForChildren(path(), before + 1);
    }

    std::unique_ptr<PeerProcess> peer;
    std::unique_ptr<lock::Client> client;
};

TEST_F(LeaderLatchBesideCurator, LeadershipGoesRoundInTheOrderOfArrival)
{
    theyJoin(1, "theirs-1");
    expect(*peer, "leads 1");
    lock::LeaderLatch ours(*client, path(), "ours");
    weJoin(ours);
    theyJoin(2, "theirs-2");
    EXPECT_FALSE(ours.hasLeadership());

    // Both see the same ones.
    peer->writeLine("elected 2");
    EXPECT_THAT(expect(*peer, "candidates 2"), EndsWith(" theirs-1* ours theirs-2"));
    const auto all = ours.participants();
    ASSERT_TRUE(all);
    ASSERT_EQ(all->size(), 3U);
    EXPECT_EQ(all->at(0).data, "theirs-1");
    EXPECT_EQ(all->at(2).data, "theirs-2");
    EXPECT_THAT(all->at(1).node, StartsWith("_c_"));
    EXPECT_THAT(all->at(1).node, HasSubstr("-latch-"));

    peer->writeLine("resign 1");
    expect(*peer, "resigned 1");
    ASSERT_TRUE(ours.await_for(std::chrono::seconds(30)));
    EXPECT_FALSE(peer->has("leads 2"));
    ASSERT_TRUE(ours.close());
    expect(*peer, "leads 2");
    peer->writeLine("resign 2");
    expect(*peer, "resigned 2");
    EXPECT_THAT(queue(), IsEmpty());
}

// Its node is deleted by somebody: each side takes part again, behind the others.
TEST_F(LeaderLatchBesideCurator, ALostLeaderIsFollowedByTheNextOne)
{
    lock::LeaderLatch ours(*client, path(), "ours");
    weJoin(ours);
    ASSERT_TRUE(ours.await_for(std::chrono::seconds(30)));
    const Zxid first = *ours.token();
    theyJoin(1, "theirs");
    world->remove(world->observer(), path() + "/" + ours.participants()->front().node);
    expect(*peer, "leads 1");
    world->runUntil([&] { return !ours.hasLeadership(); }, "ours to know");
    ASSERT_TRUE(world->waitForChildren(path(), 2));
    peer->writeLine("kill 1");
    expect(*peer, "killed 1");
    ASSERT_TRUE(ours.await_for(std::chrono::seconds(30)));
    EXPECT_GT(*ours.token(), first);
}

} // namespace
} // namespace lockscope::tests
