// Our mutex and other libraries' on one path: while one holds, the others wait, and it goes on when that one
// is gone. With Curator as it is; with kazoo when both sides count the other's nodes.
#include "tests/interop/interop_test.h"

namespace lockscope::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

enum class Library { curator, kazoo };
using Meeting = std::tuple<Library, HandoffPolicy>;

std::string meetingName(const ::testing::TestParamInfo<Meeting>& meeting)
{
    const auto [library, policy] = meeting.param;
    return std::string(library == Library::curator ? "Curator" : "kazoo") +
           (policy == HandoffPolicy::announced ? "_announced" : "_curator");
}

class MutexBeside : public InteropTest, public ::testing::WithParamInterface<Meeting>
{
protected:
    void SetUp() override
    {
        InteropTest::SetUp();
        const auto [library, policy] = GetParam();
        options.handoff = policy;
        if (library == Library::kazoo)
            options.naming = lock::NodeNaming::withKazoo();
        const auto command = library == Library::curator
                                 ? PeerProcess::curatorCommand(server().address())
                                 : PeerProcess::kazooCommand(server().address(), true);
        if (!command)
            GTEST_SKIP() << "needs libcurator-recipes-java, ecj, python3-kazoo: " << command.error().text();
        peer = startPeer(command, 2);
        ASSERT_TRUE(peer);
    }
    void TearDown() override
    {
        peer.reset();
        InteropTest::TearDown();
    }

    bool isCurator() const { return std::get<Library>(GetParam()) == Library::curator; }
    std::string said(const std::string& beginning) { return expect(*peer, beginning); }

    std::unique_ptr<PeerProcess> peer;
};
INSTANTIATE_TEST_SUITE_P(Peers, MutexBeside,
                         ::testing::Combine(::testing::Values(Library::curator, Library::kazoo),
                                            ::testing::Values(HandoffPolicy::curator,
                                                              HandoffPolicy::announced)),
                         meetingName);

TEST_P(MutexBeside, TheirsWaitsWhileOursHoldsAndGetsItAfterTheRelease)
{
    LockClient& ours = addOurs();
    const Grant grant = acquireNow(ours);
    peerWaitsBehind(*peer, 1, "mutex", grant.node);
    ASSERT_TRUE(release(ours));
    said("acquired 1");
    peerReleases(*peer, 1, "mutex");
    EXPECT_THAT(queue(), SizeIs(0));
}

TEST_P(MutexBeside, OursWaitsWhileTheirsHoldsAndGetsItAfterTheRelease)
{
    peerAcquires(*peer, 1, "mutex");
    LockClient& ours = addOurs();
    const Acquiring waiting = queueUp(ours);
    EXPECT_FALSE(waiting.arrived());
    peerReleases(*peer, 1, "mutex");
    granted(waiting);
    ASSERT_TRUE(release(ours));
    EXPECT_THAT(queue(), SizeIs(0));
}

// Foreign nodes in front, in the middle and at the end: no announcement to believe, and one that means
// nothing to them.
TEST_P(MutexBeside, GoThroughAMixedQueueInTheOrderOfArrival)
{
    peerAcquires(*peer, 1, "mutex");
    LockClient& second = addOurs();
    const Acquiring secondWaits = queueUp(second);
    peerWaitsBehind(*peer, 2, "mutex", nodeOf(second));
    LockClient& fourth = addOurs();
    const Acquiring fourthWaits = queueUp(fourth);

    peerReleases(*peer, 1, "mutex");
    granted(secondWaits);
    settle(fourth);
    EXPECT_FALSE(peer->has("acquired 2"));
    EXPECT_FALSE(fourthWaits.arrived());
    ASSERT_TRUE(release(second));
    said("acquired 2");
    settle(fourth);
    EXPECT_FALSE(fourthWaits.arrived());
    peerReleases(*peer, 2, "mutex");
    granted(fourthWaits);
}

TEST_P(MutexBeside, NeverHaveTwoInsideThoughFourWantIt)
{
    EXPECT_EQ(mixedRun(*peer, "mutex", {addOurs().mutex.get(), addOurs().mutex.get()}, 30), 0);
}

TEST_P(MutexBeside, OursGetsItWhenTheSessionOfTheirHolderEnds)
{
    peerAcquires(*peer, 1, "mutex");
    LockClient& ours = addOurs();
    const Acquiring waiting = queueUp(ours);
    peer->writeLine("kill 1");
    said("killed 1");
    granted(waiting);
}

TEST_P(MutexBeside, TheirsGetsItWhenTheSessionOfOurHolderEnds)
{
    LockClient& ours = addOurs();
    const Grant grant = acquireNow(ours);
    peerWaitsBehind(*peer, 1, "mutex", grant.node);
    ASSERT_TRUE(world->kill(*ours.session));
    said("acquired 1");
}

TEST_P(MutexBeside, ATryOnEitherSideFailsWhileTheOtherHoldsAndLeavesNoNode)
{
    LockClient& ours = addOurs();
    const Grant grant = acquireNow(ours);
    peer->writeLine("acquire 1 mutex " + path() + " 0");
    said("timed-out 1");
    EXPECT_THAT(queue(), ElementsAre(grant.node));
    ASSERT_TRUE(release(ours));

    peerAcquires(*peer, 1, "mutex");
    EXPECT_EQ(refused(acquire(ours, OwnerId{0}, Duration{0})).code, ErrorCode::timedOut);
    onlyNode();
}

TEST_P(MutexBeside, ListTheOthersAmongTheParticipants)
{
    LockClient& ours = addOurs();
    const Grant grant = acquireNow(ours);
    peerWaitsBehind(*peer, 1, "mutex", grant.node);

    const auto listed = world->start(ours.mutex->participants());
    world->runUntil([&] { return listed.arrived(); }, "the list");
    ASSERT_THAT(listed->value(), SizeIs(2));
    EXPECT_EQ(listed->value()[0], grant.node);
    EXPECT_THAT(listed->value()[1], EndsWith(isCurator() ? "lock-0000000001" : "__lock__0000000001"));

    const std::string theirs = listed->value()[1];
    peer->writeLine("list 2 " + path());
    // kazoo tells what clients write into their nodes, Curator the nodes.
    EXPECT_EQ(said("participants 2"),
              "participants 2 " +
                  (isCurator() ? grant.node + " " + theirs : lock::defaultNodeData() + " kazoo-1"));
}

} // namespace
} // namespace lockscope::tests
