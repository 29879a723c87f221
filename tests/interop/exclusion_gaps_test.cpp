// Where locks on one path do not exclude each other. Each test puts one client inside and then lets the other
// one in: nothing here is left to chance.
#include "tests/interop/interop_test.h"

namespace lockscope::tests {
namespace {

using ::testing::SizeIs;

class ExclusionGaps : public InteropTest
{
protected:
    void SetUp() override
    {
        InteropTest::SetUp();
        const auto plain = PeerProcess::kazooCommand(server().address());
        if (!plain)
            GTEST_SKIP() << "needs python3-kazoo: " << plain.error().text();
        kazoo = startPeer(plain, 1);
        ASSERT_TRUE(kazoo);
    }
    void TearDown() override
    {
        kazoo.reset();
        InteropTest::TearDown();
    }

    std::unique_ptr<PeerProcess> kazoo; // without patterns
};

// Its own pattern is all it counts: our node is not there for it.
TEST_F(ExclusionGaps, KazooByDefaultGoesInWhileACuratorNamedLockIsHeld)
{
    LockClient& ours = addOurs();
    acquireNow(ours);
    peerAcquires(*kazoo, 1, "mutex");
    EXPECT_EQ(ours.mutex->depth(OwnerId{0}), 1) << "both are inside";
    EXPECT_THAT(queue(), SizeIs(2));
}

// Ordered by its whole name, a random one, kazoo's node sorts behind our ten digits.
TEST_F(ExclusionGaps, ACuratorNamedLockByDefaultGoesInWhileKazooHolds)
{
    peerAcquires(*kazoo, 1, "mutex");
    acquireNow(addOurs());
    EXPECT_FALSE(kazoo->has("released")) << "both are inside";
    EXPECT_THAT(queue(), SizeIs(2));
}

TEST_F(ExclusionGaps, CuratorItselfAndKazooAreBothInside)
{
    const auto command = PeerProcess::curatorCommand(server().address());
    if (!command)
        GTEST_SKIP() << "needs libcurator-recipes-java and ecj: " << command.error().text();
    const auto curator = startPeer(command, 1);
    ASSERT_TRUE(curator);
    peerAcquires(*curator, 1, "mutex");
    peerAcquires(*kazoo, 1, "mutex");
    EXPECT_THAT(queue(), SizeIs(2));
    peerReleases(*curator, 1, "mutex");
    peerAcquires(*curator, 1, "mutex"); // and the other way round
    EXPECT_THAT(queue(), SizeIs(2));
}

// Counting the other's nodes on one side only is half an exclusion.
TEST_F(ExclusionGaps, PatternsOnKazoosSideAloneLetOursInWhileKazooHolds)
{
    const auto patterned = startPeer(PeerProcess::kazooCommand(server().address(), true), 1);
    ASSERT_TRUE(patterned);
    LockClient& ours = addOurs();
    const Grant grant = acquireNow(ours);
    peerWaitsBehind(*patterned, 1, "mutex", grant.node);
    ASSERT_TRUE(release(ours));
    expect(*patterned, "acquired 1");
    acquireNow(ours);
    EXPECT_THAT(queue(), SizeIs(2)) << "both are inside";
}

TEST_F(ExclusionGaps, PatternsOnOurSideAloneLetKazooInWhileOursHolds)
{
    options.naming = lock::NodeNaming::withKazoo();
    peerAcquires(*kazoo, 1, "mutex");
    LockClient& ours = addOurs();
    const Acquiring waiting = queueUp(ours);
    EXPECT_FALSE(waiting.arrived());
    peerReleases(*kazoo, 1, "mutex");
    granted(waiting);
    peerAcquires(*kazoo, 1, "mutex");
    EXPECT_EQ(ours.mutex->depth(OwnerId{0}), 1) << "both are inside";
}

} // namespace
} // namespace lockscope::tests
